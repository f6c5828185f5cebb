package analyze

// Which paths a command changes: by redirection, or by what its program does
// with its operands.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// change is what happens to a path.
type change int

const (
	write     change = iota // created, overwritten or appended to
	remove                  // deleted or moved away
	attribute               // its mode or owner changes
	createDir               // a directory is made
)

// changers say which operands of a program are changed.
var changers = []struct {
	prog string
	what string // all, last, rest (all but the first), inplace
	how  change
}{
	{"tee", "all", write}, {"sponge", "all", write}, {"touch", "all", write}, {"truncate", "all", write},
	{"cp", "last", write}, {"gcp", "last", write}, {"install", "last", write}, {"ln", "last", write},
	{"rsync", "last", write}, {"scp", "last", write}, {"mv", "last", write}, {"ditto", "last", write},
	{"rm", "all", remove}, {"unlink", "all", remove}, {"rmdir", "all", remove}, {"shred", "all", remove},
	{"chmod", "rest", attribute}, {"chown", "rest", attribute}, {"chgrp", "rest", attribute},
	{"chattr", "rest", attribute}, {"setfacl", "rest", attribute},
	{"sed", "inplace", write}, {"gsed", "inplace", write}, {"perl", "inplace", write}, {"ruby", "inplace", write},
	{"vi", "all", write}, {"vim", "all", write}, {"nvim", "all", write}, {"nano", "all", write}, {"emacs", "all", write}, {"ed", "all", write}, {"ex", "all", write},
	{"patch", "all", write}, {"mkdir", "all", createDir}, {"mkfifo", "all", write}, {"mknod", "all", write},
}

// outputs are options that name a file to be written.
var outputs = []struct{ prog, options string }{
	{"curl", "o output"}, {"wget", "O output-document"}, {"sort", "o output"},
	{"cp", "t target-directory"}, {"mv", "t target-directory"}, {"install", "t target-directory"}, {"ln", "t target-directory"},
	{"gpg", "o output"}, {"openssl", "out"}, {"gcc", "o"}, {"go", "o"},
}

// changed calls f for every path that a command changes.
func changed(cmd assent.Command, f func(assent.Word, change)) {
	for _, r := range cmd.Redirects {
		if writesTo(r) {
			f(r.Target, write)
		}
	}
	if cmd.Name == "dd" {
		for _, w := range cmd.Args {
			if v, ok := strings.CutPrefix(w.Value, "of="); ok {
				f(assent.Word{Text: w.Text, Value: v, Known: w.Known}, write)
			}
		}
		return
	}
	for _, o := range outputs {
		if o.prog == cmd.Name {
			for _, w := range programs.Read(cmd).Values(o.options) {
				if w.Value != "-" {
					f(w, write)
				}
			}
		}
	}
	for _, row := range changers {
		if row.prog == cmd.Name {
			operandsChanged(cmd, row.what, row.how, f)
			return
		}
	}
}

func writesTo(r assent.Redirect) bool {
	switch r.Op {
	case ">", ">>", ">|", "&>", "&>>", "<>":
		return true
	case ">&":
		return strings.Trim(r.Target.Value, "0123456789-") != "" || !r.Target.Known
	}
	return false
}

func operandsChanged(cmd assent.Command, what string, how change, f func(assent.Word, change)) {
	a := programs.Read(cmd)
	ops := a.Operands
	switch what {
	case "last":
		if len(a.Values("t target-directory")) > 0 || len(ops) < 2 && cmd.Name != "ln" {
			break
		}
		if len(ops) > 0 {
			f(ops[len(ops)-1], how)
			ops = ops[:len(ops)-1]
		}
	case "rest":
		ops = ops[min(1, len(ops)):]
		for _, w := range ops {
			f(w, how)
		}
	case "inplace":
		if !a.Option("-i --in-place") {
			return
		}
		if !a.Option("-e -f --expression --file") {
			ops = ops[min(1, len(ops)):]
		}
		for _, w := range ops {
			f(w, how)
		}
	default:
		for _, w := range ops {
			f(w, how)
		}
	}
	if cmd.Name == "mv" {
		for _, w := range ops {
			f(w, remove)
		}
	}
}

// talkers only print or keep the text of their arguments.
var talkers = []string{"echo", "printf", "true", "false", ":", "logger", "say", "cd", "pushd", "export", "set", "unset", "read", "alias", "which", "type", "man", "whereis", "command"}

func talks(cmd assent.Command) bool { return slices.Contains(talkers, cmd.Name) }
