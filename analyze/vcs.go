package analyze

// Version control: what throws away work, rewrites what others have, or makes
// Git start other programs.

import (
	"strings"

	"assent"
	"assent/programs"
)

var vcs = assent.Analyzer{
	Name:  "vcs",
	Doc:   "Says what throws away uncommitted or unpushed work, or rewrites a remote's history.",
	Codes: []string{"vcs.discard", "vcs.force_push", "vcs.rewrite", "vcs.exec"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if cmd.Name == "git" {
				out = append(out, gitMore(cmd)...)
			}
		})
		return out
	},
}

// gitExec are settings of Git that name a program it starts.
var gitExec = []string{"alias.", "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.hookspath", "core.askpass", "diff.external", "credential.helper", "gpg.program", "sequence.editor", "pager.", "filter.", "merge.tool", "uploadpack.packobjectshook", "protocol.ext.allow"}

func gitMore(cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	var out []assent.Finding
	add := func(code, note string) {
		out = append(out, assent.Finding{By: "vcs", Code: code, Target: cmd.Dir, Note: note, Span: cmd.Span})
	}
	switch a.Word(0) {
	case "push":
		if forced(a) {
			add("vcs.force_push", "It overwrites the history of the remote (forced push).")
		}
	case "checkout":
		if dropsPaths(cmd, a) {
			add("vcs.discard", "It throws away uncommitted changes (git checkout of paths).")
		}
	}
	if key, val := strings.ToLower(a.Word(1)), a.Word(2); a.Word(0) == "config" && (strings.HasPrefix(val, "!") || strings.Contains(val, "/")) {
		for _, name := range gitExec {
			if strings.HasPrefix(key, name) {
				add("vcs.exec", "It has Git start a program of the caller's choice from now on ("+key+").")
			}
		}
	}
	for _, w := range a.Values("c config-env") {
		key, val, _ := strings.Cut(strings.ToLower(w.Value), "=")
		for _, name := range gitExec {
			if strings.HasPrefix(key, name) && val != "" && val != "cat" && val != "true" && val != "less" && val != "false" {
				add("vcs.exec", "It has Git start a program of the caller's choice ("+key+").")
			}
		}
	}
	return out
}

// forced holds for --force, -f and +refs, not for --force-with-lease, which
// keeps what others have pushed.
func forced(a programs.Arguments) bool {
	lease := false
	for _, o := range a.Options {
		lease = lease || o.Name == "force-with-lease"
	}
	if a.Option("-n --dry-run") {
		return false
	}
	for _, o := range a.Options {
		if o.Name == "f" || len(o.Name) > 3 && strings.HasPrefix("force", o.Name) {
			return true
		}
	}
	for _, w := range a.Operands[1:] {
		if strings.HasPrefix(w.Value, "+") && len(w.Value) > 1 {
			return true
		}
		if strings.HasPrefix(w.Value, ":") && len(w.Value) > 1 && !lease {
			return true
		}
	}
	return false
}

// dropsPaths holds when git checkout is given paths after --.
func dropsPaths(cmd assent.Command, a programs.Arguments) bool {
	if a.Option("-p --patch -b -B --orphan") {
		return false
	}
	for i, w := range cmd.Args {
		if w.Value == "--" && w.Known {
			return i+1 < len(cmd.Args)
		}
	}
	return false
}
