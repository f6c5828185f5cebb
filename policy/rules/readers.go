package rules

// Readers: programs that take in all that lies below a directory.

import (
	"slices"

	"assent"
)

// carriers take whole directories along. Of searchers and greps the first operand
// is what is looked for; the latter go down only when told to. Finders hand on
// what they find.
var (
	carriers  = []string{"tar", "bsdtar", "gtar", "zip", "7z", "7za", "7zz", "rar", "pax", "rsync", "rclone", "scp", "sftp", "cp", "gcp", "ditto", "mv", "gmv", "restic", "borg", "mksquashfs"}
	searchers = []string{"rg", "ag", "ack", "ack-grep", "ugrep", "pt", "sift"}
	greps     = []string{"grep", "egrep", "fgrep", "ggrep", "zgrep", "rgrep", "pcregrep", "pcre2grep"}
	finders   = []string{"find", "gfind", "bfs", "fd", "fdfind"}
)

// descent says which arguments of a command are directories that are read to
// their ground. here: so is the one that it runs in, which it need not name.
func (p *part) descent(operands map[assent.Word]bool) (deep []bool, here bool) {
	name, args := p.cmd.Name, p.cmd.Args
	skip := 1 // operands that name no place
	switch {
	case slices.Contains(carriers, name), name == "diff" && anyOption(args, "-r", "--recursive"):
		return slices.Repeat([]bool{true}, len(args)), false
	case slices.Contains(finders, name) && p.handsOn():
		if name[0] != 'f' || name == "find" {
			return p.starts()
		}
	case slices.Contains(searchers, name), name == "rgrep":
	case slices.Contains(greps, name) && anyOption(args, "-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories=recurse"):
	case name == "git" && anyArgument("grep", args):
		skip = 2
	default:
		return nil, false
	}
	if anyOption(args, "-e", "--regexp", "-f", "--file", "--files") {
		skip--
	}
	deep = make([]bool, len(args))
	for i, w := range args {
		if operands[w] {
			skip--
		}
		deep[i] = operands[w] && skip < 0 || i > 0 && name == "git" && args[i-1].Value == "-C"
	}
	return deep, skip >= 0
}

func anyOption(args []assent.Word, options ...string) bool {
	return slices.ContainsFunc(options, func(o string) bool { return optionGiven(o, args) })
}

// starts are the directories that find begins in: the words before its tests.
func (p *part) starts() (deep []bool, here bool) {
	deep, here = make([]bool, len(p.cmd.Args)), true
	for i, w := range p.cmd.Args {
		switch {
		case slices.Contains([]string{"-H", "-L", "-P"}, w.Value):
			continue
		case dashed(w.Value) || w.Value == "(" || w.Value == "!":
			return deep, here
		}
		deep[i], here = true, false
	}
	return deep, here
}

// handsOn reports whether what a finder finds is given to another command.
func (p *part) handsOn() bool {
	starting := []string{"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"}
	if slices.ContainsFunc(p.cmd.Args, func(w assent.Word) bool { return slices.Contains(starting, w.Value) }) {
		return true
	}
	return p.cmd.Pipe != 0 && slices.ContainsFunc(p.c.Commands, func(o assent.Command) bool {
		taking := slices.Contains(o.Via, "xargs") || slices.Contains(o.Via, "parallel") || slices.Contains([]string{"cpio", "tar", "xargs", "parallel"}, o.Name)
		return taking && o.Pipe == p.cmd.Pipe && o.Stage > p.cmd.Stage
	})
}
