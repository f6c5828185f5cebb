package analyze

// Traces of what was done: histories, logs and clocks of files that are wiped,
// shortened or switched off.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var traces = assent.Analyzer{
	Name:  "traces",
	Doc:   "Says what wipes or switches off the histories and logs that tell what was done.",
	Codes: []string{"host.traces"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "traces", "host.traces", traceSpots, "It changes %s, which tells what was done.", attribute, alias)
		each(c, func(cmd assent.Command) {
			if note := wipes(cmd); note != "" {
				out = append(out, assent.Finding{By: "traces", Code: "host.traces", Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// traceSpots hold histories and logs of what people and programs did.
var traceSpots = at(
	"~/.bash_history", "~/.zsh_history", "~/.history", "~/.python_history", "~/.mysql_history", "~/.psql_history", "~/.local/share/fish/fish_history", "~/.lesshst", "~/.viminfo",
	"/var/log/auth.log*", "/var/log/secure*", "/var/log/syslog*", "/var/log/messages*", "/var/log/audit", "/var/log/wtmp*", "/var/log/btmp*", "/var/log/lastlog", "/var/log/faillog", "/var/log/kern.log*", "/var/log/journal", "/var/run/utmp", "/run/utmp", "/var/log/sudo*", "/var/log/cron*", "/var/log/install.log", "/private/var/log", "/var/audit",
	"audit.log", "audit.jsonl", "audit.ndjson",
)

// wipes says how a command wipes or switches off what is noted.
func wipes(cmd assent.Command) string {
	has := func(want ...string) bool {
		return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return slices.Contains(want, w.Value) })
	}
	switch cmd.Name {
	case "history":
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
			return strings.HasPrefix(w.Value, "-") && strings.ContainsAny(w.Value, "cdw")
		}) {
			return "It wipes the shell's history, or a part of it."
		}
	case "set":
		for i, w := range cmd.Args {
			if w.Value == "history" && i > 0 && cmd.Args[i-1].Value == "+o" {
				return "It stops the shell from noting what is done."
			}
		}
	case "shopt":
		if has("-u") && has("histappend", "cmdhist") {
			return "It stops the shell from noting what is done."
		}
	case "unset":
		if slices.ContainsFunc(programs.Read(cmd).Operands, func(w assent.Word) bool { return strings.HasPrefix(w.Value, "HIST") }) {
			return "It stops the shell from noting what is done."
		}
	case "touch":
		if a := programs.Read(cmd); a.Option("-r --reference -d --date -t") && slices.ContainsFunc(a.Operands, func(w assent.Word) bool { return anySpot(systemFiles, w.Value, assent.Places{}) }) {
			return "It gives a file of the system another time, so that it does not look changed."
		}
	}
	return ""
}
