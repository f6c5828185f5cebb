package analyze

// What is deleted: trees, and what a machine or a person cannot do without.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var deletes = assent.Analyzer{
	Name:  "deletes",
	Doc:   "Says which directory trees and files a command deletes.",
	Codes: []string{"fs.delete", "fs.delete.root", "fs.delete.temp", "fs.remove"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			switch cmd.Name {
			case "rm", "grm", "srm", "rimraf", "trash", "unlink", "rmdir", "shred":
				out = append(out, removal(c, cmd)...)
			case "find", "gfind", "fd", "fdfind":
				out = append(out, findRemoval(c, cmd)...)
			case "rsync":
				out = append(out, mirror(c, cmd)...)
			case "mv":
				out = append(out, moved(c, cmd)...)
			}
		})
		return out
	},
}

// systemTrees are directories without which a machine does not work, or that
// hold everybody's data.
var systemTrees = []string{
	"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/sbin",
	"/srv", "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/usr/sbin", "/usr/share", "/var", "/var/lib", "/mnt", "/media", "/run",
	"/Applications", "/Library", "/System", "/Users", "/Volumes", "/private", "/private/etc", "/private/var", "/cores",
}

// tempTrees hold what may be thrown away.
var tempTrees = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"}

// everything are globs that match all that a directory holds.
var everything = []string{"*", "**", ".*", "?*", "*.*", ".??*", ".[!.]*", ".[^.]*", "[!.]*", "..?*", "*?", "***"}

// vital reports whether deleting full would destroy the machine or a home.
func vital(full string, p assent.Places) bool {
	for full != "/" && full != "." && slices.Contains(everything, path.Base(full)) {
		full = path.Dir(full)
	}
	if full == home(p) || full == "~" {
		return true
	}
	for _, tree := range systemTrees {
		if full == tree || hasGlob(full) && strings.Count(full, "/") == strings.Count(tree, "/") && tree != "/" && begins(full, tree) {
			return true
		}
	}
	return false
}

func temporary(full string) bool {
	for _, t := range tempTrees {
		if full != t && assent.Under(full, t) && !slices.Contains(everything, path.Base(full)) {
			return true
		}
	}
	return strings.HasPrefix(full, "/var/folders/") && strings.Count(full, "/") > 5
}

func removal(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	if a.Option("--help --version") {
		return nil
	}
	tree := a.Option("-r -R --recursive") || cmd.Name == "rimraf"
	hard := a.Option("-f --force") || cmd.Name == "shred" || cmd.Name == "srm"
	var out []assent.Finding
	for _, w := range a.Operands {
		if !w.Known && w.Text == "{}" && slices.Contains(cmd.Via, "find") {
			continue // a fact about find
		}
		full, known := where(cmd, w, c.Places)
		f := assent.Finding{By: "deletes", Target: full, Span: cmd.Span}
		switch {
		case cmd.Name == "shred" && isDevice(w, cmd, c.Places):
			continue // a fact of its own
		case known && vital(full, c.Places) && (tree || hard || hasGlob(w.Value)):
			f.Code, f.Note = "fs.delete.root", "It deletes "+name(full)+", which the system or its user cannot do without."
		case known && temporary(full):
			f.Code, f.Note = "fs.delete.temp", "It deletes "+full+", which is temporary."
		case tree && known:
			f.Code, f.Note = "fs.delete", "It deletes "+name(full)+" and everything below it."
		case tree && w.Text == "{}":
			f.Code, f.Note = "fs.delete", "It deletes whole directory trees that are only named when the command runs."
		case tree:
			f.Code, f.Note, f.Target = "fs.delete", "It deletes a directory tree whose name "+w.Text+" is only known when the command runs.", ""
		case hard && known && !hasGlob(w.Value) && cmd.Name == "rm":
			f.Code, f.Note = "fs.remove", "It deletes the file "+full+"."
		case hard || w.Text == "{}" && slices.Contains(cmd.Via, "xargs"):
			f.Code, f.Note = "fs.delete", "It deletes files without asking: "+shown(full, w)+"."
		case hasGlob(w.Value):
			f.Code, f.Note = "fs.delete", "It deletes every file that matches "+shown(full, w)+"."
		default:
			f.Code, f.Note = "fs.remove", "It deletes "+shown(full, w)+"."
		}
		out = append(out, f)
	}
	return out
}

func name(full string) string {
	if full == "/" {
		return "the root directory /"
	}
	return full
}

func shown(full string, w assent.Word) string {
	if full == "" {
		return w.Text
	}
	return full
}

// findTests are conditions that let find pass over some of a tree.
var findTests = []string{"-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-newer", "-size", "-empty", "-user", "-perm", "-inum", "-links"}

func findRemoval(c assent.Case, cmd assent.Command) []assent.Finding {
	starts, deleting, narrowed := 0, false, false
	for i, w := range cmd.Args {
		if i > 0 && slices.Contains(findTests, cmd.Args[i-1].Value) && cmd.Args[i-1].Value != "-empty" {
			continue // what a condition compares with
		}
		v := w.Value
		if starts == i && (!w.Known || v == "" || v[0] != '-' && v != "!" && v != "(") {
			starts++
			continue
		}
		narrowed = narrowed || slices.Contains(findTests, v)
		deleting = deleting || v == "-delete"
		if i > 0 && path.Base(v) == "rm" && slices.Contains([]string{"-x", "-X", "--exec", "--exec-batch"}, cmd.Args[i-1].Value) {
			deleting = true // fd
		}
	}
	deleting = deleting || slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return o.Span == cmd.Span && slices.Contains(o.Via, "find") && slices.Contains([]string{"rm", "grm", "shred", "unlink"}, o.Name)
	})
	if !deleting {
		return nil
	}
	roots := cmd.Args[:starts]
	if len(roots) == 0 || strings.HasPrefix(cmd.Name, "fd") {
		roots = []assent.Word{{Text: ".", Value: ".", Known: true}}
	}
	var out []assent.Finding
	for _, w := range roots {
		full, known := where(cmd, w, c.Places)
		f := assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span}
		f.Note = "It deletes what it finds below " + shown(full, w) + "."
		switch {
		case known && vital(full, c.Places) && !narrowed:
			f.Code, f.Note = "fs.delete.root", "It deletes everything it finds below "+name(full)+", which the system or its user cannot do without."
		case known && (temporary(full) || slices.Contains(tempTrees, full)):
			f.Code, f.Note = "fs.delete.temp", "It deletes what it finds below "+full+", which is temporary."
		}
		out = append(out, f)
	}
	return out
}

func mirror(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	deleting := false
	for _, o := range a.Options {
		deleting = deleting || strings.HasPrefix(o.Name, "delete") || o.Name == "del" || o.Name == "remove-source-files"
	}
	if !deleting || len(a.Operands) == 0 || a.Option("-n --dry-run") {
		return nil
	}
	last := a.Operands[len(a.Operands)-1]
	full, known := where(cmd, last, c.Places)
	f := assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span, Note: "It deletes in " + shown(full, last) + " what the source does not have."}
	if known && vital(full, c.Places) {
		f.Code = "fs.delete.root"
	}
	return []assent.Finding{f}
}

// moved finds what a move takes away for good.
func moved(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	var out []assent.Finding
	for i, w := range a.Operands {
		full, known := where(cmd, w, c.Places)
		last := i == len(a.Operands)-1
		switch {
		case known && !last && vital(full, c.Places) && !slices.Contains(everything, path.Base(full)):
			out = append(out, assent.Finding{By: "deletes", Code: "fs.delete.root", Target: full, Span: cmd.Span, Note: "It moves " + name(full) + " away, which the system or its user cannot do without."})
		case last && full == "/dev/null":
			out = append(out, assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span, Note: "It moves files over /dev/null, which loses them."})
		}
	}
	return out
}
