package analyze

// Links: where symbolic links lead what a command names.

import (
	"path"
	"slices"

	"assent"
)

// led returns the case's findings, with the true place of each whose target
// seems to lie in the working directory, or among what is temporary, and is led
// out of it by a symbolic link. The last part of a path is not followed: whoever
// deletes a link deletes no more than the link.
func led(c assent.Case) []assent.Finding {
	links := slices.ContainsFunc(c.Commands, func(cmd assent.Command) bool { return cmd.Name == "ln" || cmd.Name == "gln" })
	for i := range c.Findings {
		f := &c.Findings[i]
		if f.Code != "fs.delete.temp" && (f.Target == "" || f.Target == c.Dir) {
			continue
		}
		real, out := ledOut(f.Target, c.Dir)
		if out {
			f.Target, f.Note = real, f.Note+" A symbolic link leads there: it is "+real+"."
		}
		switch {
		case f.Code != "fs.delete.temp":
		case out && !temporary(real) && vital(real, c.Places):
			f.Code = "fs.delete.root"
		case out && !temporary(real):
			f.Code = "fs.delete"
		case links:
			f.Code, f.Note = "fs.delete", f.Note+" The same call makes links, so it may lie elsewhere."
		}
	}
	return c.Findings
}

// ledOut returns where a path truly lies, and whether that is outside of the
// directories that its words lie in.
func ledOut(full, dir string) (string, bool) {
	for _, d := range append([]string{dir}, tempTrees...) {
		if full == d || !assent.Under(full, d) {
			continue
		}
		if real := path.Join(followed(path.Dir(full)), path.Base(full)); !assent.Under(real, followed(d)) {
			return real, true
		}
	}
	return full, false
}
