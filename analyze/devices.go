package analyze

// Block devices: what formats, wipes or overwrites a disk.

import (
	"strings"

	"assent"
)

var devices = assent.Analyzer{
	Name:  "devices",
	Doc:   "Says what formats, wipes or overwrites a disk.",
	Codes: []string{"fs.device", "fs.format"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if f, ok := formats(c, cmd); ok {
				out = append(out, f)
			}
			changed(cmd, func(w assent.Word, how change) {
				if how == createDir || !isDevice(w, cmd, c.Places) {
					return
				}
				full, _ := where(cmd, w, c.Places)
				out = append(out, assent.Finding{By: "devices", Code: "fs.device", Target: full, Span: cmd.Span, Note: "It writes straight to the disk " + shown(full, w) + ", over whatever is on it."})
			})
		})
		return out
	},
}

// deviceNames are the starts of names of disks below /dev.
var deviceNames = []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "loop", "nbd", "disk", "rdisk", "zd", "ram", "pmem", "sr", "mtdblock"}

// deviceDirs hold disks under other names.
var deviceDirs = []string{"mapper/", "md/", "disk/", "block/", "zvol/"}

// isDevice reports whether a word names a disk, also when only its start is
// known.
func isDevice(w assent.Word, cmd assent.Command, p assent.Places) bool {
	full, _ := absolute(w.Value, cmd.Dir, p)
	if strings.HasPrefix(w.Value, "..") && cmd.Dir == "" {
		full = "/" + strings.TrimLeft(full, "./")
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

// formatters make, wipe or cut up what their operand names.
var formatters = []rule{
	{prog: "wipefs", opt: "-a --all -o --offset", not: "-n --no-act", code: "fs.device"},
	{prog: "sgdisk", opt: "-Z -z -o --zap --zap-all --clear", code: "fs.device"},
	{prog: "blkdiscard", code: "fs.device", not: "--help --version"},
	{prog: "shred", code: "fs.device", not: "--help --version"},
	{prog: "mkswap", code: "fs.device", not: "--help --version"},
	{prog: "mke2fs", code: "fs.device", not: "-n --help -V"},
	{prog: "badblocks", opt: "-w", code: "fs.device"},
	{prog: "hdparm", opt: "--security-erase --security-erase-enhanced --trim-sector-ranges", code: "fs.device"},
	{prog: "nvme", sub: "format|sanitize", code: "fs.device"},
	{prog: "cryptsetup", sub: "luksFormat|luksErase|erase", code: "fs.device"},
	{prog: "parted", sub: "* mklabel|mktable|rm|mkpart|resizepart", code: "fs.device"},
	{prog: "sfdisk", code: "fs.device", not: "-l -d -n --list --dump --no-act --help -V"},
	{prog: "fdisk", code: "fs.device", not: "-l --list --help -V -x"},
	{prog: "diskutil", sub: "eraseDisk|eraseVolume|reformat|zeroDisk|randomDisk|secureErase|partitionDisk", code: "fs.device"},
	{prog: "diskutil", sub: "apfs|ap|cs deleteContainer|deleteVolume|eraseVolume|delete", code: "fs.device"},
	{prog: "zpool", sub: "destroy|labelclear", code: "fs.format"},
	{prog: "zfs", sub: "destroy|rollback", code: "fs.format"},
	{prog: "lvremove vgremove pvremove", code: "fs.format", not: "-t --test --help"},
	{prog: "btrfs", sub: "subvolume|su delete|del", code: "fs.format"},
}

// formats is a fact about a command that wipes what its operands name.
func formats(c assent.Case, cmd assent.Command) (assent.Finding, bool) {
	f := assent.Finding{By: "devices", Span: cmd.Span}
	if r := first(formatters, cmd); r != nil {
		f.Code = r.code
	} else if strings.HasPrefix(cmd.Name, "mkfs") || strings.HasPrefix(cmd.Name, "newfs") {
		f.Code = "fs.device"
	}
	a := read(cmd)
	if f.Code == "" || len(a.operands) == 0 || a.option("--help --version") {
		return f, false
	}
	f.Note = "It formats, wipes or cuts up a disk."
	if cmd.Name == "diskutil" {
		return f, true
	}
	unclear := false
	for _, w := range a.operands {
		if isDevice(w, cmd, c.Places) {
			f.Target, _ = where(cmd, w, c.Places)
			return f, true
		}
		unclear = unclear || !w.Known
	}
	if cmd.Name == "shred" {
		return f, false
	}
	if f.Code == "fs.device" && !unclear && strings.HasPrefix(cmd.Name, "mk") {
		return f, false // an image in a file
	}
	f.Code, f.Note = "fs.format", "It formats or wipes what may be a disk or a volume."
	return f, true
}
