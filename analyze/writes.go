package analyze

// What is written where: the workspace, or the system around it.

import (
	"assent"
)

var writes = assent.Analyzer{
	Name:  "writes",
	Doc:   "Says which files are written, and whether they belong to the system.",
	Codes: []string{"fs.write", "fs.overwrite"},
	Run: func(c assent.Case) []assent.Finding {
		if full, changes, ok := toolPath(c); ok && changes {
			return []assent.Finding{written(c, full, assent.Span{})}
		}
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			changed(cmd, func(w assent.Word, how change) {
				full, known := where(cmd, w, c.Places)
				if known && how == write && !harmless(full) && !isDevice(w, cmd, c.Places) {
					out = append(out, written(c, full, cmd.Span))
				}
			})
		})
		return out
	},
}

// systemFiles are written by those who administer the machine.
var systemFiles = []spot{"/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/sys", "/proc", "/var/lib", "/var/log", "/var/spool", "/opt", "/System", "/Library", "/Applications"}

func harmless(full string) bool {
	switch full {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full":
		return true
	}
	return assent.Under(full, "/dev/fd") || assent.Under(full, "/dev/shm") || assent.Under(full, "/dev/pts")
}

func written(c assent.Case, full string, span assent.Span) assent.Finding {
	f := assent.Finding{By: "writes", Code: "fs.write", Target: full, Span: span, Note: "It writes " + full + "."}
	if anySpot(systemFiles, full, c.Places) && !assent.Under(full, c.Dir) {
		f.Code, f.Note = "fs.overwrite", "It writes "+full+", which belongs to the system."
	}
	return f
}
