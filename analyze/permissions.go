package analyze

// Permissions and owners that are opened up, taken away or changed widely.

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"assent"
	"assent/programs"
)

var permissions = assent.Analyzer{
	Name:  "permissions",
	Doc:   "Says which permissions and owners are opened up or changed widely.",
	Codes: []string{"fs.perm", "fs.perm.root"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if f, ok := systemwide(c, cmd); ok {
				out = append(out, f)
				return
			}
			note := ""
			switch cmd.Name {
			case "chmod":
				note = modeNote(c, cmd)
			case "chown", "chgrp":
				note = ownerNote(c, cmd)
			case "setfacl":
				note = aclNote(cmd)
			case "chattr", "chflags":
				note = attributeNote(cmd)
			case "setcap":
				note = "It lets a program do what else only root may do, whoever starts it."
			}
			if note == "" {
				return
			}
			full := ""
			if a := programs.Read(cmd); len(a.Operands) > 0 {
				full, _ = where(cmd, a.Operands[min(1, len(a.Operands)-1)], c.Places)
			}
			out = append(out, assent.Finding{By: "permissions", Code: "fs.perm", Target: full, Note: note, Span: cmd.Span})
		})
		return out
	},
}

// systemTops are the root and what lies right below it of the system.
var systemTops = []string{
	"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/sbin", "/var",
	"/Library", "/System", "/Users", "/private", "/private/etc", "/private/var",
}

// systemwide is a fact about a command that changes who may use the system as a
// whole, after which it may not start again: chmod -R, chown -R, setfacl -R of /.
func systemwide(c assent.Case, cmd assent.Command) (assent.Finding, bool) {
	if !slices.Contains([]string{"chmod", "chown", "chgrp", "setfacl", "chattr", "chflags"}, cmd.Name) {
		return assent.Finding{}, false
	}
	a := programs.Read(cmd)
	if !a.Option("-R --recursive") || a.Option("--help --version") {
		return assent.Finding{}, false
	}
	for _, w := range a.Operands {
		full, known := where(cmd, w, c.Places)
		for full != "/" && full != "." && slices.Contains(everything, path.Base(full)) {
			full = path.Dir(full)
		}
		if known && slices.Contains(systemTops, full) {
			note := "It changes who may use " + name(full, w, c.Places) + " and everything below it, without which the system does not work."
			return assent.Finding{By: "permissions", Code: "fs.perm.root", Target: full, Note: note, Span: cmd.Span}, true
		}
	}
	return assent.Finding{}, false
}

func modeNote(c assent.Case, cmd assent.Command) string {
	a := programs.Read(cmd)
	if a.Option("--help --version") {
		return ""
	}
	mode := a.Word(0)
	ops := a.Operands[min(1, len(a.Operands)):]
	if modeOption(a) {
		mode, ops = "", a.Operands
	}
	switch {
	case opens(mode):
		return "It lets every user of the machine write."
	case strings.Contains(mode, "s") && strings.Contains(mode, "+") || len(mode) == 4 && mode[0] > '1' && mode[0] < '8':
		return "It makes a program run with the rights of its owner, whoever starts it."
	case mode == "000" || mode == "0" || mode == "0000" || mode == "a-rwx":
		return "It takes every permission away."
	case shares(mode) && slices.ContainsFunc(ops, func(w assent.Word) bool { return anySpot(keySpots, near(cmd, w, c.Places), c.Places) }):
		return "It lets other users of the machine read a secret."
	case a.Option("-R --recursive") && reachesVital(c, cmd, ops):
		return "It changes the permissions of a directory tree that the system or its user cannot do without."
	case a.Option("-R --recursive"):
		return "It changes the permissions of a whole directory tree, and what they were is kept nowhere."
	}
	return ""
}

func aclNote(cmd assent.Command) string {
	a := programs.Read(cmd)
	switch {
	case a.Option("-R --recursive"):
		return "It changes permissions of a whole directory tree."
	case slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
		return strings.HasPrefix(w.Value, "o:") || strings.HasPrefix(w.Value, "o::") || strings.HasPrefix(w.Value, "other:")
	}):
		return "It changes what every user of the machine may do with a file."
	}
	return ""
}

// attributeNote speaks of attributes that protect a file from being changed.
func attributeNote(cmd assent.Command) string {
	for _, w := range cmd.Args {
		v := w.Value
		switch {
		case cmd.Name == "chattr" && (v == "-R" || v == "--recursive") || cmd.Name == "chflags" && v == "-R":
			return "It changes attributes of a whole directory tree."
		case cmd.Name == "chattr" && strings.HasPrefix(v, "-") && strings.ContainsAny(v, "ia"), cmd.Name == "chflags" && strings.HasPrefix(v, "no"):
			return "It takes away the attribute that protects a file from being changed."
		case cmd.Name == "chattr" && strings.HasPrefix(v, "+") && strings.ContainsAny(v, "i"):
			return "It keeps a file from being changed or deleted, also by its owner."
		}
	}
	return ""
}

// opens reports whether a mode lets others write.
func opens(mode string) bool {
	if n, err := strconv.ParseUint(mode, 8, 32); err == nil {
		return n&0o2 != 0 && n&0o1000 == 0
	}
	for _, clause := range strings.Split(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 || !strings.ContainsAny(clause[i:], "w") {
			continue
		}
		if strings.ContainsAny(clause[:i], "oa") {
			return true
		}
	}
	return false
}

// shares reports whether a mode gives anything to others than the owner.
func shares(mode string) bool {
	if n, err := strconv.ParseUint(mode, 8, 32); err == nil {
		return n&0o077 != 0
	}
	for _, clause := range strings.Split(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i >= 0 && i+1 < len(clause) && (i == 0 || strings.ContainsAny(clause[:i], "goa")) {
			return true
		}
	}
	return false
}

func ownerNote(c assent.Case, cmd assent.Command) string {
	a := programs.Read(cmd)
	ops := a.Operands[min(1, len(a.Operands)):]
	switch {
	case !a.Option("-R --recursive"):
		return ""
	case reachesVital(c, cmd, ops):
		return "It changes the owner of a directory tree that the system or its user cannot do without."
	case strings.HasPrefix(a.Word(0), "root") || strings.HasPrefix(a.Word(0), "0"):
		return "It gives a whole directory tree to root."
	}
	return "It changes the owner of a whole directory tree."
}

func reachesVital(c assent.Case, cmd assent.Command, ops []assent.Word) bool {
	for _, w := range ops {
		if full, known := where(cmd, w, c.Places); !known || vital(full, c.Places) {
			return true
		}
	}
	return false
}
