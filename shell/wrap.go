package shell

// Wrappers: programs that start the program their arguments name. One table.

// wrapper says where in a program's arguments another command begins.
type wrapper struct {
	name  string
	sub   string // it only wraps after this subcommand
	short string // letters of the options that take a value
	long  string // long options that take a value
	skip  int    // operands before the inner program
	env   bool   // operands NAME=value set its environment
	text  string // options whose value is shell code
	split string // options whose value is split into words
	dir   string // options whose value is its directory
	idle  string // options with which it starts nothing
	join  bool   // the inner words are joined and given to sh
	late  bool   // options may follow operands
	feeds bool   // it appends words of its own (xargs)
	far   bool   // it starts on another machine
}

// wrappers is looked through from the top; names are base names.
var wrappers = []wrapper{
	{name: "sudo", short: "CDghpRrTtUu", long: "close-from chdir group host prompt chroot role type command-timeout other-user user", env: true, dir: "D chdir", idle: "l list v validate K remove-timestamp e edit V version"},
	{name: "doas", short: "Cu", idle: "L"},
	{name: "env", short: "uCSa", long: "unset chdir split-string argv0 block-signal default-signal ignore-signal", env: true, split: "S split-string", dir: "C chdir"},
	{name: "command", idle: "v V"},
	{name: "builtin"},
	{name: "exec", short: "a"},
	{name: "nohup"},
	{name: "nice", short: "n", long: "adjustment"},
	{name: "timeout", short: "ks", long: "kill-after signal", skip: 1},
	{name: "gtimeout", short: "ks", long: "kill-after signal", skip: 1},
	{name: "time", short: "fo", long: "format output"},
	{name: "stdbuf", short: "ioe", long: "input output error"},
	{name: "setsid"},
	{name: "ionice", short: "cnpPu", long: "class classdata pid pgid uid"},
	{name: "chrt", short: "pTPD", long: "sched-runtime sched-period sched-deadline pid", skip: 1},
	{name: "taskset", skip: 1, idle: "p pid"},
	{name: "prlimit", short: "po", long: "pid output"},
	{name: "numactl", short: "CNimpx", long: "cpunodebind physcpubind membind interleave preferred"},
	{name: "chroot", long: "groups userspec", skip: 1},
	{name: "unshare", short: "RwSG", long: "root wd setuid setgid map-user map-group"},
	{name: "nsenter", short: "tSGrw", long: "target setuid setgid"},
	{name: "flock", short: "wE", long: "timeout conflict-exit-code", skip: 1, text: "c command"},
	{name: "strace", short: "abeEIoOpPsSuUX"},
	{name: "ltrace", short: "aAeEnosupwx"},
	{name: "setarch"},
	{name: "linux32"},
	{name: "linux64"},
	{name: "fakeroot", short: "lsib"},
	{name: "unbuffer"},
	{name: "caffeinate", short: "tw"},
	{name: "systemd-run", short: "pEuMHGt", long: "property setenv unit machine host slice uid gid working-directory on-calendar description service-type", dir: "working-directory"},
	{name: "systemd-inhibit", long: "what who why mode"},
	{name: "pkexec", long: "user"},
	{name: "gosu", skip: 1},
	{name: "su-exec", skip: 1},
	{name: "xvfb-run", short: "ens", long: "server-num server-args error-file"},
	{name: "dbus-run-session"},
	{name: "catchsegv"},
	{name: "busybox"},
	{name: "toybox"},
	{name: "watch", short: "nq", long: "interval equexit", join: true},
	{name: "su", short: "cgGsTw", long: "command session-command group supp-group shell whitelist-environment", text: "c command session-command", late: true},
	{name: "runuser", short: "ucgGsTw", long: "user command session-command group supp-group shell whitelist-environment", text: "c command session-command"},
	{name: "script", short: "cEIBOmoT", long: "command echo log-io log-in log-out log-timing output-limit", text: "c command", late: true},
	{name: "ssh", short: "BbcDEeFIiJLlmOopQRSWw", skip: 1, join: true, far: true},
	{name: "xargs", short: "aEIdLnPs", long: "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var", feeds: true},
	{name: "parallel", short: "jNLnPsaSI", long: "jobs max-args arg-file sshlogin colsep delay timeout retries joblog results", join: true},
	{name: "uv", sub: "run", long: "with python project directory env-file extra group package", short: "p"},
	{name: "poetry", sub: "run"},
	{name: "pipenv", sub: "run"},
	{name: "pdm", sub: "run"},
	{name: "rye", sub: "run"},
	{name: "hatch", sub: "run"},
	{name: "bundle", sub: "exec"},
	{name: "direnv", sub: "exec", skip: 1},
	{name: "dotenv"},
	{name: "aws-vault", sub: "exec", skip: 1},
	{name: "op", sub: "run"},
	{name: "doppler", sub: "run", text: "command"},
	{name: "rtk"},
}

func wrapperNamed(name string) *wrapper {
	for i := range wrappers {
		if wrappers[i].name == name {
			return &wrappers[i]
		}
	}
	return nil
}
