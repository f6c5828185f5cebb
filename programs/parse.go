package programs

// Reading the files of knowledge.

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// text is a file down to its first section of examples.
func text(path string) string {
	raw, _ := files.ReadFile(path) // it is embedded: a test reads every file
	text, _, _ := strings.Cut(string(raw), "\n-- ")
	return text
}

// knowledge yields the lines of a file down to its first section of examples,
// without comments and empty lines.
func knowledge(path string) iter.Seq[string] {
	return lines(text(path))
}

// lines yields the lines of a text without comments and empty lines.
func lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, " \t\r\n")
			if t := strings.TrimLeft(line, " \t"); t == "" || t[0] == '#' {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}

// blocks yields what a file says, each time with the line that names the
// programs it says it of.
func blocks(path string) iter.Seq2[string, string] {
	return func(yield func(names, says string) bool) {
		text := text(path)
		names, from := "", 0
		for at := 0; at < len(text); {
			line, _, _ := strings.Cut(text[at:], "\n")
			next := min(at+len(line)+1, len(text))
			if line != "" && !strings.ContainsRune(" \t\r#", rune(line[0])) {
				if names != "" && !yield(names, text[from:at]) {
					return
				}
				names, from = line, next
			}
			at = next
		}
		if names != "" {
			yield(names, text[from:])
		}
	}
}

// head returns the programs that a line without indentation names.
func head(line string) ([]string, bool) {
	if line[0] == ' ' || line[0] == '\t' {
		return nil, false
	}
	return strings.Fields(line), true
}

// program reads what is said of one program. What does not parse knows nothing;
// a test finds it.
func (f *family) program(name string) *Program {
	f.once.Do(func() {
		f.says = map[string][]string{}
		for names, says := range blocks(f.path) {
			for name := range strings.FieldsSeq(names) {
				f.says[name] = append(f.says[name], says)
			}
		}
	})
	if p, ok := f.done.Load(name); ok {
		return p.(*Program)
	}
	p := newProgram(name)
	for _, says := range f.says[name] {
		for line := range lines(says) {
			p.learn(line)
		}
	}
	first, _ := f.done.LoadOrStore(name, p)
	return first.(*Program)
}

// learn takes one statement about the program in.
func (p *Program) learn(line string) {
	verb, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "takes":
		p.takes.add(rest)
		p.knows.add(rest)
	case "may":
		p.may.add(rest)
	case "fine":
		p.fine.add(rest)
		p.knows.add(rest)
	case "runs":
		p.runs.add(rest)
		p.knows.add(rest)
	case "only":
		l := listOf(rest)
		p.only = append(p.only, l)
		if len(l.of.words) == 0 {
			maps.Copy(p.knows, l.have)
		}
	case "onedash":
		p.long = true
	case "stops":
		p.stops = true
	default:
		patterns, note, _ := strings.Cut(rest, "=>")
		for one := range strings.SplitSeq(patterns, ",") {
			r := newRule(verb, strings.Fields(one), strings.TrimSpace(note))
			p.index(&r)
		}
	}
}

// index keeps a rule where Facts looks for it, and the options it speaks of.
func (p *Program) index(r *rule) {
	p.codes[r.code] = true
	for _, c := range r.given {
		for _, name := range c.names {
			p.speaks[name] = true
			p.knows[name.text] = true
			if c.values != nil {
				p.takes[name.text] = true
			}
		}
	}
	for _, c := range r.not {
		for _, name := range c.names {
			p.knows[name.text] = true
		}
	}
	p.more = p.more || len(r.given) > 0 && r.code != looks && r.code != dry
	if len(r.words) == 0 || slices.ContainsFunc(r.words[0], func(w pattern) bool { return w.glob }) {
		p.free = append(p.free, r)
		return
	}
	for _, w := range r.words[0] {
		p.first[w.text] = append(p.first[w.text], r)
	}
}

// add puts options into a set, their dashes cut.
func (s set) add(options string) {
	for o := range strings.FieldsSeq(options) {
		s[strings.TrimLeft(o, "-")] = true
	}
}
