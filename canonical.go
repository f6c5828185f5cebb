package assent

// Canonical JSON (RFC 8785): one spelling for one value, so that a hash of it
// binds the value. Stricter than encoding/json: what two readers could take for
// two different things is refused.

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may nest in canonical JSON.
const MaxDepth = 200

// Canonical returns the RFC 8785 form of one JSON value. ErrInvalid for anything
// that is not exactly one value, and for duplicate keys, invalid UTF-8, lone
// surrogates, nesting beyond MaxDepth, and numbers that a double cannot hold.
func Canonical(raw []byte) ([]byte, error) {
	p := &jsonReader{in: raw}
	out := make([]byte, 0, len(raw))
	out, err := p.value(out, 0)
	if err == nil {
		p.space()
		if p.pos != len(p.in) {
			err = p.fail("more than one value")
		}
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

type jsonReader struct {
	in  []byte
	pos int
}

func (p *jsonReader) fail(what string) error {
	return fmt.Errorf("JSON, byte %d: %s: %w", p.pos, what, ErrInvalid)
}

func (p *jsonReader) space() {
	for p.pos < len(p.in) && strings.IndexByte(" \t\r\n", p.in[p.pos]) >= 0 {
		p.pos++
	}
}

// next skips space and returns the byte that follows, or 0 at the end.
func (p *jsonReader) next() byte {
	p.space()
	if p.pos == len(p.in) {
		return 0
	}
	return p.in[p.pos]
}

func (p *jsonReader) value(out []byte, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, p.fail("nested too deeply")
	}
	switch c := p.next(); {
	case c == '{':
		return p.object(out, depth)
	case c == '[':
		return p.array(out, depth)
	case c == '"':
		s, err := p.str()
		return appendString(out, s), err
	case c == '-' || c >= '0' && c <= '9':
		return p.number(out)
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.in[p.pos:], []byte(word)) {
			p.pos += len(word)
			return append(out, word...), nil
		}
	}
	return nil, p.fail("a value was expected")
}

func (p *jsonReader) array(out []byte, depth int) ([]byte, error) {
	p.pos++
	out = append(out, '[')
	if p.next() == ']' {
		p.pos++
		return append(out, ']'), nil
	}
	for {
		var err error
		if out, err = p.value(out, depth+1); err != nil {
			return nil, err
		}
		switch p.next() {
		case ',':
			out = append(out, ',')
		case ']':
			p.pos++
			return append(out, ']'), nil
		default:
			return nil, p.fail("',' or ']' was expected")
		}
		p.pos++
	}
}

type member struct {
	key   string
	value []byte
}

func (p *jsonReader) object(out []byte, depth int) ([]byte, error) {
	p.pos++
	if p.next() == '}' {
		p.pos++
		return append(out, '{', '}'), nil
	}
	var members []member
	for {
		m, err := p.member(depth)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
		c := p.next()
		if c != ',' && c != '}' {
			return nil, p.fail("',' or '}' was expected")
		}
		p.pos++
		if c == '}' {
			return p.sorted(out, members)
		}
	}
}

func (p *jsonReader) member(depth int) (m member, err error) {
	if p.next() != '"' {
		return m, p.fail("a key was expected")
	}
	if m.key, err = p.str(); err != nil {
		return m, err
	}
	if p.next() != ':' {
		return m, p.fail("':' was expected")
	}
	p.pos++
	m.value, err = p.value(nil, depth+1)
	return m, err
}

// sorted writes members in the order of their keys' UTF-16 code units.
func (p *jsonReader) sorted(out []byte, members []member) ([]byte, error) {
	slices.SortFunc(members, func(a, b member) int { return compareUTF16(a.key, b.key) })
	out = append(out, '{')
	for i, m := range members {
		if i > 0 {
			if members[i-1].key == m.key {
				return nil, p.fail(fmt.Sprintf("the key %q stands twice", m.key))
			}
			out = append(out, ',')
		}
		out = append(appendString(out, m.key), ':')
		out = append(out, m.value...)
	}
	return append(out, '}'), nil
}

func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			return slices.Compare(utf16.Encode([]rune{ra}), utf16.Encode([]rune{rb}))
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

// str reads a string literal that starts at p.pos.
func (p *jsonReader) str() (string, error) {
	p.pos++
	start := p.pos
	for i := start; i < len(p.in); i++ { // the common case: nothing to unescape
		switch c := p.in[i]; {
		case c == '"':
			p.pos = i + 1
			s := string(p.in[start:i])
			if !utf8.ValidString(s) {
				return "", p.fail("invalid UTF-8")
			}
			return s, nil
		case c < 0x20:
			p.pos = i
			return "", p.fail("a control character in a string")
		case c == '\\':
			return p.escaped(start, i)
		}
	}
	p.pos = len(p.in)
	return "", p.fail("a string that does not end")
}

func (p *jsonReader) escaped(start, i int) (string, error) {
	b := append([]byte(nil), p.in[start:i]...)
	for p.pos = i; p.pos < len(p.in); {
		switch c := p.in[p.pos]; {
		case c == '"':
			p.pos++
			if !utf8.Valid(b) {
				return "", p.fail("invalid UTF-8")
			}
			return string(b), nil
		case c < 0x20:
			return "", p.fail("a control character in a string")
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, c)
			p.pos++
		}
	}
	return "", p.fail("a string that does not end")
}

var jsonEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonReader) escape() (rune, error) {
	if p.pos+1 >= len(p.in) {
		return 0, p.fail("an escape that does not end")
	}
	c := p.in[p.pos+1]
	if r, ok := jsonEscapes[c]; ok {
		p.pos += 2
		return r, nil
	}
	r, ok := p.hex4()
	if c != 'u' || !ok {
		return 0, p.fail("an unknown escape")
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if low, ok := p.hex4(); ok {
		if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
			return full, nil
		}
	}
	return 0, p.fail("a lone surrogate")
}

// hex4 reads \uXXXX at p.pos.
func (p *jsonReader) hex4() (rune, bool) {
	if p.pos+6 > len(p.in) || p.in[p.pos] != '\\' || p.in[p.pos+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.in[p.pos+2:p.pos+6]), 16, 16)
	p.pos += 6
	return rune(n), err == nil
}

func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		out = append(out, s[from:i]...)
		from = i + 1
		if j := strings.IndexByte("\b\t\n\f\r\"\\", c); j >= 0 {
			out = append(out, '\\', `btnfr"\`[j])
		} else {
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(append(out, s[from:]...), '"')
}

// number reads a JSON number and writes it as ECMAScript does.
func (p *jsonReader) number(out []byte) ([]byte, error) {
	start := p.pos
	if p.in[p.pos] == '-' {
		p.pos++
	}
	whole := p.digits()
	lead := whole > 1 && p.in[p.pos-whole] == '0'
	bad := whole == 0 || lead
	integer := true
	if p.pos < len(p.in) && p.in[p.pos] == '.' {
		p.pos++
		integer = false
		bad = bad || p.digits() == 0
	}
	if p.pos < len(p.in) && (p.in[p.pos] == 'e' || p.in[p.pos] == 'E') {
		p.pos++
		integer = false
		if p.pos < len(p.in) && (p.in[p.pos] == '+' || p.in[p.pos] == '-') {
			p.pos++
		}
		bad = bad || p.digits() == 0
	}
	lit := string(p.in[start:p.pos])
	f, err := strconv.ParseFloat(lit, 64)
	if bad || err != nil {
		return nil, p.fail("a number that cannot be read")
	}
	text := formatNumber(f)
	if integer && text != lit && lit != "-0" && strconv.FormatFloat(f, 'f', 0, 64) != lit {
		return nil, p.fail("a number too large to be exact")
	}
	return append(out, text...), nil
}

func (p *jsonReader) digits() int {
	from := p.pos
	for p.pos < len(p.in) && p.in[p.pos] >= '0' && p.in[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - from
}

// formatNumber is Number::toString of ECMAScript, as RFC 8785 demands.
func formatNumber(f float64) string {
	if f == 0 {
		return "0"
	}
	abs := max(f, -f)
	if abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mant, exp, _ := strings.Cut(s, "e")
	return mant + "e" + exp[:1] + strings.TrimLeft(exp[1:], "0")
}
