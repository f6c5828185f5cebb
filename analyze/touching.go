package analyze

// Facts about paths in certain places that are changed.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// touching returns a finding for each changed path that belongs to a spot, or
// that is a directory above one which is deleted or moved away. Changes of the
// kinds in but do not count.
func touching(c assent.Case, by, code string, spots *spots, note string, but ...change) []assent.Finding {
	var out []assent.Finding
	each(c, func(cmd assent.Command) {
		var copies []assent.Word
		if slices.Contains(copiers, cmd.Name) {
			copies = programs.Read(cmd).Operands
		}
		targets := 0
		changed(cmd, func(w assent.Word, how change) {
			full := near(cmd, w, c.Places)
			if how == createDir || full == "" || slices.Contains(but, how) {
				return
			}
			if how == write {
				targets++
			}
			if anySpot(spots, full, c.Places) || how == remove && above(full, spots, c.Places) || how == write && targets <= maxTargets && into(copies, full, spots, c.Places) {
				out = append(out, assent.Finding{By: by, Code: code, Target: full, Note: strings.Replace(note, "%s", called(full, w), 1), Span: cmd.Span})
			}
		})
	})
	return out
}

// maxTargets is how many places of one copy are looked into: there is only one.
const maxTargets = 4

// called is what people are told of a path: itself, or as it is written when
// parts of it are only made when the command runs.
func called(full string, w assent.Word) string {
	if !w.Known && w.Text != "" {
		return w.Text
	}
	return full
}

// above reports whether full is a directory that holds one of the spots of a
// home or of the root, such as ~/.claude.
func above(full string, spots *spots, p assent.Places) bool {
	if full == "/" {
		return false
	}
	rest, ok := homes(full, p)
	inHome, inRoot := "~/"+rest+"/", full+"/"
	for _, s := range spots.all {
		if ok && strings.HasPrefix(s, inHome) || strings.HasPrefix(s, inRoot) {
			return true
		}
	}
	return false
}

// copiers put files into a directory under the names that they have.
var copiers = []string{"cp", "mv", "install", "ln", "rsync"}

// into reports whether copies into the directory full make one of the spots.
func into(copies []assent.Word, full string, spots *spots, p assent.Places) bool {
	for i, w := range copies {
		if i < len(copies)-1 && w.Known && anySpot(spots, path.Join(full, path.Base(w.Value)), p) {
			return true
		}
	}
	return false
}
