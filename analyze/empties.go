package analyze

// What is emptied: files that hold something, over which nothing is written.

import (
	"os"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var empties = assent.Analyzer{
	Name:  "empties",
	Doc:   "Says which files that hold something a command would empty.",
	Codes: []string{"fs.empty"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			emptied(cmd, func(w assent.Word) {
				if !w.Known && w.Text == "{}" {
					out = append(out, assent.Finding{By: "empties", Code: "fs.empty", Note: "It empties files that are only named when the command runs.", Span: cmd.Span})
					return
				}
				full, known := where(cmd, w, c.Places)
				spare := temporary(full) && !assent.Under(full, c.Dir) || madeAgain(full, c.Dir) || anySpot(systemFiles, full, c.Places)
				if known && !spare && holdsData(full) {
					out = append(out, assent.Finding{By: "empties", Code: "fs.empty", Target: full, Note: "It empties " + full + ", and what that holds is lost.", Span: cmd.Span})
				}
			})
		})
		return out
	},
}

// holdsData reports whether a regular file is there and not empty.
func holdsData(full string) bool {
	info, err := os.Stat(full)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// emptied calls f for every file over which a command writes nothing.
func emptied(cmd assent.Command, f func(assent.Word)) {
	if text, known := outputOf(cmd); known && strings.TrimSpace(text) == "" {
		for _, r := range cmd.Redirects {
			if r.Op == ">" || r.Op == ">|" || r.Op == "&>" {
				f(r.Target)
			}
		}
	}
	switch cmd.Name {
	case "truncate", "gtruncate":
		a := programs.Read(cmd)
		if slices.ContainsFunc(a.Values("s size"), func(w assent.Word) bool { return w.Known && zero(w.Value) }) {
			all(a.Operands, write, func(w assent.Word, _ change) { f(w) })
		}
	case "cp", "gcp", "install":
		if a := programs.Read(cmd); len(a.Operands) == 2 && a.Word(0) == "/dev/null" {
			f(a.Operands[1])
		}
	case "dd":
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "if=/dev/null" }) {
			changed(cmd, func(w assent.Word, _ change) { f(w) })
		}
	}
}

// zero reports whether a size is none, not counted from what is there.
func zero(size string) bool { return strings.Trim(size, "0") == "" && size != "" }

// outputOf is what a command prints, if that is known from its words.
func outputOf(cmd assent.Command) (text string, known bool) {
	switch cmd.Name {
	case ":", "true", "false":
		return "", true
	case "cat":
		fed := slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<" && r.Target.Value == "/dev/null" })
		return "", len(cmd.Args) == 0 && fed || len(cmd.Args) == 1 && cmd.Args[0].Value == "/dev/null"
	case "echo":
		for len(cmd.Args) > 0 && slices.Contains([]string{"-n", "-e", "-ne", "-en"}, cmd.Args[0].Value) {
			cmd.Args = cmd.Args[1:]
		}
		return printedBy(cmd)
	case "printf":
		return printedBy(cmd)
	}
	return "", false
}
