package analyze

// Version control: what throws away work, rewrites what others have, or makes
// Git start other programs.

import (
	"strings"

	"assent"
)

var vcs = assent.Analyzer{
	Name:  "vcs",
	Doc:   "Says what throws away uncommitted or unpushed work, or rewrites a remote's history.",
	Codes: []string{"vcs.discard", "vcs.force_push", "vcs.rewrite", "vcs.exec"},
	Run: func(c assent.Case) []assent.Finding {
		out := match("vcs", c, vcsRules)
		each(c, func(cmd assent.Command) {
			if cmd.Name == "git" {
				out = append(out, gitMore(cmd)...)
			}
		})
		return out
	},
}

var vcsRules = []rule{
	{prog: "git", sub: "reset", opt: "--hard --merge --keep", code: "vcs.discard", note: "It throws away uncommitted changes (git reset)."},
	{prog: "git", sub: "clean", opt: "-f --force", not: "-n --dry-run -i --interactive", code: "vcs.discard", note: "It deletes files that Git does not know (git clean)."},
	{prog: "git", sub: "checkout|switch", opt: "-f --force --discard-changes", code: "vcs.discard", note: "It throws away uncommitted changes (forced checkout)."},
	{prog: "git", sub: "checkout .|:/|./*", code: "vcs.discard", note: "It throws away uncommitted changes (git checkout of paths)."},
	{prog: "git", sub: "restore", opt: "-W --worktree", code: "vcs.discard", note: "It throws away uncommitted changes (git restore)."},
	{prog: "git", sub: "restore *", not: "-S --staged --help -p --patch", code: "vcs.discard", note: "It throws away uncommitted changes (git restore)."},
	{prog: "git", sub: "stash drop|clear", code: "vcs.discard", note: "It throws away stashed changes."},
	{prog: "git", sub: "branch", opt: "-D", code: "vcs.discard", note: "It deletes a branch, merged or not."},
	{prog: "git", sub: "branch", opt: "-M -f --force", code: "vcs.discard", note: "It moves or deletes a branch by force."},
	{prog: "git", sub: "worktree remove", opt: "-f --force", code: "vcs.discard", note: "It deletes a worktree with its uncommitted changes."},
	{prog: "git", sub: "reflog expire|delete", code: "vcs.discard", note: "It deletes the record from which lost commits are found again."},
	{prog: "git", sub: "gc", opt: "--prune", code: "vcs.discard", note: "It deletes commits that nothing points to."},
	{prog: "git", sub: "prune", not: "-n --dry-run", code: "vcs.discard", note: "It deletes commits that nothing points to."},
	{prog: "git", sub: "update-ref", opt: "-d", code: "vcs.discard", note: "It deletes a reference."},
	{prog: "git", sub: "tag", opt: "-d --delete", code: "vcs.discard", note: "It deletes a tag."},
	{prog: "git", sub: "rm", opt: "-f --force", not: "-n --dry-run --cached", code: "vcs.discard", note: "It deletes files with their uncommitted changes."},
	{prog: "git", sub: "submodule deinit", opt: "-f --force --all", code: "vcs.discard", note: "It removes a submodule with its uncommitted changes."},
	{prog: "git", sub: "filter-branch|filter-repo", code: "vcs.rewrite", note: "It rewrites the history of the repository."},
	{prog: "git-filter-repo bfg", code: "vcs.rewrite", note: "It rewrites the history of the repository."},
	{prog: "git", sub: "push", opt: "--mirror --prune", code: "vcs.force_push", note: "It deletes on the remote what is not here."},
	{prog: "git", sub: "push", opt: "-d --delete", code: "vcs.force_push", note: "It deletes a branch or tag on the remote."},
	{prog: "hg", sub: "strip|purge|rollback", code: "vcs.discard", note: "It throws away changes."},
	{prog: "hg", sub: "update|up", opt: "-C --clean", code: "vcs.discard", note: "It throws away uncommitted changes."},
	{prog: "svn", sub: "revert|cleanup", opt: "-R --recursive --remove-unversioned", code: "vcs.discard", note: "It throws away uncommitted changes."},
	{prog: "jj", sub: "abandon", code: "vcs.discard", note: "It abandons a change."},
	{prog: "gh", sub: "repo delete", code: "vcs.force_push", note: "It deletes a repository on GitHub."},
	{prog: "gh", sub: "release|secret|variable|label|cache|codespace|gist delete", code: "vcs.force_push", note: "It deletes something on GitHub."},
	{prog: "glab", sub: "repo|release|variable delete", code: "vcs.force_push", note: "It deletes something on GitLab."},
}

// gitExec are settings of Git that name a program it starts.
var gitExec = []string{"alias.", "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.hookspath", "core.askpass", "diff.external", "credential.helper", "gpg.program", "sequence.editor", "pager.", "filter.", "merge.tool", "uploadpack.packobjectshook", "protocol.ext.allow"}

func gitMore(cmd assent.Command) []assent.Finding {
	a := read(cmd)
	var out []assent.Finding
	add := func(code, note string) {
		out = append(out, assent.Finding{By: "vcs", Code: code, Target: cmd.Dir, Note: note, Span: cmd.Span})
	}
	switch a.word(0) {
	case "push":
		if forced(a) {
			add("vcs.force_push", "It overwrites the history of the remote (forced push).")
		}
	case "checkout":
		if dropsPaths(cmd, a) {
			add("vcs.discard", "It throws away uncommitted changes (git checkout of paths).")
		}
	}
	if key, val := strings.ToLower(a.word(1)), a.word(2); a.word(0) == "config" && (strings.HasPrefix(val, "!") || strings.Contains(val, "/")) {
		for _, name := range gitExec {
			if strings.HasPrefix(key, name) {
				add("vcs.exec", "It has Git start a program of the caller's choice from now on ("+key+").")
			}
		}
	}
	for _, w := range a.values("c config-env") {
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
func forced(a arguments) bool {
	lease := false
	for _, o := range a.options {
		lease = lease || o.name == "force-with-lease"
	}
	if a.option("-n --dry-run") {
		return false
	}
	for _, o := range a.options {
		if o.name == "f" || len(o.name) > 3 && strings.HasPrefix("force", o.name) {
			return true
		}
	}
	for _, w := range a.operands[1:] {
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
func dropsPaths(cmd assent.Command, a arguments) bool {
	if a.option("-p --patch -b -B --orphan") {
		return false
	}
	for i, w := range cmd.Args {
		if w.Value == "--" && w.Known {
			return i+1 < len(cmd.Args)
		}
	}
	return false
}
