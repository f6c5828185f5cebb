package analyze

// Permissions and owners that are opened up, taken away or changed widely.

import (
	"strconv"
	"strings"

	"assent"
	"assent/programs"
)

var permissions = assent.Analyzer{
	Name:  "permissions",
	Doc:   "Says which permissions and owners are opened up or changed widely.",
	Codes: []string{"fs.perm"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			note := ""
			switch cmd.Name {
			case "chmod":
				note = modeNote(c, cmd)
			case "chown", "chgrp":
				note = ownerNote(c, cmd)
			case "setfacl", "chattr":
				if programs.Read(cmd).Option("-R --recursive") {
					note = "It changes permissions of a whole directory tree."
				}
			}
			if note == "" {
				return
			}
			full := ""
			if a := programs.Read(cmd); len(a.Operands) > 1 {
				full, _ = where(cmd, a.Operands[1], c.Places)
			}
			out = append(out, assent.Finding{By: "permissions", Code: "fs.perm", Target: full, Note: note, Span: cmd.Span})
		})
		return out
	},
}

func modeNote(c assent.Case, cmd assent.Command) string {
	a := programs.Read(cmd)
	if a.Option("--help --version") {
		return ""
	}
	mode := a.Word(0)
	ops := a.Operands[min(1, len(a.Operands)):]
	for _, o := range a.Options { // chmod -w file: the mode looks like options
		if strings.ContainsAny(o.Name, "wx") && len(o.Name) == 1 {
			ops = a.Operands
		}
	}
	switch {
	case opens(mode):
		return "It lets every user of the machine write."
	case strings.Contains(mode, "s") && strings.Contains(mode, "+") || len(mode) == 4 && mode[0] > '1' && mode[0] < '8':
		return "It makes a program run with the rights of its owner, whoever starts it."
	case mode == "000" || mode == "0" || mode == "0000" || mode == "a-rwx":
		return "It takes every permission away."
	case a.Option("-R --recursive") && reachesVital(c, cmd, ops):
		return "It changes the permissions of a directory tree that the system or its user cannot do without."
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
