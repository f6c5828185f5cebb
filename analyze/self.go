package analyze

// assent itself: its files, its commands, its doors, its processes.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

var self = assent.Analyzer{
	Name:  "self",
	Doc:   "Says what touches assent: its files, its verbs of approval, its doors and processes.",
	Codes: []string{"gate.self"},
	Run: func(c assent.Case) []assent.Finding {
		g := gate{places: c.Places, homes: []string{assentHome(c.Places)}}
		if c.Tool != assent.ToolShell && c.Tool != assent.ToolExec {
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

// touched says how a command touches assent.
func (g gate) touched(c assent.Case, cmd assent.Command) []assent.Finding {
	var out []assent.Finding
	add := func(target, note string) { out = append(out, selfFinding(target, note, cmd.Span)) }
	if verb := g.verb(cmd); verb != "" {
		add("", "It runs assent "+verb+", which only a person may do.")
	}
	if verb := typedVerb(c, cmd); verb != "" {
		add("", "It has "+cmd.Name+" start assent "+verb+", or type it, which only a person may do.")
	}
	if g.steers(c, cmd) {
		add("", "It stops, steers or looks into a process of assent.")
	}
	if name := g.twisted(cmd); name != "" {
		add("", "It sets "+name+", so that assent runs other code, or another assent is asked.")
	}
	if answers(cmd) {
		add("", "It speaks to assent's own door.")
	}
	for _, note := range g.mentioned(cmd) {
		add("", note)
	}
	g.reached(cmd, func(full string, w assent.Word) {
		add(full, "It touches "+called(full, w)+", which belongs to assent.")
	})
	changed(cmd, func(w assent.Word, how change) {
		full, known := where(cmd, w, g.places)
		if known && how != createDir && (g.binary(full) || (how == remove || how == attribute) && g.encloses(full) && full != "/") {
			add(full, "It changes "+full+", which assent needs.")
		}
	})
	return out
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
