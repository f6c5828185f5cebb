package analyze

// Files that a call writes itself, with a text that stands in it, and then runs.

import (
	"slices"
	"strings"

	"assent"
)

// written are the texts of the files that the commands of a call write.
type written struct {
	paths []string
	texts []string
}

// add takes in what a command writes.
func (f *written) add(c assent.Case, cmd assent.Command) {
	text, ok := printedBy(cmd)
	if !ok {
		return
	}
	changed(cmd, func(w assent.Word, how change) {
		if full, known := where(cmd, w, c.Places); known && how == write && !harmless(full) {
			f.paths, f.texts = append(f.paths, full), append(f.texts, text)
		}
	})
}

// text is what was last written to a file.
func (f *written) text(full string) (string, bool) {
	for i := range slices.Backward(f.paths) {
		if f.paths[i] == full {
			return f.texts[i], true
		}
	}
	return "", false
}

// printedBy is what a command prints, when that stands in the call.
func printedBy(cmd assent.Command) (string, bool) {
	switch {
	case (cmd.Name == "cat" || cmd.Name == "tee") && cmd.Stdin != nil && cmd.Stdin.Known:
		return cmd.Stdin.Value, true
	case cmd.Name != "echo" && cmd.Name != "printf" || slices.ContainsFunc(cmd.Args, unknown):
		return "", false
	}
	words := make([]string, 0, len(cmd.Args))
	for _, w := range cmd.Args {
		words = append(words, w.Value)
	}
	text := strings.TrimPrefix(strings.Join(words, " "), "-e ")
	return unescaped(text), true
}

// runsWritten returns the code that a command runs from a file which the call
// has written before.
func (in *inlined) runsWritten(cmd assent.Command) (snippet, bool) {
	w, ok := script(cmd)
	if !ok {
		w, ok = input(cmd)
	}
	full, known := where(cmd, w, in.c.Places)
	if !ok || !known {
		return snippet{}, false
	}
	text, ok := in.files.text(full)
	if !ok {
		return snippet{}, false
	}
	s := snippet{text: said(text), flat: true}
	lang := languageOf(unversioned(cmd.Name))
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		for _, l := range languages {
			for program := range strings.FieldsSeq(l.programs) {
				if strings.HasSuffix(first, "/"+program) || strings.HasSuffix(first, " "+program) {
					lang = l
				}
			}
		}
	}
	if lang == nil {
		s.shell = true
		return s, isShell(cmd.Name) || strings.Contains(cmd.Program.Value, "/")
	}
	s.read = func(t string) effects { return observe(lang, t) }
	return s, true
}
