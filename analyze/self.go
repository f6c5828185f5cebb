package analyze

// assent itself: its files, its commands, its doors, its processes.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var self = assent.Analyzer{
	Name:  "self",
	Doc:   "Says what touches assent: its files, its verbs of approval, its doors and processes.",
	Codes: []string{"gate.self"},
	Run: func(c assent.Case) []assent.Finding {
		g := gate{places: c.Places, homes: []string{assentHome(c.Places)}}
		if c.Tool != assent.ToolShell {
			g.homes = append(g.homes, settled(g.homes[0], "", c.Places)) // as the file of a tool's call is
		}
		var out []assent.Finding
		each(c, func(cmd assent.Command) { out = append(out, g.touched(c, cmd)...) })
		return out
	},
}

func selfFinding(target, note string, span assent.Span) assent.Finding {
	return assent.Finding{By: "self", Code: "gate.self", Target: target, Note: note, Span: span}
}

// gate knows where assent lives.
type gate struct {
	places assent.Places
	homes  []string
}

// assentHome is assent's own directory.
func assentHome(p assent.Places) string {
	if p.Assent == "" {
		return home(p) + "/.assent"
	}
	return path.Clean(p.Assent)
}

// holds reports whether full lies in assent's home; a glob may reach it.
func (g gate) holds(full string) bool {
	return full != "" && slices.ContainsFunc(g.homes, func(h string) bool { return begins(full, h) })
}

// encloses reports whether full is a directory above assent's home.
func (g gate) encloses(full string) bool {
	return slices.ContainsFunc(g.homes, func(h string) bool { return strings.HasPrefix(h, strings.TrimSuffix(full, "/")+"/") })
}

// binary reports whether full is where assent's program is kept.
func (g gate) binary(full string) bool {
	dir := path.Base(path.Dir(full))
	return path.Base(full) == "assent" && (dir == "bin" || dir == "sbin")
}

// verbs are what only people may do.
var verbs = []string{"approve", "deny", "reject", "revoke", "keys", "uninit", "init", "serve"}

// persons are the second words of what only a person may do.
var persons = map[string][]string{"hooks": {"allow", "revoke", "remove", "rm", "import"}, "grants": {"forward"}}

// killers stop or steer processes that their arguments name.
var killers = []string{"pkill", "killall", "killall5", "systemctl", "service", "launchctl", "gdb", "lldb", "strace", "ltrace", "kill", "skill", "frida", "frida-trace", "pidof", "pgrep", "gcore", "reptyr", "renice", "prlimit", "perf", "bpftrace", "rc-service", "sv", "supervisorctl", "pm2"}

func (g gate) touched(c assent.Case, cmd assent.Command) []assent.Finding {
	var out []assent.Finding
	add := func(target, note string) { out = append(out, selfFinding(target, note, cmd.Span)) }
	if verb := g.verb(cmd); verb != "" {
		add("", "It runs assent "+verb+", which only a person may do.")
	}
	if slices.Contains(killers, cmd.Name) && namesUs(cmd) && g.aims(c, cmd) {
		add("", "It stops or steers a process of assent.")
	}
	if answers(cmd) {
		add("", "It speaks to assent's own door.")
	}
	if !talks(cmd) {
		for _, w := range cmd.Args {
			if full := g.path(cmd, w); g.holds(full) {
				add(full, "It touches "+called(full, w)+", which belongs to assent.")
			}
		}
	}
	for _, r := range cmd.Redirects {
		if full := g.path(cmd, r.Target); !strings.HasPrefix(r.Op, "<<") && g.holds(full) {
			add(full, "It touches "+called(full, r.Target)+", which belongs to assent.")
		}
	}
	changed(cmd, func(w assent.Word, how change) {
		full, known := where(cmd, w, g.places)
		if known && how != createDir && (g.binary(full) || (how == remove || how == attribute) && g.encloses(full) && full != "/") {
			add(full, "It changes "+full+", which assent needs.")
		}
	})
	return out
}

// path is what a word names, also behind "--option=", "of=", "name:" and "@".
// It may have "*" in it; empty when it names no path that is absolute.
func (g gate) path(cmd assent.Command, w assent.Word) string {
	v := likely(w)
	if _, after, ok := strings.Cut(v, "="); ok {
		v = after
	}
	v = strings.TrimPrefix(strings.TrimPrefix(v, "@"), "file://")
	if kind, after, ok := strings.Cut(v, ":"); ok && strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" {
		v, _, _ = strings.Cut(after, ",") // socat's ends
	}
	if v == "" || v[0] == '*' {
		return ""
	}
	full, ok := absolute(v, cmd.Dir, g.places)
	if !ok {
		return ""
	}
	return full
}

// verb returns the verb of assent that a command runs, if only people may.
func (g gate) verb(cmd assent.Command) string {
	a := programs.Read(cmd)
	ops := a.Operands
	switch {
	case slices.Contains([]string{"/approve", "/deny", "/yolo"}, cmd.Program.Value):
		return strings.TrimPrefix(cmd.Program.Value, "/") // as people say it in a chat
	case cmd.Name == "go" && a.Word(0) == "run" && len(ops) > 1 && path.Base(a.Word(1)) == "assent":
		ops = ops[2:]
	case cmd.Name != "assent" && cmd.Name != "assent.exe":
		return ""
	}
	switch {
	case len(ops) == 0:
		return ""
	case slices.Contains(verbs, ops[0].Value):
		return ops[0].Value
	case len(ops) > 1 && (slices.Contains(persons[ops[0].Value], ops[1].Value) || persons[ops[0].Value] != nil && !ops[1].Known):
		return ops[0].Value + " " + ops[1].Text
	case !ops[0].Known:
		return "with a verb that cannot be known"
	}
	return ""
}

func namesUs(cmd assent.Command) bool {
	return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
		name, _, _ := strings.Cut(path.Base(w.Value), " ")
		return name == "assent" || name == "assent.service"
	})
}

// aims leaves out looking: pgrep and pidof alone, and systemctl status.
func (g gate) aims(c assent.Case, cmd assent.Command) bool {
	switch cmd.Name {
	case "pgrep", "pidof":
		return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
			return o.Name != cmd.Name && slices.Contains(killers, o.Name)
		})
	case "systemctl", "service":
		return !slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
			return w.Value == "status" || strings.HasPrefix(w.Value, "is-") || w.Value == "show" || w.Value == "cat"
		})
	}
	return true
}

// answers reports whether a command calls the door through which requests are
// answered, or grants revoked or handed on.
func answers(cmd assent.Command) bool {
	if !slices.Contains(fetchers, cmd.Name) {
		return false
	}
	return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
		a, ok := parsed(likely(w), true)
		if !ok || !loopback(a.host) && w.Known && a.host != "" {
			return false
		}
		parts := strings.Split(strings.Trim(a.path, "/"), "/")
		return len(parts) == 4 && parts[0] == "v1" && (parts[1] == "requests" && parts[3] == "answer" || parts[1] == "grants" && slices.Contains([]string{"revoke", "forward"}, parts[3]))
	})
}

var off = assent.Analyzer{
	Name:  "off",
	Doc:   "Says when an agent's settings change so that assent is no longer asked.",
	Codes: []string{"gate.off"},
	Run: func(c assent.Case) []assent.Finding {
		if c.Name != assent.ConfigChange || string(c.Extra["unwired"]) != "true" {
			return nil
		}
		return []assent.Finding{{By: "off", Code: "gate.off", Note: "The agent's settings would change so that assent is no longer asked."}}
	},
}
