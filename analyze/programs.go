package analyze

// What programs do by what is known about them: see package programs.

import (
	"slices"

	"assent"
	"assent/programs"
)

// unknownProgram is the code of a program, or of a use of one, of which nothing
// is known.
const unknownProgram = "prog.unknown"

var known = assent.Analyzer{
	Name:  "programs",
	Doc:   "Says what programs do by what is known about them, and of which nothing is known.",
	Codes: programs.Codes(),
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) { out = append(out, uses(cmd)...) })
		return out
	},
}

// elsewhere are facts that the knowledge names and another analyzer tells,
// because they depend on what the operands are.
var elsewhere = []string{"fs.format"}

// uses says what is known of one command.
func uses(cmd assent.Command) []assent.Finding {
	finding := func(code, note string) assent.Finding {
		return assent.Finding{By: "programs", Code: code, Target: cmd.Dir, Note: note, Span: cmd.Span}
	}
	p := programs.Lookup(cmd.Name)
	if p == nil {
		return []assent.Finding{finding(unknownProgram, "Nothing is known of the program "+cmd.Name+".")}
	}
	a := p.Read(cmd.Args)
	facts, ok := p.Facts(a)
	if !ok {
		return []assent.Finding{finding(unknownProgram, "It is not known what "+subject(cmd.Name, a, 1)+" does.")}
	}
	var out []assent.Finding
	for _, f := range facts {
		if !slices.Contains(elsewhere, f.Code) {
			out = append(out, finding(f.Code, told(cmd.Name, a, f)))
		}
	}
	if doubt := p.Doubt(a); doubt != "" && len(out) == 0 {
		out = append(out, finding(unknownProgram, "It is not known what "+cmd.Name+" does with "+doubt+"."))
	}
	return out
}

// told is the sentence of a fact: its own, or what its code says of the program.
func told(name string, a programs.Arguments, f programs.Fact) string {
	if f.Note != "" {
		return f.Note
	}
	return subject(name, a, f.Words) + " " + programs.Says(f.Code) + "."
}

// subject is a program with the first of its operands: "git stash".
func subject(name string, a programs.Arguments, n int) string {
	for i := range min(n, len(a.Operands)) {
		if w := a.Operands[i]; w.Known && len(w.Value) < 40 {
			name += " " + w.Value
		}
	}
	return name
}

// does reports whether a program is known to do something of one code.
func does(name string, a programs.Arguments, code string) bool {
	p := programs.Lookup(name)
	if p == nil {
		return false
	}
	facts, _ := p.Facts(a)
	return slices.ContainsFunc(facts, func(f programs.Fact) bool { return f.Code == code })
}
