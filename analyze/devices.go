package analyze

// Block devices: what formats, wipes or overwrites a disk.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var devices = assent.Analyzer{
	Name:  "devices",
	Doc:   "Says what formats, wipes or overwrites a disk.",
	Codes: []string{"fs.device", "fs.format", "host.kernel"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if f, ok := formats(c, cmd); ok {
				out = append(out, f)
			}
			changed(cmd, func(w assent.Word, how change) {
				full, _ := where(cmd, w, c.Places)
				f := assent.Finding{By: "devices", Code: "fs.device", Target: full, Span: cmd.Span}
				switch {
				case how == createDir || how == alias:
					return
				case isDevice(w, cmd, c.Places):
					f.Note = "It writes straight to the disk " + shown(full, w) + ", over whatever is on it."
				case slices.Contains(memory, full):
					f.Code, f.Note = "host.kernel", "It writes into the memory of the machine by "+full+"."
				default:
					return
				}
				out = append(out, f)
			})
		})
		return out
	},
}

// memory are devices that are the machine's memory.
var memory = []string{"/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/proc/kmem"}

// deviceNames are the starts of names of disks below /dev.
var deviceNames = []string{"sd", "hd", "vd", "xvd", "nvme", "nvd", "nda", "ada", "da", "vtbd", "mmcblk", "md", "dm-", "loop", "nbd", "disk", "rdisk", "zd", "ram", "pmem", "sr", "mtdblock"}

// deviceDirs hold disks under other names.
var deviceDirs = []string{"mapper/", "md/", "disk/", "block/", "zvol/"}

// isDevice reports whether a word names a disk, also when only its start is
// known.
func isDevice(w assent.Word, cmd assent.Command, p assent.Places) bool {
	full, _ := absolute(w.Value, cmd.Dir, p)
	if up := path.Clean(w.Value); strings.HasPrefix(up, "../") { // where that leads depends on where it runs
		full = "/" + strings.TrimLeft(up, "./")
	}
	rest, ok := strings.CutPrefix(full, "/dev/")
	if !ok {
		return false
	}
	for _, dir := range deviceDirs {
		if strings.HasPrefix(rest, dir) {
			return true
		}
	}
	for _, name := range deviceNames {
		if after, ok := strings.CutPrefix(rest, name); ok && (numbered(after) || !w.Known || hasGlob(after)) {
			return true
		}
	}
	return !w.Known && rest == "" || hasGlob(rest)
}

// numbered reports whether s is what follows a kind of disk in its name.
func numbered(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// formats is a fact about a command that wipes what its operands name.
func formats(c assent.Case, cmd assent.Command) (assent.Finding, bool) {
	f := assent.Finding{By: "devices", Code: "fs.device", Note: "It formats, wipes or cuts up a disk.", Span: cmd.Span}
	if strings.EqualFold(strings.TrimSuffix(cmd.Name, ".com"), "format") {
		i := slices.IndexFunc(cmd.Args, func(w assent.Word) bool { return len(w.Value) == 2 && w.Value[1] == ':' })
		return f, i >= 0
	}
	if p := programs.Lookup(cmd.Name); p == nil || !p.Can("fs.format") {
		return f, false
	}
	a := programs.Read(cmd)
	if len(a.Operands) == 0 || a.Option("--help --version") || !does(cmd.Name, a, "fs.format") {
		return f, false
	}
	if cmd.Name == "diskutil" {
		return f, true
	}
	files := true
	for _, w := range a.Operands {
		if isDevice(w, cmd, c.Places) {
			f.Target, _ = where(cmd, w, c.Places)
			return f, true
		}
		files = files && w.Known && (strings.HasPrefix(cmd.Name, "mk") || strings.ContainsAny(w.Value, "./"))
	}
	if cmd.Name == "shred" || files || does(cmd.Name, a, "fs.delete") {
		return f, false // a file, an image in one, or what the knowledge can tell better
	}
	last := a.Operands[len(a.Operands)-1]
	f.Code, f.Target, f.Note = "fs.format", last.Value, "It formats or wipes what may be a disk or a volume, "+last.Text+"."
	return f, true
}
