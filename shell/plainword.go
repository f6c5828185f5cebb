package shell

// Plain words: one literal, or quotes with nothing to expand.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainByte reports whether c stands for itself outside of quotes, or only
// means something in a word that is nothing but a literal.
func plainByte(c byte) bool {
	return 'a' <= c && c <= '~' && c != '|' || '?' <= c && c <= '_' && c != '\\' || '*' <= c && c <= ':' || c == '=' || c == '!' || c == '#' || c == '%'
}

// plainQuoted reports whether c stands for itself between quotes.
func plainQuoted(c byte) bool { return ' ' <= c && c < 0x7f || c == '\n' || c == '\t' }

// word goes over one word and reports whether it has quotes, and whether it is
// plain. Beside quotes and brackets, braces and tildes are not: whether they
// count depends on those.
func (p *plainText) word() (quotes, ok bool) {
	if p.peek(0) == '#' {
		return false, false
	}
	odd, bracket := false, false
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case plainByte(c):
			odd, bracket = odd || c == '{' || c == '~', bracket || c == '['
			p.pos++
		case c == '\\' && plainQuoted(p.peek(1)) && p.peek(1) != '\n':
			p.pos += 2
		case c == '\'' || c == '"':
			if !p.quoted(c) {
				return true, false
			}
			quotes = true
		case c == ' ' || c == '\t' || endsPlain(c):
			return quotes, !odd || !quotes && !bracket
		default:
			return quotes, false
		}
	}
	return quotes, !odd || !quotes && !bracket
}

// quoted goes behind the end of a quote.
func (p *plainText) quoted(quote byte) bool {
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == quote:
			p.pos++
			return true
		case quote == '"' && (c == '$' || c == '`' || c == '\\' && !plainQuoted(p.peek(1)) || c == '\\' && p.peek(1) == '\n'):
			return false
		case quote == '"' && c == '\\':
			p.pos++
		case !plainQuoted(c):
			return false
		}
	}
	return false
}

// literalWord and quotedWord are words of one part.
type literalWord struct {
	word  syntax.Word
	lit   syntax.Lit
	parts [1]syntax.WordPart
}

type quotedWord struct {
	word   syntax.Word
	quoted syntax.SglQuoted
	parts  [1]syntax.WordPart
}

// made is the word from a place on, a word of c. One with quotes becomes a single
// quoted part with the value of the whole.
func (p *plainText) made(c *simpleCall, from int, quotes bool) *syntax.Word {
	raw := p.text[from:p.pos]
	if quotes {
		w := &quotedWord{quoted: syntax.SglQuoted{Left: p.at(from), Right: p.at(p.pos - 1), Value: unquote(raw)}}
		w.parts[0] = &w.quoted
		w.word.Parts = w.parts[:]
		return &w.word
	}
	w := &c.first
	if len(c.call.Args) > 0 {
		w = new(literalWord)
	}
	w.lit = syntax.Lit{ValuePos: p.at(from), ValueEnd: p.at(p.pos), Value: raw}
	w.parts[0] = &w.lit
	w.word.Parts = w.parts[:]
	return &w.word
}

// unquote is the value of a word whose quotes are complete and that has nothing
// to expand.
func unquote(raw string) string {
	if raw[0] == '\'' && strings.IndexByte(raw[1:], '\'') == len(raw)-2 {
		return raw[1 : len(raw)-1]
	}
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		end := len(raw)
		switch raw[i] {
		case '\'':
			end = i + 1 + strings.IndexByte(raw[i+1:], '\'')
			b = append(b, raw[i+1:end]...)
			end++
		case '"':
			end = i + 1
			for raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			b = append(b, unescape(raw[i+1:end], true)...)
			end++
		case '\\':
			b = append(b, raw[i+1])
			end = i + 2
		default:
			if n := strings.IndexAny(raw[i:], `'"\`); n >= 0 {
				end = i + n
			}
			b = append(b, raw[i:end]...)
		}
		i = end
	}
	return string(b)
}
