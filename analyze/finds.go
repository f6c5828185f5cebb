package analyze

// find and fd: what they delete, and which files they write.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// findTests are conditions that let find pass over some of a tree.
var findTests = []string{"-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-newer", "-size", "-empty", "-user", "-perm", "-inum", "-links"}

// findWrites are actions of find whose value is a file that it writes.
var findWrites = []string{"-fprint", "-fprint0", "-fprintf", "-fls"}

// search is what a call of find asks for.
type search struct {
	roots    []assent.Word
	deletes  bool
	narrowed bool // by a condition: not everything is meant
}

func readFind(cmd assent.Command) search {
	if strings.HasPrefix(cmd.Name, "fd") {
		return readFd(cmd)
	}
	var s search
	for len(cmd.Args) > 0 && followsLinks(cmd.Args[0].Value) {
		n := 1
		if cmd.Args[0].Value == "-D" {
			n = min(2, len(cmd.Args))
		}
		cmd.Args = cmd.Args[n:]
	}
	for i, w := range cmd.Args {
		if i > 0 && slices.Contains(findTests, cmd.Args[i-1].Value) && cmd.Args[i-1].Value != "-empty" {
			continue // what a condition compares with
		}
		v := w.Value
		if len(s.roots) == i && (!w.Known || v == "" || v[0] != '-' && v != "!" && v != "(") {
			s.roots = cmd.Args[:i+1]
			continue
		}
		s.narrowed = s.narrowed || slices.Contains(findTests, v)
		s.deletes = s.deletes || v == "-delete"
	}
	if len(s.roots) == 0 {
		s.roots = []assent.Word{{Text: ".", Value: ".", Known: true}}
	}
	return s
}

// followsLinks reports whether an option of find stands before the places.
func followsLinks(v string) bool {
	return v == "-L" || v == "-H" || v == "-P" || v == "-D" || strings.HasPrefix(v, "-O")
}

// fdStarts are options of fd behind which a program stands.
var fdStarts = []string{"-x", "-X", "--exec", "--exec-batch"}

// readFd reads a call of fd: a pattern, the places, and what it starts.
func readFd(cmd assent.Command) search {
	var s search
	if i := slices.IndexFunc(cmd.Args, func(w assent.Word) bool { return slices.Contains(fdStarts, w.Value) }); i >= 0 {
		s.deletes = i+1 < len(cmd.Args) && slices.Contains(removers, path.Base(cmd.Args[i+1].Value))
		cmd.Args = cmd.Args[:i]
	}
	a := programs.Read(cmd)
	s.roots = append(a.Values("search-path base-directory C"), a.Operands[min(1, len(a.Operands)):]...)
	s.narrowed = len(a.Operands) > 0 && !slices.Contains([]string{".", "", "*", ".*", "^"}, a.Word(0)) ||
		len(a.Values("e extension S size changed-within changed-before o owner")) > 0
	if len(s.roots) == 0 {
		s.roots = []assent.Word{{Text: ".", Value: ".", Known: true}}
	}
	return s
}

// removers are programs that delete the files that they are given.
var removers = []string{"rm", "grm", "shred", "unlink"}

// feeds reports whether what a search finds is given to a program that deletes
// it, by xargs; narrowed, whether something stands between that may pass over it.
func feeds(c assent.Case, cmd assent.Command) (deletes, narrowed bool) {
	for _, o := range c.Commands {
		if cmd.Pipe == 0 || o.Pipe != cmd.Pipe || o.Stage <= cmd.Stage {
			continue
		}
		if slices.Contains(o.Via, "xargs") && slices.Contains(removers, o.Name) {
			deletes, narrowed = true, narrowed || o.Stage > cmd.Stage+1
		}
	}
	return deletes, narrowed
}

func findRemoval(c assent.Case, cmd assent.Command) []assent.Finding {
	s := readFind(cmd)
	deleting := s.deletes || slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return o.Span == cmd.Span && slices.Contains(o.Via, "find") && slices.Contains(removers, o.Name)
	})
	fed, narrowed := feeds(c, cmd)
	if !deleting && !fed {
		return nil
	}
	s.narrowed = s.narrowed || !deleting && narrowed
	var out []assent.Finding
	for _, w := range s.roots {
		full, known := where(cmd, w, c.Places)
		f := assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span}
		f.Note = "It deletes what it finds below " + shown(full, w) + "."
		switch {
		case known && vital(full, c.Places) && !s.narrowed:
			f.Code, f.Note = "fs.delete.root", "It deletes everything it finds below "+name(full, w, c.Places)+", which the system or its user cannot do without."
		case known && (temporary(full) || s.narrowed && slices.Contains(tempTrees, full)):
			f.Code, f.Note = "fs.delete.temp", "It deletes what it finds below "+full+", which is temporary."
		}
		out = append(out, f)
	}
	return out
}

// findOutputs calls f for every file that find writes.
func findOutputs(cmd assent.Command, f func(assent.Word, change)) {
	for i, w := range cmd.Args {
		if i > 0 && slices.Contains(findWrites, cmd.Args[i-1].Value) {
			f(w, write)
		}
	}
}
