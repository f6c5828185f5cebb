package analyze

// Spots: places on the disk that facts speak of, and the paths that belong to them.

import (
	"path"
	"slices"
	"strings"
	"sync"

	"assent"
)

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
	if before, after, ok := strings.Cut(b, "*"); ok && !hasGlob(after) && !hasGlob(before) && !hasGlob(a) {
		return len(a) >= len(before)+len(after) && strings.HasPrefix(a, before) && strings.HasSuffix(a, after)
	}
	if hasGlob(b) {
		if ok, err := path.Match(b, a); err == nil && ok {
			return true
		}
		if literal(a) && len(a) < 40 && strings.Count(a, "*") < 3 && hasGlob(a) && meet(a, b) {
			return true
		}
	}
	if !hasGlob(a) || isWild(a[:1]) && (len(a) == 1 || strings.HasPrefix(b, ".")) {
		return false // a leading * does not reach hidden files
	}
	ok, err := path.Match(a, b)
	return err == nil && ok
}

// meet reports whether some name fits both of two patterns of "*" and "?".
func meet(a, b string) bool {
	switch {
	case a == "" && b == "":
		return true
	case a != "" && a[0] == '*':
		return meet(a[1:], b) || b != "" && meet(a, b[1:])
	case b != "" && b[0] == '*':
		return meet(a, b[1:]) || a != "" && meet(a[1:], b)
	case a == "" || b == "":
		return false
	}
	return (a[0] == b[0] || a[0] == '?' || b[0] == '?') && meet(a[1:], b[1:])
}

func isWild(s string) bool { return s == "*" || s == "?" || s == "[" }

// spots are places on the disk: "/etc/cron.d" from the root, "~/.ssh" from any
// home, ".git/hooks" anywhere. Whatever lies below them belongs to them.
//
// They are sorted when they are first looked at: most processes that hold them, such as
// an agent's hook that asks a server, never look.
type spots struct {
	all    []string
	sorted func() *places
}

// places are spots by where they begin.
type places struct{ home, root, free sorted }

// sorted are spots by the byte with which they begin; at 0 those that begin
// with any.
type sorted [256][]string

func at(list ...string) *spots {
	return &spots{list, sync.OnceValue(func() *places {
		s := &places{}
		for _, p := range list {
			switch {
			case strings.HasPrefix(p, "~/"):
				s.home.add(p[2:])
			case p[0] == '/':
				s.root.add(p[1:])
			default:
				s.free.add(p)
			}
		}
		return s
	})}
}

func (s *sorted) add(p string) {
	i := byte(0)
	if literal(p) {
		i = p[0]
	}
	s[i] = append(s[i], p)
}

// begin reports whether path begins with the components of one of the spots.
func (s *sorted) begin(path string) bool {
	begins := func(p string) bool { return begins(path, p) }
	if literal(path) {
		return slices.ContainsFunc(s[path[0]], begins) || slices.ContainsFunc(s[0], begins)
	}
	return path != "" && slices.ContainsFunc(s[:], func(some []string) bool { return slices.ContainsFunc(some, begins) })
}

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

// anySpot reports whether full is one of the spots, or lies below one. A
// pattern such as *.log is not meant for one file that ends so.
func anySpot(all *spots, full string, p assent.Places) bool {
	spots := all.sorted()
	if rest, ok := homes(full, p); ok && spots.home.begin(rest) {
		return true
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(full, "/private"), "/"); ok && spots.root.begin(rest) {
		return true
	}
	for rest, more := full, full != ""; more; {
		if rest == "" || !isWild(rest[:1]) {
			if spots.free.begin(rest) {
				return true
			}
		} else if slices.ContainsFunc(spots.free[0], func(p string) bool { return begins(rest, p) }) {
			return true
		}
		_, rest, more = strings.Cut(rest, "/")
	}
	return false
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
