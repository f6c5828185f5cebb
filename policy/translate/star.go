package translate

// Starlark, as far as lists of rules need it: calls of functions with texts, lists
// and plain values. Anything else is left over, with its line.

import (
	"strconv"
	"strings"

	"assent"
	"assent/policy/rules"
)

// starCall is one call at the top of a file.
type starCall struct {
	name   string
	line   int
	values map[string]any // texts, lists ([]any), and nil for all else
}

func (c starCall) text(key string) string {
	s, _ := c.values[key].(string)
	return s
}

// examples are commands: texts, or lists of words.
func (c starCall) examples(key string) []rules.Example {
	list, _ := c.values[key].([]any)
	var out []rules.Example
	for _, v := range list {
		text, ok := v.(string)
		if words, isList := v.([]any); isList {
			text, ok = quoted(words)
		}
		if ok && text != "" {
			out = append(out, rules.Example{Text: text, Line: c.line})
		}
	}
	return out
}

// quoted are words as a shell reads them.
func quoted(words []any) (string, bool) {
	var out []string
	for _, w := range words {
		s, ok := w.(string)
		if !ok {
			return "", false
		}
		if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+") != "" {
			s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		out = append(out, s)
	}
	return strings.Join(out, " "), true
}

// readCalls reads a file. What is no plain call is passed over to the next line
// that begins at its left edge.
func readCalls(src string) (calls []starCall, left []Left) {
	s := &star{src: src, line: 1}
	for s.space(); s.src != ""; s.space() {
		at, line := s.src, s.line
		if c, ok := s.call(); ok {
			calls = append(calls, c)
			continue
		}
		text, _, _ := strings.Cut(at, "\n")
		left = append(left, Left{line, strings.TrimSpace(text), "only plain calls with texts and lists are understood", assent.Ask})
		s.pass()
	}
	return calls, left
}

// star reads a source from its front.
type star struct {
	src   string
	line  int
	depth int
}

func (s *star) take(n int) string {
	t := s.src[:n]
	s.line += strings.Count(t, "\n")
	s.src = s.src[n:]
	return t
}

// space passes over blanks, line ends and comments.
func (s *star) space() {
	for s.src != "" {
		switch c := s.src[0]; {
		case strings.IndexByte(" \t\r\n\\;", c) >= 0:
			s.take(1)
		case c == '#':
			end := strings.IndexByte(s.src, '\n')
			if end < 0 {
				end = len(s.src)
			}
			s.take(end)
		default:
			return
		}
	}
}

// pass goes on to the next line that begins at the left edge.
func (s *star) pass() {
	for s.src != "" {
		end := strings.IndexByte(s.src, '\n')
		if end < 0 {
			end = len(s.src) - 1
		}
		s.take(end + 1)
		if s.src != "" && strings.IndexByte(" \t\r\n)]", s.src[0]) < 0 {
			return
		}
	}
}

// sign takes a sign if it comes next.
func (s *star) sign(c byte) bool {
	s.space()
	if s.src == "" || s.src[0] != c {
		return false
	}
	s.take(1)
	return true
}

func (s *star) name() string {
	s.space()
	n := 0
	for n < len(s.src) && (s.src[n] == '_' || s.src[n]|0x20 >= 'a' && s.src[n]|0x20 <= 'z' || n > 0 && s.src[n] >= '0' && s.src[n] <= '9') {
		n++
	}
	return s.take(n)
}

// call reads name(key = value, …). A value without a key is the pattern.
func (s *star) call() (starCall, bool) {
	c := starCall{line: s.line, values: map[string]any{}}
	if c.name = s.name(); c.name == "" || !s.sign('(') {
		return c, false
	}
	for !s.sign(')') {
		key, before := "pattern", *s
		if name := s.name(); name != "" && s.sign('=') {
			key = name
		} else {
			*s = before
		}
		v, ok := s.value()
		if _, twice := c.values[key]; !ok || twice {
			return c, false
		}
		c.values[key] = v
		if !s.sign(',') {
			return c, s.sign(')')
		}
	}
	return c, true
}

// maxStar is how deep lists may stand in each other.
const maxStar = 10

func (s *star) value() (any, bool) {
	s.space()
	for _, end := range []string{"[]", "()"} {
		if s.sign(end[0]) {
			return s.list(end[1])
		}
	}
	if v, ok := s.text(); ok {
		return v, true
	}
	switch s.name() {
	case "None", "True", "False":
		return nil, true
	}
	return nil, false
}

func (s *star) list(end byte) (any, bool) {
	if s.depth++; s.depth > maxStar {
		return nil, false
	}
	defer func() { s.depth-- }()
	out := []any{}
	for !s.sign(end) {
		v, ok := s.value()
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if !s.sign(',') {
			return out, s.sign(end)
		}
	}
	return out, true
}

// text reads a text in quotes of any kind.
func (s *star) text() (string, bool) {
	raw := len(s.src) > 1 && s.src[0] == 'r' && strings.IndexByte(`"'`, s.src[1]) >= 0
	if raw {
		s.take(1)
	}
	if s.src == "" || strings.IndexByte(`"'`, s.src[0]) < 0 {
		return "", false
	}
	quote := s.src[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s.src, long) {
		quote = long
	}
	s.take(len(quote))
	var b strings.Builder
	for !strings.HasPrefix(s.src, quote) {
		if s.src == "" || len(quote) == 1 && s.src[0] == '\n' {
			return "", false
		}
		if s.src[0] != '\\' || raw {
			b.WriteString(s.take(1))
			continue
		}
		c, _, rest, err := strconv.UnquoteChar(s.src, quote[0])
		if err != nil {
			return "", false
		}
		s.take(len(s.src) - len(rest))
		b.WriteRune(c)
	}
	s.take(len(quote))
	return b.String(), true
}
