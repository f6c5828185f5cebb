package analyze

// find and fd: what they delete, and which files they write.

import (
	"path"
	"slices"
	"strings"

	"assent"
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
	var s search
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
		if i > 0 && path.Base(v) == "rm" && slices.Contains([]string{"-x", "-X", "--exec", "--exec-batch"}, cmd.Args[i-1].Value) {
			s.deletes = true // fd
		}
	}
	if len(s.roots) == 0 || strings.HasPrefix(cmd.Name, "fd") {
		s.roots = []assent.Word{{Text: ".", Value: ".", Known: true}}
	}
	return s
}

func findRemoval(c assent.Case, cmd assent.Command) []assent.Finding {
	s := readFind(cmd)
	deleting := s.deletes || slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return o.Span == cmd.Span && slices.Contains(o.Via, "find") && slices.Contains([]string{"rm", "grm", "shred", "unlink"}, o.Name)
	})
	if !deleting {
		return nil
	}
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
