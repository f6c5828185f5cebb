package shell

// Options and operands that hold shell code besides other things: where in the
// value it is.

import (
	"strings"
)

// tarCode: only exec= among the actions of a checkpoint is code.
func tarCode(option, value string) (string, bool) {
	if option == "checkpoint-action" {
		return strings.CutPrefix(value, "exec=")
	}
	return value, true
}

// sshCommands are settings of ssh whose value is a command.
var sshCommands = []string{"proxycommand", "localcommand", "knownhostscommand"}

// sshOption is the command in -o NAME=COMMAND.
func sshOption(option, value string) (string, bool) {
	if option != "o" {
		return value, true
	}
	i := strings.IndexAny(value, "= \t")
	if i < 0 || strings.EqualFold(value[i+1:], "none") {
		return "", false
	}
	for _, name := range sshCommands {
		if strings.EqualFold(value[:i], name) {
			return strings.TrimLeft(value[i:], "= \t"), true
		}
	}
	return "", false
}

// gitCommands are settings of git whose value is a command.
var gitCommands = []string{
	"core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "diff.external", "sequence.editor", "gpg.program",
	"credential.helper", "uploadpack.packobjectshook", "core.gitproxy", "web.browser", "browser.", "pager.", "filter.", "difftool.", "mergetool.", "diff.", "merge.", "trailer.", "gpg.",
}

// gitParts are the ends of names in sections where only some settings are
// commands.
var gitParts = []string{".cmd", ".clean", ".smudge", ".process", ".textconv", ".driver", ".command", ".program", ".path"}

// gitCode is the command in -c NAME=COMMAND, in a URL of the kind ext::, and in
// options that name one.
func gitCode(option, value string) (string, bool) {
	switch option {
	case "c", "config":
	case "*":
		return strings.CutPrefix(value, "ext::")
	case "C", "git-dir", "work-tree", "namespace", "exec-path", "config-env", "super-prefix":
		return "", false
	default:
		return value, true
	}
	name, text, _ := strings.Cut(value, "=")
	name = strings.ToLower(name)
	if rest, shell := strings.CutPrefix(text, "!"); strings.HasPrefix(name, "alias.") {
		if !shell {
			return "git " + text, true
		}
		return rest, true
	} else if shell {
		return rest, strings.HasSuffix(name, ".helper")
	}
	return text, gitRuns(name, text)
}

func gitRuns(name, text string) bool {
	if text == "true" || text == "false" || strings.HasSuffix(name, ".helper") && !strings.ContainsAny(text, "/ ") {
		return false
	}
	for _, c := range gitCommands {
		section := strings.HasSuffix(c, ".")
		if name == c || section && strings.HasPrefix(name, c) && (c == "pager." || endsIn(name, gitParts)) {
			return true
		}
	}
	return false
}

func endsIn(s string, ends []string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// exCode is the command behind ! in a command of an editor or a pager.
func exCode(option, value string) (string, bool) {
	if option == "*" {
		var plus bool
		if value, plus = strings.CutPrefix(value, "+"); !plus {
			return "", false
		}
	}
	before, text, found := strings.Cut(value, "!")
	before = strings.TrimSpace(strings.TrimLeft(before, ":%0123456789,.$'<> "))
	switch before {
	case "", "sil", "silent", "r", "read", "w", "write", "exe", "execute", "term", "terminal":
		return text, found && strings.TrimSpace(text) != ""
	}
	return "", false
}

// fzfCode is the code in --preview, and in the actions of --bind that run some.
func fzfCode(option, value string) (string, bool) {
	value = blanks(value)
	if option != "bind" {
		return value, true
	}
	var found []string
	for _, action := range []string{"execute", "execute-silent", "become", "reload", "preview", "transform"} {
		_, rest, ok := strings.Cut(value, action+"(")
		if text, _, closed := strings.Cut(rest, ")"); ok && closed {
			found = append(found, text)
		}
	}
	return strings.Join(found, "\n"), len(found) > 0
}

// socatCode is the command in an address like EXEC:sh,pty.
func socatCode(_, value string) (string, bool) {
	kind, rest, _ := strings.Cut(value, ":")
	switch strings.ToUpper(kind) {
	case "EXEC", "SYSTEM", "SHELL":
		text, _, _ := strings.Cut(rest, ",")
		return text, text != ""
	}
	return "", false
}

// tmuxKeys is the text that keys type: the names of keys end lines.
func tmuxKeys(_, text string) (string, bool) {
	var lines []string
	for _, line := range strings.Split(text+" ", " ") {
		if line == "Enter" || line == "KPEnter" || len(line) == 3 && line[1] == '-' && (line[0] == 'C' || line[0] == 'M') {
			line = "\n"
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, " ")), true
}
