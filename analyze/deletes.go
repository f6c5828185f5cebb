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
			if windowsTree(cmd) {
				f := assent.Finding{By: "deletes", Code: "fs.delete", Span: cmd.Span, Note: "It deletes whole directory trees, as it is written for Windows."}
				if i := slices.IndexFunc(cmd.Args, windowsVital); i >= 0 {
					f.Code, f.Target = "fs.delete.root", cmd.Args[i].Value
				}
				out = append(out, f)
				return
			}
			switch cmd.Name {
			case "rm", "grm", "srm", "rimraf", "trash", "unlink", "rmdir", "shred", "del-cli", "wipe":
				out = append(out, removal(c, cmd)...)
			case "gio", "trash-put", "gvfs-trash":
				out = append(out, trashed(c, cmd)...)
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

// windowsTree reports whether a command deletes a tree in the words of the shells
// of Windows: del /s, Remove-Item -Recurse, and their short names.
func windowsTree(cmd assent.Command) bool {
	var option string
	switch strings.ToLower(cmd.Name) {
	case "del", "erase", "rd", "rmdir":
		option = "/s"
	case "remove-item", "ri", "rni":
		option = "-recurse"
	default:
		return false
	}
	return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
		v := strings.ToLower(w.Value)
		return v == option || len(v) > 2 && v[0] == '-' && strings.HasPrefix(option, v)
	})
}

// windowsVital reports whether a word names a whole drive, the root, the home or
// the system, as it is written for Windows.
func windowsVital(w assent.Word) bool {
	v := strings.ToLower(strings.TrimRight(strings.TrimSuffix(likely(w), "*.*"), `\/*`))
	if len(v) > 1 && v[1] == ':' {
		v = strings.TrimLeft(v[2:], `\/`)
		return slices.Contains([]string{"", "windows", `windows\system32`, "users", "program files", "progra~1"}, v)
	}
	return v == "" && strings.ContainsAny(w.Value, `\/`) || v == "~" || w.Text == "$HOME" || strings.EqualFold(w.Text, "$env:USERPROFILE")
}

// systemTrees are directories without which a machine does not work, or that
// hold everybody's data.
var systemTrees = []string{
	"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/sbin",
	"/srv", "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/usr/sbin", "/usr/share", "/var", "/var/lib", "/mnt", "/media", "/run",
	"/Applications", "/Library", "/System", "/Users", "/Volumes", "/private", "/private/etc", "/private/var", "/cores",
}

// tempTrees hold what may be thrown away.
var tempTrees = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"}

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

// leftovers are directories of a project that nobody but a tool fills.
var leftovers = []string{"node_modules", "bower_components", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".hypothesis", "htmlcov", ".nyc_output", ".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".vite", ".gradle", ".dart_tool", "DerivedData", ".eslintcache", ".sass-cache"}

// madeAgain reports whether full is such a directory below dir.
func madeAgain(full, dir string) bool {
	return dir != "" && full != dir && assent.Under(full, dir) && slices.Contains(leftovers, path.Base(full))
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
	if a.Option("--help --version") && len(a.Operands) == 0 { // behind operands, not every rm takes them for options
		return nil
	}
	r := remover{c: c, cmd: cmd}
	r.tree = a.Option("-r -R --recursive") || cmd.Name == "rimraf" || cmd.Name == "del-cli" || cmd.Name == "wipe"
	r.hard = a.Option("-f --force") || cmd.Name == "shred" || cmd.Name == "srm"
	r.whole = cmd.Name == "trash"
	var out []assent.Finding
	for _, w := range a.Operands {
		if !w.Known && w.Text == "{}" && slices.Contains(cmd.Via, "find") {
			continue // a fact about find
		}
		if cmd.Name == "shred" && isDevice(w, cmd, c.Places) {
			continue // a fact of its own
		}
		out = append(out, r.one(w))
	}
	return out
}

// remover is one command that deletes.
type remover struct {
	c          assent.Case
	cmd        assent.Command
	tree, hard bool
	whole      bool // directories as well as files, without an option
}

// trashed finds what of the system or of the home is put into the trash.
func trashed(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	words := a.Operands
	if cmd.Name == "gio" {
		if a.Word(0) != "trash" {
			return nil
		}
		words = words[1:]
	}
	r := remover{c: c, cmd: cmd, whole: true}
	var out []assent.Finding
	for _, w := range words {
		if full, known := where(cmd, w, c.Places); known && vital(full, c.Places) {
			out = append(out, r.one(w))
		}
	}
	return out
}

// one says what becomes of one operand.
func (r remover) one(w assent.Word) assent.Finding {
	full, known := where(r.cmd, w, r.c.Places)
	f := assent.Finding{By: "deletes", Target: full, Span: r.cmd.Span}
	fed := w.Text == "{}" && slices.Contains(r.cmd.Via, "xargs")
	switch {
	case known && vital(full, r.c.Places) && (r.tree || r.hard || r.whole || hasGlob(w.Value)):
		f.Code, f.Note = "fs.delete.root", "It deletes "+name(full, w, r.c.Places)+", which the system or its user cannot do without."
	case known && r.tree && madeAgain(full, r.c.Dir):
		f.Code, f.Note = "fs.delete.temp", "It deletes "+full+", which tools make again."
	case known && temporary(full):
		f.Code, f.Note = "fs.delete.temp", "It deletes "+full+", which is temporary."
	case temporal(r.c, r.cmd, w):
		f.Code, f.Note = "fs.delete.temp", "It deletes "+w.Text+", which is temporary."
	case r.tree && known:
		f.Code, f.Note = "fs.delete", "It deletes "+full+" and everything below it."
	case r.tree && w.Text == "{}":
		f.Code, f.Note = "fs.delete", "It deletes whole directory trees that are only named when the command runs."
	case r.tree:
		f.Code, f.Note = "fs.delete", "It deletes a directory tree whose name "+w.Text+" is only known when the command runs."
	case fed:
		f.Code, f.Note = "fs.delete", "It deletes files that are only named when the command runs."
	case hasGlob(w.Value):
		f.Code, f.Note = "fs.delete", "It deletes every file that matches "+shown(full, w)+"."
	case known && r.cmd.Name == "shred":
		f.Code, f.Note = "fs.remove", "It overwrites the file "+full+" so that nothing of it can be brought back."
	case known || !r.hard || strings.HasPrefix(w.Text, `"`) && strings.HasSuffix(w.Text, `"`): // one word, in quotes
		f.Code, f.Note = "fs.remove", "It deletes the file "+shown(full, w)+"."
	default:
		f.Code, f.Note = "fs.delete", "It deletes without asking what "+w.Text+" stands for."
	}
	return f
}

// name is a directory as people know it. A "~" that no shell has expanded is
// the home only to those who expand it.
func name(full string, w assent.Word, p assent.Places) string {
	switch {
	case strings.HasPrefix(w.Value, "~") && p.Home != "":
		return w.Value + " (the home, to whatever expands it)"
	case full == "/":
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
