package analyze

// Disguise: what is made to look like something else, or to be taken for it.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/shell"
)

var disguise = assent.Analyzer{
	Name:  "disguise",
	Doc:   "Says what is written so that it is hard to see, or made to be taken for something else.",
	Codes: []string{"code.trick", "code.preload", shell.Unknown},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			find := func(code, note string) {
				out = append(out, assent.Finding{By: "disguise", Code: code, Note: note, Span: cmd.Span})
			}
			changed(cmd, func(w assent.Word, how change) {
				if note := posing(cmd, w, how, c.Places); note != "" && (!acted(cmd) || strings.HasPrefix(w.Value, "/dev/")) {
					find("code.trick", note)
				}
			})
			if acted(cmd) {
				return
			}
			if pieced(cmd.Program) {
				find("code.trick", "It spells the name of the program "+cmd.Name+" so that it cannot be read.")
			}
			if encoded(c, cmd) {
				find("code.trick", "It spells a text in codes, and runs it.")
			}
			if note := redefines(cmd); note != "" {
				find("code.trick", note)
			}
			if code, note := shellTrick(cmd); note != "" {
				find(code, note)
			}
			if slices.Contains(cmd.Via, "trap") && networked(cmd) {
				find("code.trick", "It has the shell talk to another machine when something happens.")
			}
			for _, w := range cmd.Args {
				if climbs(cmd, w) {
					find("code.trick", "It reaches "+path.Clean("/"+strings.TrimLeft(w.Value, "./"))+" by a path that climbs to the root.")
				}
			}
		})
		return out
	},
}

// pieced reports whether a program's name is put together of pieces, or spelt in
// codes, though it is known.
func pieced(w assent.Word) bool {
	if !w.Known || w.Text == w.Value || len(w.Text) > 200 {
		return false
	}
	t := w.Text
	switch {
	case strings.Contains(t, "$'\\") || strings.Contains(t, "$'") && spelt(t, 1):
		return true
	case strings.HasPrefix(t, "${") && strings.Count(t, "${") > 1 && !strings.Contains(w.Value, "/"):
		return true
	case strings.Contains(t, "${") && sliced(t):
		return true
	case strings.HasPrefix(t, "{") && strings.Contains(t, ","):
		return true
	}
	inner := t
	if len(inner) > 1 && (inner[0] == '"' || inner[0] == '\'') && inner[len(inner)-1] == inner[0] {
		inner = inner[1 : len(inner)-1]
	}
	return !strings.Contains(t, "$") && !strings.ContainsAny(w.Value, " /(){}") && strings.IndexAny(inner, `'"\`) > 0
}

// sliced reports whether an expansion cuts letters out of a value.
func sliced(text string) bool {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "${")
		if !ok {
			return false
		}
		after = after[len(named(after)):]
		if len(after) > 1 && after[0] == ':' && after[1] >= '0' && after[1] <= '9' {
			return true
		}
		rest = after
	}
}

// spelt reports whether a text has at least n letters spelt in codes.
func spelt(text string, n int) bool {
	count := 0
	for i := 0; i+3 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch d := text[i+1]; {
		case d == 'x' && strings.IndexByte("234567", text[i+2]) >= 0:
			count++
		case (d == '0' || d == '1') && text[i+2] >= '0' && text[i+2] <= '7' && text[i+3] >= '0' && text[i+3] <= '7' && !(d == '0' && text[i+2] == '3' && text[i+3] == '3'):
			count++
		case d == 'u' && strings.HasPrefix(text[i+2:], "00"):
			count++
		case d == '\\':
			i++
		}
	}
	return count >= n
}

// encoded reports whether a command prints a text that is spelt in codes, and
// something in the call runs texts.
func encoded(c assent.Case, cmd assent.Command) bool {
	switch cmd.Name {
	case "echo", "printf":
		if !slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return spelt(w.Text, 2) }) {
			return false
		}
	case "base64", "base32", "xxd", "openssl", "rev":
		if cmd.Name != "rev" && !slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
			return w.Value == "--decode" || len(w.Value) > 1 && w.Value[0] == '-' && w.Value[1] != '-' && strings.ContainsAny(w.Value, "dDr")
		}) {
			return false
		}
	default:
		return false
	}
	return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return isRunner(o.Name) || slices.ContainsFunc(o.Via, isRunner) || !o.Program.Known
	})
}

// climbs reports whether a path goes up to the root to reach what belongs to
// the system.
func climbs(cmd assent.Command, w assent.Word) bool {
	if !strings.HasPrefix(w.Value, "../../../") {
		return false
	}
	rest := strings.TrimLeft(path.Clean(w.Value), "./")
	first, _, _ := strings.Cut(rest, "/")
	return slices.Contains([]string{"etc", "root", "proc", "sys", "dev", "boot", "home", "var", "usr"}, first) && !talks(cmd)
}

// posing says that something is written so that it is taken for something else:
// a file for an option, a text for what somebody typed.
func posing(cmd assent.Command, w assent.Word, how change, p assent.Places) string {
	full, known := where(cmd, w, p)
	switch {
	case how != write || !known:
	case temporary(full) && path.Base(full)[0] == '.' && len(path.Base(full)) > 1:
		return "It writes " + full + ", a hidden file where everybody may write."
	case strings.HasPrefix(w.Value, "-") && len(w.Value) > 2 && strings.ContainsAny(w.Value, "= "):
		return "It makes a file whose name other programs take for an option."
	case strings.HasPrefix(full, "/dev/pts/") || strings.HasPrefix(full, "/dev/tty") && full != "/dev/tty" || full == "/dev/console":
		return "It writes to another terminal, where it may be taken for something else."
	}
	return ""
}
