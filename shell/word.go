package shell

// Words: what a shell makes of one word, after quotes, escapes and expansions.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// fields expands words to what a program would get, and walks the commands that
// stand in them.
func (w *walker) fields(words []*syntax.Word) []assent.Word {
	out := make([]assent.Word, 0, len(words))
	for _, x := range words {
		if !w.step() {
			break
		}
		w.hiddenWord(x)
		out = w.expand(out, x)
		if len(out) > MaxArgs {
			w.partly("A command has more than %d arguments.", MaxArgs)
			break
		}
	}
	return out
}

// expand appends what one word expands to; it walks no commands.
func (w *walker) expand(out []assent.Word, x *syntax.Word) []assent.Word {
	if len(x.Parts) == 1 {
		switch p := x.Parts[0].(type) {
		case *syntax.Lit:
			if !strings.ContainsAny(p.Value, `\{~`) {
				w.bulk(p.Value)
				return append(out, assent.Word{Text: p.Value, Value: p.Value, Known: true})
			}
		case *syntax.SglQuoted:
			if !p.Dollar {
				w.bulk(p.Value)
				return append(out, assent.Word{Text: w.slice(x), Value: p.Value, Known: true})
			}
		}
	}
	text := w.slice(x)
	if opened(x) > MaxBraces {
		w.partly("A word has more than %d braces.", MaxBraces)
		return append(out, assent.Word{Text: text})
	}
	split := *x
	if !syntax.SplitBraces(&split) {
		return w.one(out, text, x.Parts)
	}
	n := len(out)
	done := w.braces(split.Parts, nil, func(parts []syntax.WordPart) bool {
		out = w.one(out, text, parts)
		return len(out)-n <= MaxFields && w.step()
	})
	if !done {
		w.partly("A word expands to more than %d words.", MaxFields)
	}
	return out
}

// bulk says of a literal word that it is longer than any that a program can be
// given.
func (w *walker) bulk(word string) {
	if len(word) > MaxLiteral {
		w.partly("A word is longer than %d bytes, which is more than a program can be given.", MaxLiteral)
	}
}

// opened counts what may be brace expansions; splitting them takes the square
// of their number.
func opened(x *syntax.Word) int {
	n := 0
	for _, p := range x.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{")
		}
	}
	return n
}

// one expands the parts of a word without braces.
//
// A tilde also counts behind NAME=, as bash has it outside of its posix mode.
func (w *walker) one(out []assent.Word, text string, parts []syntax.WordPart) []assent.Word {
	b := builder{w: w, out: out, text: text, known: true}
	for i, p := range parts {
		if l, ok := p.(*syntax.Lit); ok && i == 0 && startsTilde(l.Value, parts) {
			b.tilde(l.Value)
			continue
		} else if ok && i == 0 && strings.Contains(l.Value, "=~") && isAssign(l.Value) {
			if name, tilde, _ := strings.Cut(l.Value, "="); startsTilde(tilde, parts) {
				b.add(name + "=")
				b.tilde(tilde)
				continue
			}
		}
		b.part(p, false)
	}
	b.end()
	return b.out
}

// startsTilde reports whether the literal that a word starts with has a tilde
// that counts: nothing is quoted up to the first slash.
func startsTilde(lit string, parts []syntax.WordPart) bool {
	return strings.HasPrefix(lit, "~") && (len(parts) == 1 || strings.Contains(lit, "/"))
}

// textOf returns a word's value as one string, as in an assignment.
func (w *walker) textOf(x *syntax.Word) value {
	if x == nil {
		return value{known: true}
	}
	b := builder{w: w, known: true, whole: true}
	for i, p := range x.Parts {
		if l, ok := p.(*syntax.Lit); ok && i == 0 && startsTilde(l.Value, x.Parts) {
			b.tilde(l.Value)
			continue
		}
		b.part(p, false)
	}
	return value{text: string(b.val), known: b.known}
}
