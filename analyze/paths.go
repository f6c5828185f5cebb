package analyze

// Paths: absolute, cleaned, compared by component.

import (
	"path"
	"path/filepath"
	"strings"

	"assent"
)

// home is the user's home as it stands in words: "~" when it is not known.
func home(p assent.Places) string {
	if p.Home == "" {
		return "~"
	}
	return path.Clean(p.Home)
}

// absolute cleans a path that is meant from dir. It reports false, and returns
// what there is, when the result is not absolute. A "~" that no shell has
// expanded is the home as well: many programs expand it, and people mean it.
func absolute(text, dir string, p assent.Places) (string, bool) {
	switch {
	case strings.HasPrefix(text, "/"):
		return path.Clean(text), true
	case text == "~" || strings.HasPrefix(text, "~/"):
		return path.Clean(home(p) + text[1:]), true
	}
	if dir == "" {
		return path.Clean(text), false
	}
	return path.Join(dir, text), true
}

// where is the path that a command's word names.
func where(c assent.Command, w assent.Word, p assent.Places) (string, bool) {
	if !w.Known || w.Value == "" {
		return "", false
	}
	return absolute(w.Value, c.Dir, p)
}

// settled is the path that a file tool would reach: absolute, and with the
// links of its existing parents followed. What lies in the home is spelt as the
// home is, even when that is a link itself. Many tools take ~ for the home, as
// shells do.
func settled(text, dir string, p assent.Places) string {
	if text = whole(text, dir, p); !path.IsAbs(text) {
		return path.Clean(text)
	}
	full := followed(text)
	if p.Home == "" {
		return full
	}
	if rest, ok := strings.CutPrefix(full+"/", followed(p.Home)+"/"); ok {
		return path.Join(home(p), rest)
	}
	return full
}

// asWritten is that path as it is written, whatever links are on its way.
func asWritten(text, dir string, p assent.Places) string { return path.Clean(whole(text, dir, p)) }

// whole is a path with the home and the directory that it is in. It is not cleaned:
// x/.. is not here when x is a link.
func whole(text, dir string, p assent.Places) string {
	switch {
	case text == "~" || strings.HasPrefix(text, "~/"):
		return home(p) + text[1:]
	case !path.IsAbs(text) && dir != "":
		return dir + "/" + text
	}
	return text
}

// maxPath is the length in bytes from which on no system takes a path.
const maxPath = 4096

// followed resolves the symbolic links of the longest part of a path that
// exists. A path that cannot be looked up is only cleaned.
func followed(full string) string {
	end := len(full)
	if end > maxPath {
		end = strings.LastIndexByte(full[:maxPath], '/')
	}
	for ; end > 0; end = strings.LastIndexByte(full[:end], '/') {
		if real, err := filepath.EvalSymlinks(full[:end]); err == nil {
			return path.Join(real, full[end:])
		}
	}
	return path.Clean(full)
}
