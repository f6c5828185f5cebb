package analyze

// The processes of assent: what stops them, steers them, or looks into them.

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// killers stop or steer processes that their arguments name.
var killers = []string{"pkill", "killall", "killall5", "systemctl", "service", "launchctl", "kill", "skill", "snice", "renice", "prlimit", "taskset", "ionice", "chrt", "bpftrace", "rc-service", "sv", "supervisorctl", "pm2", "nsenter", "taskkill", "tskill", "Stop-Process", "spps", "wmic", "criu", "cpulimit"}

// tracers look into a process that they are told of, or take it over. What they start
// themselves is their own.
var tracers = []string{"gdb", "lldb", "cgdb", "gdbserver", "lldb-server", "rust-gdb", "rust-lldb", "strace", "ltrace", "frida", "frida-trace", "gcore", "memdump", "reptyr", "injcode", "perf", "dlv", "py-spy", "rbspy", "uftrace", "dtruss", "dtrace", "sample", "trace-cmd", "procdump", "pstack", "rr", "r2", "radare2"}

// lookers only say which process is which.
var lookers = []string{"pgrep", "pidof"}

// insides are the parts of another process that are not for looking.
var insides = at("/proc/*/mem", "/proc/*/environ", "/proc/*/fd", "/proc/*/maps", "/proc/*/map_files", "/proc/*/root", "/proc/*/cwd", "/proc/*/auxv", "/proc/*/attr", "/proc/*/oom_score_adj", "/proc/*/oom_adj", "/proc/*/coredump_filter", "/proc/*/task")

// steers reports whether a command stops a process of assent or looks into it.
func (g gate) steers(c assent.Case, cmd assent.Command) bool {
	switch {
	case slices.Contains(lookers, cmd.Name):
		return (namesUs(cmd.Args) || hits(cmd)) && g.handsOn(c)
	case cmd.Name == "grep" || cmd.Name == "egrep" || cmd.Name == "awk" || cmd.Name == "rg":
		return cmd.Stage > 0 && namesUs(cmd.Args) && lists(c) && g.handsOn(c)
	case cmd.Name == "systemctl" || cmd.Name == "service":
		return namesUs(cmd.Args) && !slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
			return w.Value == "status" || strings.HasPrefix(w.Value, "is-") || w.Value == "show" || w.Value == "cat"
		})
	case slices.Contains(killers, cmd.Name):
		return namesUs(cmd.Args) || hits(cmd)
	case slices.Contains(tracers, cmd.Name):
		return namesUs(attached(cmd))
	}
	return false
}

// namesUs reports whether a word is the name of assent's process or service. The
// brackets of "[a]ssent" keep a search from finding itself.
func namesUs(words []assent.Word) bool {
	return slices.ContainsFunc(words, func(w assent.Word) bool {
		if !strings.Contains(w.Value, "ssent") {
			return false
		}
		name, _, _ := strings.Cut(path.Base(strings.Trim(w.Value, "/")), " ")
		name = strings.TrimPrefix(strings.NewReplacer("[", "", "]", "", "^", "", "$", "").Replace(name), "name=")
		return name == "assent" || name == "assent.service" || name == "assent.exe"
	})
}

// maxPattern is how long a pattern of names may be to be looked at.
const maxPattern = 64

// hits reports whether the pattern of names that a command is given fits assent.
func hits(cmd assent.Command) bool {
	if cmd.Name != "pkill" && cmd.Name != "pgrep" && !(cmd.Name == "killall" && programs.Read(cmd).Option("-r --regexp")) {
		return false
	}
	a := programs.Read(cmd)
	return slices.ContainsFunc(a.Operands, func(w assent.Word) bool {
		if !w.Known || w.Value == "" || len(w.Value) > maxPattern {
			return false
		}
		first, _, _ := strings.Cut(w.Value, " ")
		if a.Option("-x --exact") {
			first = "^(?:" + first + ")$"
		}
		fits, err := regexp.MatchString(first, "assent")
		return err == nil && fits
	})
}

// attached are the words by which a tracer is told of a process that runs.
func attached(cmd assent.Command) []assent.Word {
	a := programs.Read(cmd)
	words := a.Values("p pid attach n name attach-name attach-pid")
	if cmd.Name == "frida" || cmd.Name == "frida-trace" || cmd.Name == "sample" || cmd.Name == "procdump" {
		words = append(words, a.Operands...)
	}
	for _, o := range a.Options {
		if text := o.Value.Value; o.Given && strings.Contains(text, "attach") {
			for word := range strings.FieldsSeq(text) {
				words = append(words, said(word))
			}
		}
	}
	return words
}

// handsOn reports whether something in the call does more to a process than name it.
func (g gate) handsOn(c assent.Case) bool {
	return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		works := func(name string) bool { return slices.Contains(killers, name) || slices.Contains(tracers, name) }
		if works(o.Name) || slices.ContainsFunc(o.Via, works) {
			return true
		}
		inside := func(w assent.Word) bool {
			_, way, ok := strings.Cut(likely(w), "/proc/")
			return ok && !w.Known && anySpot(insides, path.Clean("/proc/"+way), g.places)
		}
		return slices.ContainsFunc(o.Args, inside) || slices.ContainsFunc(o.Redirects, func(r assent.Redirect) bool { return inside(r.Target) })
	})
}

// lists reports whether the call lists the processes of the machine.
func lists(c assent.Case) bool {
	return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return slices.Contains([]string{"ps", "top", "pstree", "ss", "lsof", "netstat"}, o.Name)
	})
}
