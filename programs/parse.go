package programs

// Reading the files of knowledge.

import (
	"iter"
	"strings"
)

// knowledge yields the lines of a file down to its first section of examples,
// without comments and empty lines.
func knowledge(path string) iter.Seq[string] {
	raw, _ := files.ReadFile(path) // it is embedded: a test reads every file
	text, _, _ := strings.Cut(string(raw), "\n-- ")
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

// head returns the programs that a line without indentation names.
func head(line string) ([]string, bool) {
	if line[0] == ' ' || line[0] == '\t' {
		return nil, false
	}
	return strings.Fields(line), true
}

// read parses the whole file. What does not parse knows nothing; a test finds it.
func (f *family) read() {
	f.all = map[string]*Program{}
	var now []*Program
	for line := range knowledge(f.path) {
		if names, ok := head(line); ok {
			now = now[:0]
			for _, name := range names {
				if f.all[name] == nil {
					f.all[name] = &Program{Name: name}
				}
				now = append(now, f.all[name])
			}
			continue
		}
		for _, p := range now {
			p.learn(line)
		}
	}
}

// learn takes one statement about the program in.
func (p *Program) learn(line string) {
	verb, rest, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "takes":
		p.takes = joined(p.takes, rest)
	case "fine":
		p.fine = joined(p.fine, rest)
	case "onedash":
		p.long = true
	case "stops":
		p.stops = true
	default:
		patterns, note, _ := strings.Cut(rest, "=>")
		for one := range strings.SplitSeq(patterns, ",") {
			p.rules = append(p.rules, newRule(verb, strings.Fields(one), strings.TrimSpace(note)))
		}
	}
}

// joined adds options to a list, their dashes cut.
func joined(list, more string) string {
	for o := range strings.FieldsSeq(more) {
		if list != "" {
			list += " "
		}
		list += strings.TrimLeft(o, "-")
	}
	return list
}
