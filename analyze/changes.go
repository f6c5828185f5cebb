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
	unpack                  // an archive is unpacked into it
	alias                   // it gets another name, under which it can be changed
)

// changer says which operands of a program are changed: all, the last, the
// second, the rest (all but the first), or those that it edits in place.
func changer(program string) (what string, how change) {
	switch program {
	case "tee", "sponge", "touch", "truncate", "fallocate", "objcopy", "strip", "patchelf", "chrpath", "elfedit", "install_name_tool", "codesign",
		"vi", "vim", "nvim", "nano", "emacs", "ed", "ex", "patch", "mkfifo", "mknod":
		return "all", write
	case "cp", "gcp", "install", "ln", "link", "rsync", "scp", "mv", "ditto":
		return "last", write
	case "uniq", "xxd":
		return "second", write
	case "rm", "unlink", "rmdir", "shred", "trash", "rimraf", "srm":
		return "all", remove
	case "chmod", "chown", "chgrp", "chattr", "chflags", "setfacl", "setcap":
		return "rest", attribute
	case "sed", "gsed", "perl", "ruby":
		return "inplace", write
	case "mkdir":
		return "all", createDir
	}
	return "", write
}

// outputs are options of a program that name a file to be written.
func outputs(program string) string {
	switch program {
	case "curl":
		return "o output c cookie-jar D dump-header trace trace-ascii stderr"
	case "wget":
		return "O output-document o output-file a append-output"
	case "cp", "mv", "install", "ln":
		return "t target-directory"
	case "sort", "shuf", "gpg", "xmllint", "iconv", "pandoc", "strace", "time":
		return "o output"
	case "openssl":
		return "out"
	case "gcc", "go":
		return "o"
	case "ssh-keygen":
		return "f"
	case "cpio":
		return "O"
	}
	return ""
}

// changed calls f for every path that a command changes.
func changed(cmd assent.Command, f func(assent.Word, change)) {
	for _, r := range cmd.Redirects {
		if writesTo(r) {
			f(r.Target, write)
		}
	}
	switch cmd.Name {
	case "dd":
		for _, w := range cmd.Args {
			if v, ok := strings.CutPrefix(w.Value, "of="); ok {
				f(assent.Word{Text: strings.TrimPrefix(w.Text, "of="), Value: v, Known: w.Known}, write)
			}
		}
		return
	case "find", "gfind":
		findOutputs(cmd, f)
		return
	case "tar", "bsdtar", "gtar", "unzip", "7z", "7za", "7zz", "cpio", "unrar", "pax":
		unpacked(cmd, func(w assent.Word) { f(w, unpack) })
	}
	options := outputs(cmd.Name)
	what, how := changer(cmd.Name)
	if options == "" && what == "" || onlyLooks(cmd) {
		return // chrpath -l
	}
	if options != "" {
		for _, w := range programs.Read(cmd).Values(options) {
			if w.Value != "-" || !w.Known {
				f(w, write)
			}
		}
	}
	if what != "" {
		operandsChanged(cmd, what, how, f)
	}
}

func writesTo(r assent.Redirect) bool {
	switch r.Op {
	case ">", ">>", ">|", "&>", "&>>", "<>":
		return true
	case ">&":
		return strings.Trim(r.Target.Value, "0123456789-") != "" || !r.Target.Known && !strings.HasPrefix(r.Target.Text, "$")
	}
	return false
}

func operandsChanged(cmd assent.Command, what string, how change, f func(assent.Word, change)) {
	a := programs.Read(cmd)
	if a.Option("--help --version") {
		return
	}
	ops := a.Operands
	switch what {
	case "last":
		ops = lastChanged(cmd, a, how, f)
	case "second":
		if len(ops) > 1 {
			f(ops[1], how)
		}
	case "rest":
		if cmd.Name != "chmod" || !modeOption(a) {
			ops = ops[min(1, len(ops)):]
		}
		all(ops, how, f)
	case "inplace":
		if !a.Option("-i --in-place") {
			return
		}
		if !a.Option("-e -f --expression --file") {
			ops = ops[min(1, len(ops)):]
		}
		all(ops, how, f)
	default:
		all(ops, how, f)
	}
	switch cmd.Name {
	case "mv":
		all(ops, remove, f)
	case "ln", "link":
		all(ops, alias, f)
	}
}

// modeOption reports whether a mode stands where options do: chmod -x file.
func modeOption(a programs.Arguments) bool {
	return slices.ContainsFunc(a.Options, func(o programs.Option) bool {
		return len(o.Name) == 1 && strings.Contains("rwxXst", o.Name)
	})
}

func all(ops []assent.Word, how change, f func(assent.Word, change)) {
	for _, w := range ops {
		f(w, how)
	}
}

// lastChanged calls f for the operand to which the others are copied, and
// returns the others.
func lastChanged(cmd assent.Command, a programs.Arguments, how change, f func(assent.Word, change)) []assent.Word {
	ops := a.Operands
	if len(ops) == 0 || len(a.Values("t target-directory")) > 0 || len(ops) < 2 && cmd.Name != "ln" {
		return ops
	}
	last := ops[len(ops)-1]
	if _, far := remote(last); !far || cmd.Name != "scp" && cmd.Name != "rsync" {
		f(last, how)
	}
	return ops[:len(ops)-1]
}

// talkers only print or keep the text of their arguments.
var talkers = []string{"echo", "printf", "true", "false", ":", "logger", "say", "cd", "pushd", "export", "declare", "local", "readonly", "typeset", "set", "unset", "read", "alias", "which", "type", "man", "whereis", "command"}

func talks(cmd assent.Command) bool { return slices.Contains(talkers, cmd.Name) }
