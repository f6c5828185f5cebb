package shell

// The table of wrappers. Of several rows for one program the first that fits
// counts.

// Options of families of programs.
const (
	sudoLong   = "close-from chdir group host prompt chroot role type command-timeout other-user user"
	suLong     = "group supp-group shell whitelist-environment"
	dockerHost = "H host c context l log-level config f file p project-name project-directory profile env-file ansi progress parallel connection url"
	dockerRun  = "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cgroupns cidfile cpu-period cpu-quota cpu-shares cpus " +
		"cpuset-cpus cpuset-mems device device-cgroup-rule dns dns-option dns-search domainname env env-file expose gpus group-add health-" +
		"cmd health-interval health-retries health-timeout hostname index ip ipc isolation label label-file link log-driver log-opt mac-" +
		"address memory memory-swap mount name net network network-alias oom-score-adj pid pids-limit platform pod publish pull restart " +
		"runtime secret security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver " +
		"volumes-from workdir detach-keys"
	kubeGlobal = "n namespace context cluster kubeconfig user s server token as as-group request-timeout cache-dir certificate-authority client-" +
		"certificate client-key v profile"
	kubeLong = "container namespace context cluster kubeconfig user filename pod-running-timeout image target profile env labels overrides restart " +
		"port limits requests serviceaccount image-pull-policy copy-to server token as as-group"
	sshShort  = "BbcDEeFIiJLlmOopQRSWwP"
	gitGlobal = "c C git-dir work-tree namespace exec-path config-env super-prefix"
	findTests = "name iname path ipath wholename iwholename regex iregex lname ilname newer anewer cnewer samefile user group uid gid perm size " +
		"type xtype fstype links inum mtime atime ctime mmin amin cmin maxdepth mindepth printf fprintf fprint fprint0 fls regextype used D"
	cloudLong = "zone project account configuration region profile output cluster task container query resource-group g n name subscription app a " +
		"org o config command-id"
	nixLong      = "argstr arg attr expr packages include option max-jobs cores keep keep-env-var inputs-from override-input system profile"
	npmLong      = "package call workspace filter dir prefix cache registry userconfig"
	tmuxGlobal   = "L S f c T"
	editorSide   = "c cmd *"
	ansibleShort = "bceikltfuMmBP"
	ansibleLong  = "module-name inventory limit forks user become-user private-key extra-vars"
	secretsLong  = "config project env path profile region backend region duration token chdir file scope name"
)

var wrappers = []wrapper{
	// Other users, other rights.
	{name: "sudo", abbr: true, short: "CDghpRrTtUu", long: sudoLong, env: true, dir: "D chdir", idle: "l list v validate K remove-timestamp e edit V version"},
	{name: "doas", short: "Cu", idle: "L"},
	{name: "pkexec", long: "user"},
	{name: "run0", short: "ugDp", long: "user group chdir property nice slice unit description setenv background machine", dir: "D chdir"},
	{name: "su", abbr: true, short: "cgGsTw", long: suLong, text: "c command session-command", kind: none},
	{name: "runuser", abbr: true, when: "u user", short: "ugGsTw", long: "user " + suLong},
	{name: "runuser", abbr: true, short: "ucgGsTw", long: "user " + suLong, text: "c command session-command", kind: none},
	{name: "sg", short: "c", text: "c", kind: none},
	{name: "gosu su-exec setuidgid", skip: 1},
	{name: "chpst softlimit envuidgid", short: "uUbenmdofcprt/"},
	{name: "setpriv", abbr: true, long: "ambient-caps inh-caps bounding-set ruid euid reuid rgid egid regid groups securebits pdeathsig selinux-label apparmor-profile"},
	{name: "capsh", gap: true, runs: "bash", idle: "print"},
	{name: "runcon", abbr: true, short: "turl", long: "type user role range"},

	// Environment, priority, time, terminals.
	{name: "env genv", abbr: true, short: "uCSaP", long: "unset chdir split-string argv0 block-signal default-signal ignore-signal", env: true, split: "S split-string", dir: "C chdir"},
	{name: "cross-env cross-env-shell", env: true},
	{name: "env-cmd", short: "fre", long: "file rc-file environments fallback"},
	{name: "dotenv dotenvx", sub: "run", global: "f file e p", short: "fep", long: "env file env-file"},
	{name: "dotenv", short: "fevcp"},
	{name: "envdir", skip: 1},
	{name: "with-contenv"},
	{name: "assent", sub: "exec", long: "grant handle-file env dir wait", dir: "dir", idle: "help h"},
	{name: "command", idle: "v V"},
	{name: "builtin"},
	{name: "exec", short: "a"},
	{name: "nohup noglob nocorrect"},
	{name: "repeat", skip: 1},
	{name: "emulate", text: "c", kind: none, keep: true},
	{name: "nice gnice", abbr: true, short: "n", long: "adjustment"},
	{name: "ionice", abbr: true, short: "cnpPu", long: "class classdata pid pgid uid"},
	{name: "chrt", short: "pTPD", long: "sched-runtime sched-period sched-deadline pid", skip: 1},
	{name: "taskset", abbr: true, when: "cpu-list", long: "cpu-list", idle: "p pid"},
	{name: "taskset", skip: 1, idle: "p pid"},
	{name: "prlimit", abbr: true, short: "po", long: "pid output"},
	{name: "cpulimit", short: "lpe", long: "limit pid exe"},
	{name: "numactl", abbr: true, short: "CNimpx", long: "cpunodebind physcpubind membind interleave preferred"},
	{name: "timeout gtimeout", abbr: true, short: "ks", long: "kill-after signal", skip: 1},
	{name: "time gtime", abbr: true, short: "fo", long: "format output"},
	{name: "stdbuf gstdbuf", abbr: true, short: "ioe", long: "input output error"},
	{name: "setsid unbuffer catchsegv linux32 linux64 eatmydata winpty zrun tini dumb-init catatonit ifne"},
	{name: "setarch", skip: 1, idle: "list", keep: true},
	{name: "arch", when: "x86_64 arm64 arm64e i386 e d c", short: "ed", onedash: true},
	{name: "fakeroot", abbr: true, short: "lsib"},
	{name: "faketime", short: "fp", skip: 1},
	{name: "chronic"},
	{name: "flock lockf", abbr: true, short: "wEct", long: "timeout conflict-exit-code wait", skip: 1, text: "c command"},
	{name: "lckdo", short: "W", skip: 1},
	{name: "sem", short: "j", long: "id jobs timeout", kind: joined},
	{name: "caffeinate", short: "tw"},
	{name: "systemd-inhibit", abbr: true, long: "what who why mode"},
	{name: "systemd-cat", abbr: true, short: "tpP", long: "identifier priority stderr-priority namespace"},
	{name: "systemd-run", abbr: true, short: "pEuMHGt", long: "property setenv unit machine host slice uid gid working-directory on-calendar on-active on-boot description service-type", dir: "working-directory"},
	{name: "start-stop-daemon", abbr: true, short: "acdgGIkNnOpPrRstuxo", long: "exec chdir chuid group pidfile name user nicelevel output signal retry", head: "exec a x", dir: "d chdir", gap: true, idle: "K stop T status"},
	{name: "daemonize", short: "acelopuE"},
	{name: "script", abbr: true, short: "cEIBOmoT", long: "echo log-io log-in log-out log-timing output-limit", text: "c command", kind: none},
	{name: "rlwrap", short: "abcfgHlOpPqrsSt"},
	{name: "logsave", skip: 1},
	{name: "xvfb-run", short: "ens", long: "server-num server-args error-file"},
	{name: "dbus-run-session dbus-launch"},
	{name: "ssh-agent", short: "aEPtO", idle: "k s c"},
	{name: "retry", short: "tdm", long: "times delay max until sleep tries"},
	{name: "wait-for-it wait-for wait-for-it.sh", short: "hpt", long: "host port timeout", gap: true},
	{name: "pee mispipe concurrently mprocs", short: "nklpcts", long: "names prefix prefix-colors kill-others success timings", kind: texts},
	{name: "hyperfine", short: "wrmMpscCSnuLPDET", long: "warmup runs min-runs max-runs shell style sort time-unit export-asciidoc export-csv export-json export-markdown export-orgmode output input command-name parameter-list parameter-scan", side: "p prepare s setup c cleanup C conclude reference", kind: texts},
	{name: "watch gwatch", abbr: true, when: "x exec", short: "nq", long: "interval equexit"},
	{name: "watch gwatch", abbr: true, short: "nq", long: "interval equexit", kind: joined},
	{name: "entr", when: "s", kind: joined},
	{name: "entr"},
	{name: "watchexec", short: "wexsidfDo", long: "watch exts filter ignore signal delay-run debounce shell workdir env on-busy-update stop-signal", dir: "workdir", kind: joined},
	{name: "nodemon", short: "wexiVdC", long: "watch ext ignore delay signal", side: "x exec", kind: none},
	{name: "reflex", short: "drgRGs"},

	// Looking into processes.
	{name: "strace", abbr: true, short: "abeEIoOpPsSuUX", long: "attach output trace env user"},
	{name: "ltrace", short: "aAeEnosupwx"},
	{name: "dtruss opensnoop", short: "nptW"},
	{name: "valgrind", long: "tool"},
	{name: "perf", sub: "stat|record|trace", short: "eopCGjFgcI", long: "event output pid cpu"},
	{name: "gdb lldb", when: "args", onedash: true},

	// Other roots and namespaces of this machine.
	{name: "chroot", abbr: true, long: "groups userspec", skip: 1},
	{name: "unshare", abbr: true, short: "RwSG", long: "root wd setuid setgid map-user map-group"},
	{name: "nsenter", abbr: true, short: "tSGrw", long: "target setuid setgid"},
	{name: "ip", sub: "netns|vrf exec", global: "n netns", skip: 1, keep: true},
	{name: "cgexec", short: "g"},
	{name: "firejail", short: "cf", long: "profile env rlimit-nofile timeout name"},
	{name: "bwrap", twice: "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd file bind-data ro-bind-data symlink setenv chmod overlay", long: "args chdir remount-ro proc dev tmpfs mqueue dir uid gid hostname unsetenv lock-file sync-fd perms size seccomp add-seccomp-fd info-fd json-status-fd block-fd userns-block-fd exec-label file-label cap-add cap-drop overlay-src argv0 userns userns2 pidns", dir: "chdir"},
	{name: "nsjail landrun minijail0", gap: true},
	{name: "sandbox-exec", short: "pfnD"},
	{name: "proot", short: "rbqwk0iS", long: "rootfs bind qemu cwd"},
	{name: "torsocks torify tsocks proxychains proxychains4 graftcp", short: "fauP"},
	{name: "busybox toybox", idle: "list list-full install help"},

	// Words from files and from the input.
	{name: "xargs gxargs", abbr: true, short: "aEIdLnPsJRS", long: "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var", feeds: true},
	{name: "parallel", short: "jNLnPsaSIEdlC", long: "jobs max-args arg-file sshlogin colsep delay timeout retries joblog results tmpdir workdir env memfree load halt shuf block recstart recend arg-sep tagstring basefile return", kind: template},
	{name: "find gfind bfs", onedash: true, long: findTests, span: "exec execdir ok okdir", kind: none},
	{name: "fd fdfind", short: "edEtSojcC", long: "extension max-depth min-depth exact-depth exclude type size changed-within changed-before owner threads color format and search-path base-directory path-separator ignore-file max-results", span: "x exec X exec-batch", kind: none},
	{name: "at batch", short: "qtdc", script: "f", idle: "l d c V", kind: none, stdin: true, keep: true},

	// Runtimes and tools that choose the program's version or settings.
	{name: "uv", sub: "run", global: "directory project", short: "pm", long: "with python project directory env-file extra group package with-requirements with-editable index"},
	{name: "uv", sub: "tool run", short: "p", long: "from with python index-url", pkg: true, keep: true},
	{name: "uvx", short: "p", long: "from with python index-url", pkg: true, keep: true, idle: "version V help h"},
	{name: "pipx", sub: "run", long: "spec python index-url pip-args", pkg: true, keep: true},
	{name: "poetry pipenv pdm rye hatch pixi", sub: "run", global: "C directory p project e env", short: "Cpe"},
	{name: "bundle", sub: "exec"},
	{name: "conda mamba micromamba", sub: "run", short: "np", long: "name prefix cwd", dir: "cwd"},
	{name: "npx bunx pnpx", short: "pcw", long: npmLong, text: "c call", pkg: true, keep: true, idle: "version v help h"},
	{name: "npm", sub: "exec|x", global: "prefix C", short: "pcw", long: npmLong, text: "c call", pkg: true, keep: true},
	{name: "pnpm", sub: "exec|dlx", global: "filter F C dir", short: "c", long: npmLong, pkg: true, keep: true},
	{name: "yarn", sub: "exec|dlx", global: "cwd", short: "p", long: npmLong, pkg: true, keep: true},
	{name: "bun", sub: "x", short: "p", long: npmLong, pkg: true, keep: true},
	{name: "lerna nx", sub: "exec", long: "scope ignore concurrency projects", gap: true},
	{name: "mise rtx", sub: "exec|x", global: "C cd env E", short: "cCjE", long: "command cd jobs env", text: "c command", gap: true},
	{name: "asdf rbenv pyenv nodenv goenv jenv", sub: "exec"},
	{name: "nvm fnm", sub: "exec", long: "using"},
	{name: "volta", sub: "run", long: "node npm yarn pnpm bundled-npm"},
	{name: "rustup", sub: "run", skip: 1},
	{name: "opam stack cabal", sub: "exec", long: "switch package"},
	{name: "xcrun", long: "sdk toolchain", idle: "find f show-sdk-path show-sdk-version"},
	{name: "cargo", sub: "watch", short: "xswiCdF", long: "exec watch ignore workdir delay features", side: "s shell", kind: none},
	{name: "nix-shell", short: "pAEIijk", long: nixLong, text: "run command", kind: none, keep: true},
	{name: "nix", sub: "develop|shell", global: "extra-experimental-features", short: "fIjkus", long: nixLong, span: "c command", kind: none, keep: true},
	{name: "guix flox devbox", sub: "shell|environment|activate|run", short: "meDfd", long: "manifest expression dir", gap: true, keep: true},
	{name: "direnv", sub: "exec", skip: 1},
	{name: "foreman honcho", sub: "run", short: "efd", long: "env procfile root"},
	{name: "rtk", sub: "proxy|err|test|summary"},
	{name: "rtk", sub: "version|help|gain|discover|init|config|learn|verify|session|telemetry", kind: none},
	{name: "rtk"},

	// Tools that hand secrets to a program.
	{name: "aws-vault chamber", sub: "exec", skip: 1, short: "nd", long: secretsLong},
	{name: "op doppler infisical teller railway", sub: "run", short: "pcet", long: secretsLong, text: "command"},
	{name: "sops", sub: "exec-env|exec-file", skip: 1, kind: joined},
	{name: "summon envconsul", short: "fpeD", long: secretsLong},
	{name: "consul", sub: "lock", onedash: true, long: "name n timeout token http-addr", skip: 1, kind: joined, keep: true},
	{name: "sshpass", short: "pfdPe"},

	// Containers.
	{name: "docker podman nerdctl finch", sub: "exec", global: dockerHost, short: "euw", long: dockerRun, skip: 1, keep: true, far: true},
	{name: "docker podman nerdctl finch", sub: "container exec", global: dockerHost, short: "euw", long: dockerRun, skip: 1, keep: true, far: true},
	{name: "docker podman nerdctl finch", sub: "run", global: dockerHost, short: "acehlmpuvw", long: dockerRun, head: "entrypoint", skip: 1, keep: true, far: true},
	{name: "docker podman nerdctl finch", sub: "container run|create", global: dockerHost, short: "acehlmpuvw", long: dockerRun, head: "entrypoint", skip: 1, keep: true, far: true},
	{name: "docker podman nerdctl finch", sub: "compose exec|run", global: dockerHost, short: "euwvpl", long: dockerRun, head: "entrypoint", skip: 1, keep: true, far: true},
	{name: "docker-compose podman-compose", sub: "exec|run", global: dockerHost, short: "euwvpl", long: dockerRun, head: "entrypoint", skip: 1, keep: true, far: true},
	{name: "kubectl oc", sub: "exec|run|debug|rsh", global: kubeGlobal, short: "cnfsl", long: kubeLong, skip: 1, keep: true, far: true},
	{name: "k3s microk8s k0s", sub: "kubectl", runs: "kubectl"},
	{name: "minikube", sub: "kubectl", runs: "kubectl", gap: true},
	{name: "lxc incus", sub: "exec", long: "cwd env user group mode", skip: 1, keep: true, far: true},
	{name: "lxc-attach", short: "nsefPvugL", long: "name", keep: true, far: true},
	{name: "pct", sub: "exec", skip: 1, keep: true, far: true},
	{name: "buildah", sub: "run", short: "v", long: "user volume workingdir env mount network", skip: 1, keep: true, far: true},
	{name: "crictl", sub: "exec", global: "r c", skip: 1, keep: true, far: true},
	{name: "nomad", sub: "alloc exec", onedash: true, long: "task job address namespace region token", skip: 1, keep: true, far: true},
	{name: "systemd-nspawn", short: "DiMupEx", long: "directory image machine user setenv bind bind-ro chdir", keep: true, far: true},
	{name: "machinectl", sub: "shell", long: "uid setenv", skip: 1, keep: true, far: true},
	{name: "apptainer singularity", sub: "exec", short: "BHW", long: "bind env home workdir overlay pwd", skip: 1, keep: true, far: true},
	{name: "toolbox", sub: "run", short: "cdr", long: "container distro release", keep: true, far: true},
	{name: "distrobox", sub: "enter", short: "n", long: "name", gap: true, keep: true, far: true},
	{name: "flatpak", sub: "run", long: "branch arch env filesystem", text: "command", kind: none, keep: true},
	{name: "flatpak-spawn", long: "env directory"},

	// Other machines.
	{name: "ssh dbclient", short: sshShort, side: "o", code: sshOption, skip: 1, kind: joined, stdin: true, idle: "Q V G O", keep: true, far: true},
	{name: "autossh", short: sshShort + "M", side: "o", code: sshOption, skip: 1, kind: joined, keep: true, far: true},
	{name: "mosh", short: "p", long: "port ssh server client predict bind-server", side: "ssh", skip: 1, kind: joined, keep: true, far: true},
	{name: "vagrant", sub: "ssh", text: "c command", kind: none, stdin: true, keep: true, far: true},
	{name: "docker-machine limactl", sub: "ssh|shell", long: "workdir shell", skip: 1, kind: joined, keep: true, far: true},
	{name: "lima", keep: true, far: true},
	{name: "minikube colima", sub: "ssh", long: "node profile", short: "pn", kind: joined, keep: true, far: true},
	{name: "multipass", sub: "exec", short: "d", long: "working-directory", skip: 1, keep: true, far: true},
	{name: "gcloud", sub: "compute ssh", long: cloudLong + " ssh-flag ssh-key-file", text: "command", skip: 1, kind: joined, keep: true, far: true},
	{name: "aws", sub: "ecs execute-command", global: "profile region output endpoint-url", long: cloudLong, text: "command", kind: none, keep: true, far: true},
	{name: "az", sub: "vm run-command invoke", short: "gn", long: cloudLong + " parameters", text: "scripts", kind: none, keep: true, far: true},
	{name: "fly flyctl", sub: "ssh console", short: "aocsru", long: cloudLong, text: "C command", kind: none, keep: true, far: true},
	{name: "heroku", sub: "run|run:detached", short: "aser", long: "app size type remote env exit-code", kind: joined, keep: true, far: true},
	{name: "cf", sub: "ssh", short: "iLc", text: "c command", kind: none, keep: true, far: true},
	{name: "wsl", short: "du", long: "distribution user cd", span: "e exec", kind: joined, keep: true, far: true},
	{name: "adb", sub: "shell", global: "s t H P", kind: joined, keep: true, far: true},
	{name: "ansible", when: "m=shell m=command m=raw m=ansible.builtin.shell m=ansible.builtin.command module-name=shell module-name=command module-name=raw", short: ansibleShort, long: ansibleLong, text: "a args", kind: none, keep: true, far: true},
	{name: "ansible", when: "m module-name", short: ansibleShort + "a", long: ansibleLong, kind: none, keep: true, far: true},
	{name: "ansible", short: ansibleShort, long: ansibleLong, text: "a args", kind: none, keep: true, far: true},
	{name: "pdsh clush pssh parallel-ssh", short: "wxghlftXuRpoO", kind: joined, keep: true, far: true},

	// Terminals that live on.
	{name: "tmux", sub: "new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|respawn-window|respawnw", global: tmuxGlobal, short: "censtxyFlp", kind: joined, keep: true},
	{name: "tmux", sub: "display-popup|popup", global: tmuxGlobal, short: "bcdehsStTwxy", kind: joined, keep: true},
	{name: "tmux", sub: "run-shell|run|if-shell|if|pipe-pane|pipep", global: tmuxGlobal, short: "tdc", kind: texts, keep: true},
	{name: "tmux", sub: "send-keys|send", global: tmuxGlobal, short: "tN", kind: joined, code: tmuxKeys, keep: true},
	{name: "screen", sub: "stuff", global: "S p t c e h T", kind: texts, keep: true},
	{name: "screen", short: "cehpsStT", idle: "ls list r x wipe", keep: true},

	// Programs with an option that holds shell code, or the name of a program.
	{name: "git", sub: "bisect run", global: gitGlobal, code: gitCode, dir: "C", keep: true},
	{name: "git", sub: "submodule foreach", global: gitGlobal, code: gitCode, dir: "C", kind: joined, keep: true},
	{name: "git", sub: "rebase", global: gitGlobal, side: "x exec", code: gitCode, short: "sXC", long: "onto strategy strategy-option", dir: "C", kind: none},
	{name: "git", sub: "filter-branch", global: gitGlobal, side: "setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter", code: gitCode, kind: none},
	{name: "git", sub: "difftool|mergetool", global: gitGlobal, side: "x extcmd", code: gitCode, kind: none},
	{name: "git", sub: "clone", global: gitGlobal, side: "c config u upload-pack *", code: gitCode, short: "boj", long: "branch origin jobs depth reference template", kind: none},
	{name: "git", sub: "fetch|pull|ls-remote|push|archive|remote|fetch-pack|send-pack|submodule|send-email|grep", global: gitGlobal, side: "upload-pack receive-pack exec sendmail-cmd to-cmd cc-cmd open-files-in-pager *", code: gitCode, kind: none},
	{name: "git", sub: "*", global: gitGlobal, code: gitCode, kind: none},
	{name: "tar gtar bsdtar", abbr: true, short: "fCTXbKLNVHgI", side: "to-command use-compress-program rsh-command info-script new-volume-script checkpoint-action I F", code: tarCode, kind: none},
	{name: "rsync", short: "fMTB", side: "e rsh", kind: none},
	{name: "scp sftp", short: "cFiJloPDBbRX", side: "S o", code: sshOption, kind: none},
	{name: "rg ag", short: "ABCefgjmrtTEM", long: "glob type context regexp file", side: "pre hostname-bin pager", kind: none},
	{name: "sort gsort", abbr: true, short: "kStTo", side: "compress-program", kind: none},
	{name: "man", short: "CRLmMSseEprTX", side: "P pager H html", kind: none},
	{name: "less more view-less", side: "*", code: exCode, kind: none},
	{name: "vim vi nvim view ex gvim vimdiff", short: "SuUiTswWtPr", side: editorSide, code: exCode, kind: none},
	{name: "zip", side: "unzip-command TT", kind: none},
	{name: "fzf sk", short: "qfndpe", long: "query filter nth delimiter prompt header height", side: "preview bind", code: fzfCode, kind: none},
	{name: "tcpdump", short: "BcCDEFGijmMQrsTVwWyZz", side: "z", kind: none},
	{name: "nc netcat ncat", when: "e exec c sh-exec", short: "ecgGiIpPqsTwWxXO", side: "e exec c sh-exec", kind: none},
	{name: "socat", side: "*", code: socatCode, kind: none},
	{name: "split gsplit", abbr: true, short: "abClnt", side: "filter", kind: none},
}
