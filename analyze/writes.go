package analyze

// What is written where: the workspace, or the system around it.

import (
	"strings"

	"assent"
)

var writes = assent.Analyzer{
	Name:  "writes",
	Doc:   "Says which files are written, and whether they belong to the system.",
	Codes: []string{"fs.write", "fs.overwrite", "vcs.discard"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			changed(cmd, func(w assent.Word, how change) {
				if f, ok := wrote(c, cmd, w, how); ok {
					f.By, f.Span = "writes", cmd.Span
					out = append(out, f)
				}
			})
			if t := tarOf(cmd); t.extracts && t.absolute {
				out = append(out, assent.Finding{By: "writes", Code: "fs.overwrite", Span: cmd.Span, Note: "It unpacks an archive that may name any place of the machine."})
			}
		})
		return out
	},
}

func tarOf(cmd assent.Command) archive {
	switch cmd.Name {
	case "tar", "bsdtar", "gtar":
		return readTar(cmd)
	}
	return archive{}
}

// systemFiles are written by those who administer the machine.
var systemFiles = at("/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/sys", "/proc", "/var/lib", "/var/log", "/var/spool", "/opt/homebrew", "/System", "/Library", "/Applications", "/Windows")

// repository are files in which Git keeps what it knows.
var repository = at(".git/objects", ".git/refs", ".git/packed-refs", ".git/HEAD", ".git/logs")

func harmless(full string) bool {
	switch full {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full":
		return true
	}
	return assent.Under(full, "/dev/fd") || assent.Under(full, "/dev/pts") || assent.Under(full, "/proc/self/fd")
}

// wrote is the fact about one changed path, if it is one of writing.
func wrote(c assent.Case, cmd assent.Command, w assent.Word, how change) (assent.Finding, bool) {
	full, known := where(cmd, w, c.Places)
	if !known {
		if how == write && likely(w) != "" && !isDevice(w, cmd, c.Places) && strings.Contains(w.Text, "$") {
			return assent.Finding{Code: "fs.write", Note: "It writes a file that " + w.Text + " stands for."}, true
		}
		return assent.Finding{}, false
	}
	f := assent.Finding{Code: "fs.write", Target: full, Note: "It writes " + full + "."}
	system := anySpot(systemFiles, full, c.Places) && !assent.Under(full, c.Dir)
	switch {
	case harmless(full) || isDevice(w, cmd, c.Places) || socket(full) || how == createDir || how == attribute || how == alias:
		return f, false
	case anySpot(repository, full, c.Places):
		f.Code, f.Note = "vcs.discard", "It changes "+full+", in which Git keeps commits and branches."
	case how == remove:
		return f, false
	case how == unpack:
		f.Note = "It unpacks an archive into " + full + "."
		if system || full == "/" || full == home(c.Places) || c.Dir != "" && assent.Under(c.Dir, full) && full != c.Dir {
			f.Code, f.Note = "fs.overwrite", "It unpacks an archive over "+full+", where much else lies."
		}
	case system || full == "/":
		f.Code, f.Note = "fs.overwrite", "It writes "+full+", which belongs to the system."
	}
	return f, true
}
