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
// what there is, when the result is not absolute.
func absolute(text, dir string, p assent.Places) (string, bool) {
	switch {
	case strings.HasPrefix(text, "/"):
		return path.Clean(text), true
	case text == "~" || strings.HasPrefix(text, "~/"):
		if p.Home == "" || dir == "" {
			return path.Clean(home(p) + text[1:]), true
		}
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
	switch {
	case text == "~" || strings.HasPrefix(text, "~/"):
		text = home(p) + text[1:]
	case !path.IsAbs(text) && dir != "":
		text = dir + "/" + text // not cleaned: x/.. is not here when x is a link
	}
	if !path.IsAbs(text) {
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

// followed resolves the symbolic links of the longest part of a path that
// exists. A path that cannot be looked up is only cleaned.
func followed(full string) string {
	for end := len(full); end > 0; end = strings.LastIndexByte(full[:end], '/') {
		if real, err := filepath.EvalSymlinks(full[:end]); err == nil {
			return path.Join(real, full[end:])
		}
	}
	return path.Clean(full)
}

func hasGlob(s string) bool {
	for i := range len(s) {
		if s[i] == '*' || s[i] == '?' || s[i] == '[' {
			return true
		}
	}
	return false
}

// literal reports whether a component begins with a byte that stands for itself.
func literal(s string) bool {
	return s != "" && s[0] != '*' && s[0] != '?' && s[0] != '[' && s[0] != '\\'
}

// matches reports whether the component a of a path, which may be a glob, can
// name the component b of a spot, which may be one as well.
func matches(a, b string) bool {
	if a == b {
		return true
	}
	if literal(a) && literal(b) && a[0] != b[0] {
		return false // nearly all end here
	}
	if hasGlob(b) {
		if ok, err := path.Match(b, a); err == nil && ok {
			return true
		}
	}
	if !hasGlob(a) || isWild(a[:1]) && (len(a) == 1 || strings.HasPrefix(b, ".")) {
		return false // a leading * does not reach hidden files
	}
	ok, err := path.Match(a, b)
	return err == nil && ok
}

func isWild(s string) bool { return s == "*" || s == "?" || s == "[" }

// spot is a place on the disk: "/etc/cron.d" from the root, "~/.ssh" from any
// home, ".git/hooks" anywhere. Whatever lies below it belongs to it.
type spot string

// homes returns what of full lies below somebody's home.
func homes(full string, p assent.Places) (string, bool) {
	for _, h := range [...]string{home(p), "/root", "~"} {
		if rest, ok := strings.CutPrefix(full, h+"/"); ok {
			return rest, true
		}
	}
	for _, h := range [...]string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(full, h); ok {
			_, rest, ok = strings.Cut(rest, "/")
			return rest, ok
		}
	}
	return "", false
}

// holds reports whether full is the spot or lies below it.
func (s spot) holds(full string, p assent.Places) bool {
	want := string(s)
	switch {
	case strings.HasPrefix(want, "~/"):
		rest, ok := homes(full, p)
		return ok && begins(rest, want[2:])
	case strings.HasPrefix(want, "/"):
		return begins(strings.TrimPrefix(full, "/private"), want)
	}
	for rest := full; ; {
		if begins(rest, want) {
			return true
		}
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
}

// begins reports whether the first components of full are those of want.
func begins(full, want string) bool {
	for {
		a, fullRest, fullMore := strings.Cut(full, "/")
		b, wantRest, wantMore := strings.Cut(want, "/")
		if !matches(a, b) {
			return false
		}
		if !wantMore {
			return true
		}
		if !fullMore {
			return false
		}
		full, want = fullRest, wantRest
	}
}

func anySpot(spots []spot, full string, p assent.Places) bool {
	for _, s := range spots {
		if s.holds(full, p) {
			return true
		}
	}
	return false
}
