package analyze

// Privilege: what runs with the rights of another user, and what is asked of the
// programs that give them.

import (
	"slices"
	"strings"

	"assent"
	"assent/shell"
)

var privilege = assent.Analyzer{
	Name:  "privilege",
	Doc:   "Says what runs with the rights of another user, and where a password is handed on for it.",
	Codes: []string{"priv.escalate", "priv.password", "infra.privileged", shell.Unknown},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		for _, cmd := range c.Commands {
			find := func(code, note string) {
				out = append(out, assent.Finding{By: "privilege", Code: code, Note: note, Span: cmd.Span})
			}
			raises := func(v string) bool { return slices.Contains(raisers, v) }
			if note := leaves(c, cmd); note != "" {
				find("infra.privileged", note)
			}
			if !raises(cmd.Name) && !slices.ContainsFunc(cmd.Via, raises) {
				continue
			}
			find("priv.escalate", "It runs with the rights of another user.")
			if cmd.Name != "sudo" && !slices.Contains(cmd.Via, "sudo") {
				continue
			}
			switch passes(wrapperOptions(c, cmd, "sudo")) {
			case "S":
				find("priv.password", "It hands a password on to sudo.")
			case "A":
				find(shell.Unknown, "It has sudo ask another program for the password.")
			case "s":
				if cmd.Name == "sudo" {
					find(shell.Unknown, "It starts a shell of another user that waits for commands, which nobody sees beforehand.")
				}
			}
		}
		return out
	},
}

var raisers = []string{"sudo", "doas", "su", "pkexec", "runuser", "gosu", "su-exec"}

// passes reads the options of sudo: S for a password on the standard input, A
// for another program that asks for it, s for a shell; empty for others.
func passes(options []string) string {
	found := ""
	for _, o := range options {
		if long, ok := strings.CutPrefix(o, "--"); ok && long != "" {
			switch {
			case strings.HasPrefix("stdin", long) && len(long) > 2:
				return "S"
			case strings.HasPrefix("askpass", long):
				found = "A"
			case long == "shell" || long == "login":
				found = "s"
			}
			continue
		}
		for i := 1; i < len(o) && o[0] == '-'; i++ {
			if strings.IndexByte("CDghpRrTtUu", o[i]) >= 0 {
				break // what follows is its value
			}
			switch o[i] {
			case 'S':
				return "S"
			case 'A':
				found = "A"
			case 's', 'i':
				found = "s"
			}
		}
	}
	return found
}

// wrapperOptions returns the words that stand between a wrapper and the program
// that it starts, as they are written: a Command no longer has them.
func wrapperOptions(c assent.Case, cmd assent.Command, wrapper string) []string {
	var words []string
	if cmd.Name == wrapper {
		for _, w := range cmd.Args {
			words = append(words, w.Value)
		}
		return words
	}
	text := inputText(c, "command")
	if cmd.Span.To > len(text) || cmd.Span.From >= cmd.Span.To {
		return nil
	}
	text = text[cmd.Span.From:cmd.Span.To]
	for {
		_, after, ok := strings.Cut(text, wrapper)
		if !ok {
			return words
		}
		text = after
		for word := range strings.FieldsSeq(after) {
			word = strings.Trim(word, `"'`)
			if word == cmd.Program.Text || word == cmd.Name || strings.ContainsAny(word, ";|&") {
				break
			}
			words = append(words, word)
		}
	}
}

// leaves says that a command leaves the place that it is kept in, for that of
// another process or of the machine.
func leaves(c assent.Case, cmd assent.Command) string {
	for _, v := range []string{"chroot", "nsenter", "unshare", "pivot_root"} {
		if cmd.Name != v && !slices.Contains(cmd.Via, v) {
			continue
		}
		for _, o := range wrapperOptions(c, cmd, v) {
			switch {
			case strings.HasPrefix(o, "/proc/"), v == "nsenter" && (o == "1" || o == "-t1" || o == "--target=1" || o == "-a" || o == "--all"), v == "chroot" && strings.HasPrefix(o, "/host"):
				return "It leaves the place that it is kept in, for that of another process."
			case v == "unshare" && (o == "--map-root-user" || len(o) > 1 && o[0] == '-' && o[1] != '-' && strings.Contains(o, "r")):
				return "It makes itself root in a place of its own."
			}
		}
	}
	return ""
}
