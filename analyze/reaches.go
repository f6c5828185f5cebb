package analyze

// The paths by which a command reaches into assent's home: whole words, parts of
// words, ways through /proc, and what is only searched for.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// reached calls f for the words of a command that reach into assent's home.
func (g gate) reached(cmd assent.Command, f func(full string, w assent.Word)) {
	for _, r := range cmd.Redirects {
		if full := g.path(cmd, r.Target); !strings.HasPrefix(r.Op, "<<") && g.holds(full) {
			f(full, r.Target)
		}
	}
	if talks(cmd) {
		return
	}
	for _, w := range files(cmd) {
		if full := g.path(cmd, w); g.holds(full) {
			f(full, w)
		} else if full := g.part(cmd, w); full != "" {
			f(full, w)
		}
	}
	if full, w := g.beside(cmd); full != "" {
		f(full, w)
	}
	if w, ok := g.sought(cmd); ok {
		f(g.homes[0], w)
	}
}

// files are the arguments of a command but for the pattern that it looks for in texts.
func files(cmd assent.Command) []assent.Word {
	if !slices.Contains([]string{"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"}, cmd.Name) {
		return cmd.Args
	}
	a := programs.Read(cmd)
	if len(a.Operands) == 0 || a.Option("-e --regexp -f --file --files") {
		return cmd.Args
	}
	return append(a.Values("f file exclude-from"), a.Operands[1:]...)
}

// path is what a word names, also behind "--option=", "of=", "name:" and "@".
// It may have "*" in it; empty when it names no path that is absolute.
func (g gate) path(cmd assent.Command, w assent.Word) string {
	v := likely(w)
	if _, after, ok := strings.Cut(v, "="); ok {
		v = after
	}
	v = strings.TrimPrefix(strings.TrimPrefix(v, "@"), "file://")
	if kind, after, ok := strings.Cut(v, ":"); ok && strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") == "" {
		v, _, _ = strings.Cut(after, ",") // socat's ends
	}
	if v == "" || v[0] == '*' {
		return ""
	}
	full, ok := absolute(v, cmd.Dir, g.places)
	if !ok {
		return ""
	}
	return unrooted(full, cmd.Dir)
}

// unrooted is where a path leads that goes through the root or the directory of a
// process: that of another process is taken for the machine's.
func unrooted(full, dir string) string {
	rest, ok := strings.CutPrefix(full, "/proc/")
	if !ok {
		return full
	}
	process, rest, _ := strings.Cut(rest, "/")
	switch way, rest, _ := strings.Cut(rest, "/"); {
	case way == "task":
		_, rest, _ = strings.Cut(rest, "/")
		return unrooted("/proc/"+process+"/"+rest, dir)
	case way == "root":
		return unrooted("/"+rest, dir)
	case way == "cwd" && dir != "" && (process == "self" || process == "thread-self"):
		return path.Join(dir, rest)
	}
	return full
}

// distant name files of other machines with a colon.
var distant = []string{"scp", "rsync", "sftp", "rclone", "git"}

// part is a path in assent's home that stands in a word between others, as in
// "/a:/b", "unix-connect:/a,x" and "file:/a?mode=ro".
func (g gate) part(cmd assent.Command, w assent.Word) string {
	v := likely(w)
	if !strings.Contains(v, path.Base(g.homes[0])) || slices.Contains(distant, cmd.Name) {
		return ""
	}
	for v != "" {
		i := strings.IndexAny(v, ":,=?@")
		if i < 0 {
			i = len(v)
		}
		one := v[:i]
		v = v[min(len(v), i+1):]
		if !strings.HasPrefix(one, "/") && !strings.HasPrefix(one, "~/") {
			continue
		}
		if full, _ := absolute(one, "", g.places); g.holds(unrooted(full, "")) {
			return full
		}
	}
	return ""
}

// beside is an operand that lies in assent's home because an option has the command
// start from elsewhere: tar -C ~ -cf - .assent.
func (g gate) beside(cmd assent.Command) (string, assent.Word) {
	if !slices.Contains(packers, cmd.Name) {
		return "", assent.Word{}
	}
	a := programs.Read(cmd)
	for _, dir := range a.Values("C directory") {
		from := near(cmd, dir, g.places)
		for _, w := range a.Operands {
			if full, _ := absolute(likely(w), from, g.places); from != "" && g.holds(full) {
				return full, w
			}
		}
	}
	return "", assent.Word{}
}

// homeFiles are what lies in assent's home and nowhere else.
var homeFiles = []string{"assent.key", "assent.db", "assent.sock", "hold.sock", "grant.sock", "audit.sock"}

// sought returns the pattern by which a search above assent's home would find what
// lies in it.
func (g gate) sought(cmd assent.Command) (assent.Word, bool) {
	if cmd.Name != "find" && cmd.Name != "gfind" && cmd.Name != "bfs" {
		return assent.Word{}, false
	}
	above, name := false, -1
	for i, w := range cmd.Args {
		switch v := w.Value; {
		case v == "-prune" || v == "!" || v == "-not":
			return assent.Word{}, false
		case i > 0 && slices.Contains([]string{"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"}, cmd.Args[i-1].Value):
			if strings.Contains(v, path.Base(g.homes[0])) || slices.ContainsFunc(homeFiles, func(k string) bool { return names(v, k) }) {
				name = i
			}
		case !strings.HasPrefix(v, "-"):
			above = above || g.encloses(near(cmd, w, g.places))
		}
	}
	if !above || name < 0 {
		return assent.Word{}, false
	}
	return cmd.Args[name], true
}

// names reports whether a pattern is meant for a name: it begins as the name does.
func names(pattern, name string) bool {
	base := path.Base(pattern)
	if !literal(base) {
		return false
	}
	ok, err := path.Match(base, name)
	return err == nil && ok
}
