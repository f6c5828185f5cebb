package shell

// Building the values of words from their parts.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// builder makes fields of parts.
type builder struct {
	w     *walker
	out   []assent.Word
	text  string
	val   []byte
	draft []byte // once it is not known, the whole with a variable for what is not
	grown int    // bytes of expansions
	known bool
	some  bool // the field exists, even when empty
	whole bool // no splitting
}

// add adds what an expansion gives.
func (b *builder) add(s string) {
	if b.grown += len(s); b.grown > MaxWord {
		b.w.partly("A word expands to more than %d bytes.", MaxWord)
		b.val, b.draft, b.some, b.known = nil, nil, true, false
		return
	}
	b.literal(s)
}

// literal adds what stands in the text, which has a limit of its own.
func (b *builder) literal(s string) {
	b.some = b.some || s != ""
	b.w.steps += len(s) >> 4
	if !b.known {
		b.draft = append(b.draft, s...) // of the value only the start is kept
		return
	}
	b.val = append(b.val, s...)
}

// unknown ends what is known of the field; start is what is known of the part.
func (b *builder) unknown(start string) {
	b.add(start)
	if b.known {
		b.draft = append(b.draft, b.val...)
	}
	b.draft = append(b.draft, unknownDraft...)
	b.some, b.known = true, false
}

func (b *builder) end() {
	if b.some {
		b.w.steps++
		if !b.known {
			b.w.note(b.text, b.draft)
		}
		b.out = append(b.out, assent.Word{Text: b.text, Value: string(b.val), Known: b.known})
	}
	b.val, b.draft, b.some, b.known = nil, nil, false, true
}

func (b *builder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.literal(unescape(p.Value, quoted))
	case *syntax.SglQuoted:
		b.some = true
		if p.Dollar {
			b.literal(ansiC(p.Value))
		} else {
			b.literal(p.Value)
		}
	case *syntax.DblQuoted:
		b.quoted(p)
	case *syntax.ParamExp:
		b.value(b.w.param(p), quoted, p)
	case *syntax.CmdSubst:
		v := b.w.printed(p.Stmts)
		v.text = strings.TrimRight(v.text, "\n")
		b.value(v, quoted, nil)
	case *syntax.ProcSubst:
		if p.Op == syntax.CmdIn && b.text != "" {
			if b.w.subs == nil {
				b.w.subs = map[string]input{}
			}
			b.w.subs[b.text] = b.w.outputOf(p.Stmts)
		}
		b.unknown("")
	default: // arithmetic, extended globs
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
		i := indexAny(s, ifs.text)
		if i < 0 {
			b.add(s)
			return
		}
		b.add(s[:i])
		if len(b.out) > MaxArgs {
			b.w.partly("A word expands to more than %d words.", MaxArgs)
			return
		}
		b.end()
		s = s[i+1:]
	}
}

// indexAny is strings.IndexAny for the few bytes of $IFS.
func indexAny(s, set string) int {
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(set, s[i]) >= 0 {
			return i
		}
	}
	return -1
}

// tilde adds a literal that starts with ~.
func (b *builder) tilde(lit string) {
	if !strings.HasPrefix(lit, "~") {
		b.literal(unescape(lit, false))
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
