package analyze

// Retold: the same call in the words of the places that symbolic links lead to.
// Whoever reads or writes through a link touches what it leads to.

import (
	"io/fs"
	"os"
	"slices"
	"strings"

	"assent"
)

// throughLinks are the analyzers whose facts are about places that are named, and
// so hold for what links lead to as well. Deleting a link is not among them.
var throughLinks = []assent.Analyzer{secrets, persistence, agentConfig, self}

// maxRetold is how many words of a call are looked up.
const maxRetold = 64

// retold returns the facts of a call that only show when links are followed.
func retold(c assent.Case) []assent.Finding {
	other, led := alongLinks(c)
	if !led {
		return nil
	}
	other.Places = assent.Places{Home: followed(c.Places.Home), Assent: followed(c.Places.Assent)}
	var out []assent.Finding
	for _, a := range throughLinks {
		for _, f := range guarded(a, other) {
			same := func(have assent.Finding) bool { return have.Code == f.Code && have.Target == f.Target }
			if !slices.ContainsFunc(c.Findings, same) {
				f.Note += " A symbolic link leads there."
				out = append(out, f)
			}
		}
	}
	return out
}

// alongLinks returns the case with every path replaced by where its links lead,
// and whether any lead elsewhere.
func alongLinks(c assent.Case) (assent.Case, bool) {
	left, led := maxRetold, false
	follow := func(cmd assent.Command, w *assent.Word) {
		if left--; left >= 0 && w.Known {
			if real, ok := leadsTo(w.Value, cmd.Dir, c.Places); ok {
				w.Value, led = real, true
			}
		}
	}
	c.Commands = slices.Clone(c.Commands)
	for i := range c.Commands {
		cmd := &c.Commands[i]
		cmd.Args, cmd.Redirects = slices.Clone(cmd.Args), slices.Clone(cmd.Redirects)
		for k := range cmd.Args {
			follow(*cmd, &cmd.Args[k])
		}
		for k := range cmd.Redirects {
			if !strings.HasPrefix(cmd.Redirects[k].Op, "<<") {
				follow(*cmd, &cmd.Redirects[k].Target)
			}
		}
	}
	return c, led
}

// leadsTo follows the links of the path that a word names, also behind "x=" and
// "@". A word without a slash is looked up once, and only a link is followed.
func leadsTo(word, dir string, p assent.Places) (string, bool) {
	lead, name := "", word
	if before, after, ok := strings.Cut(word, "="); ok {
		lead, name = before+"=", after
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		lead, name = lead+"@", rest
	}
	full, known := absolute(name, dir, p)
	if name == "" || !known || strings.HasPrefix(name, "-") || strings.ContainsRune(name, 0) || assent.Under(full, "/proc/self") {
		return "", false // what is its own to a command is not what is ours
	}
	if !strings.Contains(name, "/") {
		if info, err := os.Lstat(full); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return "", false
		}
	}
	real := followed(full)
	return lead + real, real != full
}
