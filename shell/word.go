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
		if len(out) > MaxFields*4 {
			w.limit("A command has more than %d arguments.", MaxFields*4)
			break
		}
	}
	return out
}

// expand appends what one word expands to; it walks no commands.
func (w *walker) expand(out []assent.Word, x *syntax.Word) []assent.Word {
	if len(x.Parts) == 1 {
		if l, ok := x.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(l.Value, `\{~`) {
			return append(out, assent.Word{Text: l.Value, Value: l.Value, Known: true})
		}
	}
	text := w.slice(x)
	if opened(x) > MaxBraces {
		w.limit("A word has more than %d braces.", MaxBraces)
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
		w.limit("A word expands to more than %d words.", MaxFields)
	}
	return out
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
		if l, ok := p.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(l.Value, "~") {
			b.tilde(l.Value)
			continue
		} else if ok && i == 0 && strings.Contains(l.Value, "=~") && isAssign(l.Value) {
			name, tilde, _ := strings.Cut(l.Value, "=")
			b.add(name + "=")
			b.tilde(tilde)
			continue
		}
		b.part(p, false)
	}
	b.end()
	return b.out
}

// text returns a word's value as one string, as in an assignment.
func (w *walker) textOf(x *syntax.Word) value {
	if x == nil {
		return value{known: true}
	}
	b := builder{w: w, known: true, whole: true}
	for i, p := range x.Parts {
		if l, ok := p.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(l.Value, "~") {
			b.tilde(l.Value)
			continue
		}
		b.part(p, false)
	}
	return value{text: string(b.val), known: b.known}
}

// builder makes fields of parts.
type builder struct {
	w     *walker
	out   []assent.Word
	text  string
	val   []byte
	known bool
	some  bool // the field exists, even when empty
	whole bool // no splitting
}

func (b *builder) add(s string) {
	b.some = b.some || s != ""
	if !b.known {
		return // only the start is kept
	}
	if len(b.val)+len(s) > MaxWord {
		b.w.limit("A word is longer than %d bytes.", MaxWord)
		b.unknown("")
		return
	}
	b.w.steps += len(s) >> 4
	b.val = append(b.val, s...)
}

// unknown ends what is known of the field; start is what is known of the part.
func (b *builder) unknown(start string) {
	b.add(start)
	b.some, b.known = true, false
}

func (b *builder) end() {
	if b.some {
		b.w.steps++
		b.out = append(b.out, assent.Word{Text: b.text, Value: string(b.val), Known: b.known})
	}
	b.val, b.some, b.known = nil, false, true
}

func (b *builder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.add(unescape(p.Value, quoted))
	case *syntax.SglQuoted:
		b.some = true
		if p.Dollar {
			b.add(ansiC(p.Value))
		} else {
			b.add(p.Value)
		}
	case *syntax.DblQuoted:
		b.quoted(p)
	case *syntax.ParamExp:
		b.value(b.w.param(p), quoted, p)
	case *syntax.CmdSubst:
		v := b.w.printed(p.Stmts)
		v.text = strings.TrimRight(v.text, "\n")
		b.value(v, quoted, nil)
	case *syntax.ExtGlob:
		b.add(p.Op.String() + p.Pattern.Value + ")")
	default: // arithmetic, process substitution
		b.unknown("")
	}
}

func (b *builder) quoted(p *syntax.DblQuoted) {
	if len(p.Parts) == 1 {
		if pe, ok := p.Parts[0].(*syntax.ParamExp); ok && isList(pe) {
			b.value(b.w.param(pe), true, pe) // "$@" of nothing is nothing
			return
		}
	}
	b.some = true
	for _, q := range p.Parts {
		b.part(q, true)
	}
}

// value adds an expansion.
func (b *builder) value(v value, quoted bool, pe *syntax.ParamExp) {
	if v.array && v.known && quoted && pe != nil && isStar(pe) {
		b.some = true
		b.add(strings.Join(v.list, " "))
		return
	}
	if v.array && v.known {
		b.list(v.list, quoted && pe != nil && !isStar(pe))
		return
	}
	switch {
	case !v.known:
		b.unknown(v.text)
	case quoted || b.whole:
		b.add(v.text)
	default:
		b.split(v.text)
	}
}

func (b *builder) list(items []string, apart bool) {
	for i, item := range items {
		if i > 0 {
			if b.whole || !apart && b.some {
				b.add(" ")
			} else {
				b.end()
			}
		}
		if apart {
			b.some = true
			b.add(item)
		} else {
			b.split(item)
		}
		if !apart && !b.whole && i < len(items)-1 {
			b.end()
		}
	}
}

// split adds text that the shell splits at $IFS.
func (b *builder) split(s string) {
	if b.whole {
		b.add(s)
		return
	}
	ifs := b.w.lookup("IFS")
	if !ifs.known {
		b.unknown("")
		return
	}
	for s != "" {
		i := strings.IndexAny(s, ifs.text)
		if i < 0 {
			b.add(s)
			return
		}
		b.add(s[:i])
		if len(b.out) > MaxFields*4 {
			b.w.limit("A word expands to more than %d words.", MaxFields*4)
			return
		}
		b.end()
		s = s[i+1:]
	}
}

// tilde adds a literal that starts with ~.
func (b *builder) tilde(lit string) {
	if !strings.HasPrefix(lit, "~") {
		b.add(unescape(lit, false))
		return
	}
	user, rest, slash := strings.Cut(lit[1:], "/")
	switch {
	case user == "":
		b.add(b.w.lookup("HOME").text)
	case user == "+" && b.w.st.dir != "":
		b.add(b.w.st.dir)
	case user == "root":
		b.add("/root")
	default:
		b.unknown("")
	}
	if slash {
		b.add("/" + unescape(rest, false))
	}
}

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?[") }

func isGlob(c byte) bool { return c == '*' || c == '?' || c == '[' }
