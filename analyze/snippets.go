package analyze

// Snippets: code of other languages that stands in a command, read as far as
// that can be told.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
	"assent/shell"
)

// The limits of what is read.
const (
	maxSnippets = 64       // of one call
	maxNested   = 4        // of code inside code
	maxSnippet  = 64 << 10 // bytes of one
)

// inlined is what code in commands leads to: the commands that it starts, the
// acts that it does by itself, and facts.
type inlined struct {
	c       assent.Case
	started []assent.Command
	acts    []assent.Command
	found   []assent.Finding
	files   written
	read    int
	pipes   int
}

// readInline reads the code in a case's commands, and in the commands that it starts.
func readInline(c assent.Case) *inlined {
	in := &inlined{c: c}
	defer func() {
		if recover() != nil {
			in.found = append(in.found, unreadable("code", "A part of assent failed while it looked at code in the call."))
		}
	}()
	for i := range c.Commands {
		in.pipes = max(in.pipes, c.Commands[i].Pipe)
	}
	for i := range c.Commands {
		in.command(c.Commands[i], 0)
	}
	return in
}

func (in *inlined) find(cmd assent.Command, code, note string) {
	in.found = append(in.found, assent.Finding{By: "code", Code: code, Note: note, Span: cmd.Span})
}

// command reads the code in one command.
func (in *inlined) command(cmd assent.Command, depth int) {
	if cmd.Name == "" {
		return
	}
	if s, ok := in.runsWritten(cmd); ok {
		in.snippet(cmd, s, depth)
	}
	in.files.add(in.c, cmd)
	for _, s := range snippetsOf(cmd) {
		in.snippet(cmd, s, depth)
	}
}

// snippet is one piece of code.
type snippet struct {
	text   assent.Word
	read   func(string) effects // nil: nobody reads that language
	flat   bool                 // it is not worth a fact by itself that it is code
	filter bool                 // it is for texts, line by line
	shell  bool                 // it is for a shell
}

func (in *inlined) snippet(cmd assent.Command, s snippet, depth int) {
	if in.read++; in.read > maxSnippets || depth > maxNested || len(s.text.Value) > maxSnippet {
		in.find(cmd, shell.Limit, "There is more code inside the command than is looked at.")
		return
	}
	switch {
	case s.shell && s.flat && !s.text.Known && s.text.Value == "":
		return
	case s.shell:
		in.text(cmd, s.text, depth)
		return
	case s.read == nil && startsPrograms(s.text):
		in.find(cmd, shell.Unknown, "It runs code for "+cmd.Name+" that was not read, and that by its words starts programs or deletes.")
		return
	case s.read == nil:
		in.find(cmd, "code.inline", "It runs code for "+cmd.Name+" that stands in the command and was not read.")
		return
	case !s.text.Known && s.text.Value == "":
		if !s.flat {
			in.find(cmd, shell.Unknown, "It gives "+cmd.Name+" code to run that is only made when the command runs.")
		}
		return
	}
	text := likely(s.text)
	if spelt(text, 3) {
		in.find(cmd, "code.trick", "It spells a text in codes, inside of code that it runs.")
	}
	e := s.read(text)
	switch {
	case (e.unclear || !s.text.Known) && !s.flat || len(e.texts)+len(e.argvs) > 0:
		in.find(cmd, "code.inline", "It runs code for "+cmd.Name+" that stands in the command, and does more than could be told.")
	case !s.flat && !s.filter:
		in.find(cmd, "code.compute", "It runs code for "+cmd.Name+" that stands in the command, and does no more than is told here.")
	}
	in.take(cmd, e, depth)
	for _, w := range e.codes {
		in.snippet(cmd, snippet{text: w, read: s.read}, depth+1)
	}
}

// take takes in what code does.
func (in *inlined) take(cmd assent.Command, e effects, depth int) {
	for _, f := range e.facts {
		in.find(cmd, f.code, f.note)
	}
	for _, a := range e.acts {
		a.Dir, a.Span, a.Via = cmd.Dir, cmd.Span, via(cmd)
		in.acts = append(in.acts, a)
	}
	for _, words := range e.argvs {
		if len(words) > 0 {
			e.texts = append(e.texts, asText(words))
		}
	}
	for _, w := range e.texts {
		in.text(cmd, w, depth)
	}
}

func via(cmd assent.Command) []string {
	return append(cmd.Via[:len(cmd.Via):len(cmd.Via)], cmd.Name)
}

// asText spells a program and its arguments as a shell would take them.
func asText(words []assent.Word) assent.Word {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w.Known {
			b.WriteString("'" + strings.ReplaceAll(w.Value, "'", `'\''`) + "'")
		} else {
			b.WriteString(`"` + strings.Trim(w.Text, `"`) + `"`)
		}
	}
	return assent.Word{Text: b.String(), Value: b.String(), Known: words[0].Known}
}

// text takes in a text that is given to a shell.
func (in *inlined) text(cmd assent.Command, w assent.Word, depth int) {
	text := w.Value
	if !w.Known {
		in.find(cmd, shell.Unknown, "It has "+cmd.Name+" start a command that is only made when it runs.")
		if text == "" {
			return
		}
		text = w.Text
	}
	s := shell.Parse(text, cmd.Dir, in.c.Places.Home)
	for _, f := range s.Findings {
		f.Span = cmd.Span
		in.found = append(in.found, f)
	}
	base := in.pipes
	for _, one := range s.Commands {
		one.Span = cmd.Span
		one.Via = append(via(cmd), one.Via...)
		one.Env = slices.Concat(cmd.Env, one.Env)
		if one.Pipe > 0 {
			one.Pipe += base
			in.pipes = max(in.pipes, one.Pipe)
		}
		in.started = append(in.started, one)
		in.command(one, depth+1)
	}
}

// snippetsOf returns the code that stands in a command.
func snippetsOf(cmd assent.Command) []snippet {
	if texts, flat := givenTexts(cmd); len(texts) > 0 {
		out := make([]snippet, 0, len(texts))
		for _, w := range texts {
			out = append(out, snippet{text: w, flat: flat, shell: true})
		}
		return out
	}
	for _, r := range textReaders {
		if has(r.programs, cmd.Name) {
			return r.find(cmd)
		}
	}
	options, ok := interpreter(cmd.Name)
	if !ok {
		return nil
	}
	s := snippet{}
	if lang := languageOf(unversioned(cmd.Name)); lang != nil {
		s.read = func(t string) effects { return observe(lang, t) }
		s.filter = (lang == &perl || lang == &ruby) && programs.Read(cmd).Option("-n -p")
	}
	return codeOf(cmd, options, s)
}

// codeOf returns the code that an interpreter is given by options or on its
// standard input.
func codeOf(cmd assent.Command, options string, like snippet) []snippet {
	var out []snippet
	add := func(w assent.Word) {
		s := like
		s.text = w
		out = append(out, s)
	}
	a := programs.Read(cmd)
	for _, o := range a.Options {
		if !has(options, o.Name) {
			continue
		}
		w := o.Value
		if !o.Given || w.Value == "e" && cmd.Name == "node" { // node -pe
			w = assent.Word{Text: "$_"}
			if len(a.Operands) > 0 {
				w = a.Operands[0]
			}
		}
		add(w)
	}
	if (cmd.Name == "deno" || cmd.Name == "tclsh") && a.Word(0) == "eval" && len(a.Operands) > 1 {
		add(a.Operands[1])
	}
	if len(out) > 0 || a.Option("-m --version -V --help -h") || len(a.Operands) > 0 && a.Word(0) != "-" && a.Word(0) != "/dev/stdin" {
		return out
	}
	if cmd.Stdin != nil {
		add(*cmd.Stdin)
	} else if cmd.Stage > 0 {
		add(assent.Word{Text: "$_"})
	}
	return out
}

// textReaders are programs that take a text in a language of their own.
var textReaders = []struct {
	programs string
	find     func(assent.Command) []snippet
}{
	{"awk gawk mawk nawk original-awk", awkSnippets},
	{"sed gsed", sedSnippets},
	{"osascript", appleSnippets},
	{"vi vim nvim ex view gvim vimdiff ed emacs", editorSnippets},
	{"jq yq gojq jaq", jqSnippets},
}

// starting are words by which code of nearly any language starts programs or
// deletes files.
var starting = []string{"exec", "system", "spawn", "shell", "popen", "subprocess", "process", "delete", "remove", "rmtree", "unlink", "rm_rf", "eval"}

// startsPrograms reports whether code speaks of starting programs.
func startsPrograms(code assent.Word) bool {
	if !code.Known {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(code.Value), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(starting, w) })
}
