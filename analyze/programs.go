package analyze

// What programs do by what is known about them: see package programs.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// unknownProgram is the code of a program, or of a use of one, of which nothing
// is known.
const unknownProgram = "prog.unknown"

// knowledge is who tells facts by what is known of programs.
const knowledge = "programs"

var known = assent.Analyzer{
	Name:  knowledge,
	Doc:   "Says what programs do by what is known about them, and of which nothing is known.",
	Codes: append(programs.Codes(), "prog.destroy"),
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if !acted(cmd) {
				out = append(out, uses(cmd)...)
			}
		})
		return out
	},
}

// elsewhere reports whether another analyzer tells a fact that the knowledge
// names, because it depends on what the operands are.
func elsewhere(code string, cmd assent.Command) bool {
	switch code {
	case "fs.format":
		return true
	case "code.inline", "code.file":
		_, file := script(cmd)
		return !file && len(snippetsOf(cmd)) > 0
	case "net.delete":
		return asksWeb(cmd.Name)
	case "net.read":
		return len(addresses(cmd)) > 0
	}
	return false
}

// uses says what is known of one command.
func uses(cmd assent.Command) []assent.Finding {
	finding := func(code, note string) assent.Finding {
		return assent.Finding{By: knowledge, Code: code, Target: cmd.Dir, Note: note, Span: cmd.Span}
	}
	p := programs.Lookup(cmd.Name)
	if p == nil {
		out := []assent.Finding{finding(unknownProgram, "Nothing is known of the program "+cmd.Name+".")}
		return append(out, saidToDestroy(cmd, programs.Read(cmd))...)
	}
	a := p.Read(cmd.Args)
	facts, ok := p.Facts(a)
	if !ok {
		out := []assent.Finding{finding(unknownProgram, "It is not known what "+subject(cmd.Name, a, 1)+" does.")}
		return append(out, saidToDestroy(cmd, a)...)
	}
	var out []assent.Finding
	for _, f := range facts {
		if !elsewhere(f.Code, cmd) {
			one := finding(f.Code, told(cmd.Name, a, f))
			if object := objectOf(f, a); object != "" {
				one.Target = object
			}
			out = append(out, one)
		}
	}
	if doubt := p.Doubt(a); doubt != "" && len(out) == 0 {
		out = append(out, finding(unknownProgram, "It is not known what "+cmd.Name+" does with "+doubt+"."))
	}
	return out
}

// objects are codes of what is done to something that the operands name, and that is
// no file.
var objects = []string{
	"infra.edit", "infra.change", "infra.stop", "infra.destroy", "infra.run", "net.delete", "db.drop", "db.change", "host.service", "priv.account",
	"pkg.install", "pkg.foreign", "pkg.remove", "vcs.discard", "vcs.force_push", "vcs.push", "vcs.push.main", "vcs.rewrite",
}

// maxObject is how many bytes of a name people are told.
const maxObject = 120

// objectOf is what a fact is about: the operands behind the subcommand that does
// it. Empty when there are none, or when it is about files.
func objectOf(f programs.Fact, a programs.Arguments) string {
	if !slices.Contains(objects, f.Code) {
		return ""
	}
	var words []string
	for _, w := range a.Operands[min(f.Words, len(a.Operands)):] {
		if w.Known {
			words = append(words, w.Value)
		} else {
			words = append(words, w.Text)
		}
	}
	object := strings.Join(words, " ")
	if len(object) > maxObject {
		object = object[:strings.LastIndexByte(object[:maxObject], ' ')+1] + "…"
	}
	return object
}

// destroyers are words with which programs name what cannot be taken back.
var destroyers = []string{"delete", "destroy", "purge", "wipe", "erase", "drop", "nuke", "terminate", "obliterate", "shred", "truncate"}

// saidToDestroy is a fact about a use of which nothing is known but its words:
// "flotilla cluster destroy", "users:delete", "--purge".
func saidToDestroy(cmd assent.Command, a programs.Arguments) []assent.Finding {
	words := make([]string, 0, 4)
	for _, w := range a.Operands[:min(len(a.Operands), 4)] {
		words = append(words, w.Value)
	}
	for _, o := range a.Options {
		words = append(words, o.Name)
	}
	for _, w := range words {
		if strings.ContainsAny(w, "./") {
			continue // the name of a file
		}
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == '-' || r == ':' || r == '_' }) {
			if slices.Contains(destroyers, strings.ToLower(part)) {
				note := "It says that it would " + strings.ToLower(part) + " something, and nothing more is known of it."
				return []assent.Finding{{By: knowledge, Code: "prog.destroy", Target: cmd.Dir, Note: note, Span: cmd.Span}}
			}
		}
	}
	return nil
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
	if p == nil || !p.Can(code) {
		return false
	}
	facts, _ := p.Facts(a)
	return slices.ContainsFunc(facts, func(f programs.Fact) bool { return f.Code == code })
}

// onlyLooks reports whether a program is known to change nothing, called as it is.
func onlyLooks(cmd assent.Command) bool {
	p := programs.Lookup(cmd.Name)
	if p == nil {
		return false
	}
	a := p.Read(cmd.Args)
	facts, ok := p.Facts(a)
	return ok && len(facts) == 0 && p.Doubt(a) == ""
}
