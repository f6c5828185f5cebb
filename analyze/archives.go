package analyze

// Archives: what unpacks one, and where to.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// unpacked calls f for every directory into which a command unpacks an archive.
func unpacked(cmd assent.Command, f func(assent.Word)) {
	a := programs.Read(cmd)
	switch cmd.Name {
	case "unzip", "unrar":
		if a.Option("-l -t -v -Z -z") {
			return
		}
		all(a.Values("d"), unpack, func(w assent.Word, _ change) { f(w) })
	case "7z", "7za", "7zz":
		for _, w := range cmd.Args {
			if v, ok := strings.CutPrefix(w.Value, "-o"); ok {
				f(assent.Word{Text: w.Text, Value: v, Known: w.Known})
			}
		}
	case "cpio", "pax":
		all(a.Values("D directory"), unpack, func(w assent.Word, _ change) { f(w) })
	default:
		if t := readTar(cmd); t.extracts {
			for _, w := range t.dirs {
				f(w)
			}
		}
	}
}

// archive is what a call of tar does.
type archive struct {
	extracts, creates bool
	dirs              []assent.Word // -C
	files             []assent.Word // -f
	absolute          bool          // names in the archive may be anywhere
}

// readTar also reads the letters that tar takes without a dash.
func readTar(cmd assent.Command) archive {
	args := slices.Clone(cmd.Args)
	if len(args) > 0 && args[0].Known && args[0].Value != "" && args[0].Value[0] != '-' && strings.Trim(args[0].Value, "AcdrtuxvzjJpPfCkmohZaWlwBSbTX0123456789") == "" {
		args[0].Value = "-" + args[0].Value
	}
	cmd.Args = args
	a := programs.Read(cmd)
	t := archive{
		extracts: a.Option("-x --extract --get"),
		creates:  a.Option("-c --create -r --append -u --update"),
		dirs:     a.Values("C directory"),
		files:    a.Values("f file"),
		absolute: a.Option("-P --absolute-names"),
	}
	for _, o := range a.Options { // --dir=/ and --f=x, cut short
		if o.Given && len(o.Name) > 2 && strings.HasPrefix("directory", o.Name) {
			t.dirs = append(t.dirs, o.Value)
		}
	}
	for _, w := range a.Operands { // -xCf a.tar /
		if w.Value == "/" || w.Value == ".." {
			t.dirs = append(t.dirs, w)
		}
	}
	return t
}
