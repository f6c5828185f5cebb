package rules

// Links: where the paths of words lie when symbolic links are followed.

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is how many words of a command are looked up. Of those after them it is
// not known where they lead.
const maxLinks = 256

// elsewhere returns where a target lies besides where its words say, because a
// link stands on the way; false: nowhere.
func (p *part) elsewhere(t target, text string) (target, bool) {
	if !t.known || !path.IsAbs(t.path) {
		return target{}, false
	}
	if p.links++; p.links > maxLinks {
		t.path, t.known = "", false
		return t, true
	}
	full := text
	if !path.IsAbs(full) {
		full = p.cmd.Dir + "/" + full // not cleaned: x/.. is not here when x is a link
	}
	real, known := followed(full)
	if real = p.spelt(real); known && real == t.path {
		return target{}, false
	}
	t.path, t.known, t.guess = real, known, t.guess && known && p.inside(real)
	return t, true
}

// inside reports whether a path lies in the directory of the call.
func (p *part) inside(full string) bool {
	return path.IsAbs(p.c.Dir) && (full == p.c.Dir || strings.HasPrefix(full, strings.TrimSuffix(p.c.Dir, "/")+"/"))
}

// spot is where a directory lies when links are followed, with a slash behind.
type spot struct {
	path  string
	known bool
}

// spelt writes a path as the directory of the call and the home are written, which
// may be links themselves.
func (p *part) spelt(full string) string {
	dirs := []string{p.c.Dir, p.c.Places.Home}
	if p.real == nil {
		for _, dir := range dirs {
			real, ok := "", path.IsAbs(dir)
			if ok {
				real, ok = followed(dir)
			}
			p.real = append(p.real, spot{strings.TrimSuffix(real, "/") + "/", ok})
		}
	}
	for i, dir := range dirs {
		if rest, inside := strings.CutPrefix(full+"/", p.real[i].path); p.real[i].known && inside {
			return path.Join(dir, rest)
		}
	}
	return full
}

// followed resolves the links of as much of a path as exists. False: a link leads
// to what does not exist.
func followed(full string) (string, bool) {
	end := 0
	for i := 1; i <= len(full); i++ {
		if i < len(full) && full[i] != '/' {
			continue
		}
		if _, err := os.Lstat(full[:i]); err != nil {
			break
		}
		end = i
	}
	real, err := filepath.EvalSymlinks(full[:max(end, 1)])
	if err != nil {
		return path.Clean(full), false
	}
	return path.Join(real, full[end:]), true
}
