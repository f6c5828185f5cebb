package analyze

// Power, processes, services and accounts of the machine.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var power = assent.Analyzer{
	Name:  "power",
	Doc:   "Says what stops or restarts the machine.",
	Codes: []string{"host.shutdown"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			changed(cmd, func(w assent.Word, _ change) {
				if full, _ := where(cmd, w, c.Places); full == "/proc/sysrq-trigger" || full == "/sys/power/state" {
					out = append(out, assent.Finding{By: "power", Code: "host.shutdown", Target: full, Note: "It tells the kernel to stop or restart the machine.", Span: cmd.Span})
				}
			})
		})
		return out
	},
}

var processes = assent.Analyzer{
	Name:  "processes",
	Doc:   "Says which processes are killed.",
	Codes: []string{"proc.kill.all", "proc.kill", "proc.signal"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			f := assent.Finding{By: "processes", Span: cmd.Span}
			switch cmd.Name {
			case "kill":
				f.Code, f.Note = killed(cmd)
			case "pkill", "killall", "killall5", "skill", "slay", "taskkill":
				f.Code, f.Note = killedByName(cmd)
			}
			if f.Code != "" {
				out = append(out, f)
			}
		})
		return out
	},
}

// rereads are how kill is told the signal at which the first process only reads
// its settings anew.
var rereads = []string{"-1", "-HUP", "-SIGHUP", "HUP", "SIGHUP"}

func killed(cmd assent.Command) (code, note string) {
	everyone, asked, first := false, false, false
	targets := 0
	if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
		return !w.Known && (w.Text == "{}" || strings.Contains(w.Text, "pgrep") || strings.Contains(w.Text, "pidof") || strings.Contains(w.Text, "ps ") || strings.Contains(w.Text, "lsof") || strings.Contains(w.Text, "fuser"))
	}) {
		return "proc.kill", "It kills processes that are only found when the command runs."
	}
	for i, w := range cmd.Args {
		switch {
		case w.Value == "-l" || w.Value == "-L" || w.Value == "-0" || w.Value == "--help":
			asked = true
		case w.Value == "-1" && w.Known:
			// the first -1 is a signal when something follows it that can be a target
			everyone = everyone || i > 0 || len(cmd.Args) == 1
		case !strings.HasPrefix(w.Value, "-") || !w.Known:
			targets++
			first = first || w.Value == "1" && w.Known && (i == 0 || cmd.Args[i-1].Value != "-s" && cmd.Args[i-1].Value != "-n")
		}
	}
	switch {
	case asked:
		return "", ""
	case everyone && !(cmd.Args[0].Value == "-s" && len(cmd.Args) == 2):
		return "proc.kill.all", "It kills every process that it may."
	case first && !slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return slices.Contains(rereads, strings.ToUpper(w.Value)) }):
		return "proc.kill.all", "It kills the first process, without which no other can run."
	case targets > 0:
		return "proc.signal", "It sends a signal to a process."
	}
	return "", ""
}

func killedByName(cmd assent.Command) (code, note string) {
	a := programs.Read(cmd)
	if a.Option("-l --list -V --version --help -0") {
		return "", ""
	}
	return "proc.kill", "It kills every process of a name."
}
