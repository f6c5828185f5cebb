package analyze

// What a move or a mirror takes away.

import (
	"path"
	"strings"

	"assent"
	"assent/programs"
)

func mirror(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	deleting := false
	for _, o := range a.Options {
		deleting = deleting || strings.HasPrefix(o.Name, "delete") || o.Name == "del" || o.Name == "remove-source-files"
	}
	if !deleting || len(a.Operands) == 0 || a.Option("-n --dry-run") {
		return nil
	}
	last := a.Operands[len(a.Operands)-1]
	full, known := where(cmd, last, c.Places)
	f := assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span, Note: "It deletes in " + shown(full, last) + " what the source does not have."}
	if known && vital(full, c.Places) {
		f.Code = "fs.delete.root"
	}
	return []assent.Finding{f}
}

// moved finds what a move takes away for good.
func moved(c assent.Case, cmd assent.Command) []assent.Finding {
	a := programs.Read(cmd)
	into := len(a.Values("t target-directory")) > 0
	target := ""
	if len(a.Operands) > 0 && !into {
		target, _ = where(cmd, a.Operands[len(a.Operands)-1], c.Places)
	}
	var out []assent.Finding
	for i, w := range a.Operands {
		full, known := where(cmd, w, c.Places)
		last := i == len(a.Operands)-1 && !into
		f := assent.Finding{By: "deletes", Code: "fs.delete", Target: full, Span: cmd.Span}
		switch {
		case known && !last && hasGlob(path.Base(full)) && path.Dir(full) != "/" && assent.Under(target, path.Dir(full)): // into a part of itself
			continue
		case known && !last && vital(full, c.Places):
			f.Code, f.Note = "fs.delete.root", "It moves "+name(full, w, c.Places)+" away, which the system or its user cannot do without."
		case last && full == "/dev/null":
			f.Note = "It moves files over /dev/null, which loses them."
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}
