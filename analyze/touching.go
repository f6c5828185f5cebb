package analyze

// Facts about paths in certain places that are changed, by a command or a file
// tool.

import (
	"path"
	"strings"

	"assent"
	"assent/programs"
)

// touching returns a finding for each changed path that belongs to a spot, or
// that is a directory above one which is deleted or moved away.
func touching(c assent.Case, by, code string, spots []spot, note string) []assent.Finding {
	finding := func(full string, span assent.Span) assent.Finding {
		return assent.Finding{By: by, Code: code, Target: full, Note: strings.Replace(note, "%s", full, 1), Span: span}
	}
	if full, changes, ok := toolPath(c); ok {
		if changes && anySpot(spots, full, c.Places) {
			return []assent.Finding{finding(full, assent.Span{})}
		}
		return nil
	}
	var out []assent.Finding
	each(c, func(cmd assent.Command) {
		changed(cmd, func(w assent.Word, how change) {
			if how == createDir || w.Value == "" {
				return
			}
			full, _ := absolute(w.Value, cmd.Dir, c.Places)
			if anySpot(spots, full, c.Places) || how == remove && above(full, spots, c.Places) || how == write && into(cmd, full, spots, c.Places) {
				out = append(out, finding(full, cmd.Span))
			}
		})
	})
	return out
}

// above reports whether full is a directory that holds one of the spots of a
// home or of the root, such as ~/.claude.
func above(full string, spots []spot, p assent.Places) bool {
	rest, ok := homes(full, p)
	for _, s := range spots {
		want := string(s)
		if ok && strings.HasPrefix(want, "~/"+rest+"/") || path.IsAbs(want) && strings.HasPrefix(want, full+"/") && full != "/" {
			return true
		}
	}
	return false
}

// into reports whether a copy into the directory full makes one of the spots.
func into(cmd assent.Command, full string, spots []spot, p assent.Places) bool {
	switch cmd.Name {
	case "cp", "mv", "install", "ln", "rsync":
	default:
		return false
	}
	ops := programs.Read(cmd).Operands
	for i, w := range ops {
		if i < len(ops)-1 && w.Known && anySpot(spots, path.Join(full, path.Base(w.Value)), p) {
			return true
		}
	}
	return false
}
