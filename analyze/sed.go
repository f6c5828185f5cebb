package analyze

// sed scripts: the commands they start and the files they read and write.

import (
	"strings"

	"assent"
	"assent/programs"
)

// sedSnippets returns the scripts that a call of sed is given.
func sedSnippets(cmd assent.Command) []snippet {
	a := programs.Read(cmd)
	var out []snippet
	for _, w := range a.Values("e expression") {
		out = append(out, snippet{text: w, read: observeSed, flat: true})
	}
	if len(out) == 0 && !a.Option("-f --file") && len(a.Operands) > 0 {
		out = append(out, snippet{text: a.Operands[0], read: observeSed, flat: true})
	}
	return out
}

// observeSed returns what a sed script does.
func observeSed(script string) effects {
	s := sedScript{src: script}
	for s.pos < len(s.src) && s.command() {
	}
	return s.e
}

// sedScript is a script while it is read.
type sedScript struct {
	src string
	pos int
	e   effects
}

// skip goes over any of a set of bytes.
func (s *sedScript) skip(set string) {
	for s.pos < len(s.src) && strings.IndexByte(set, s.src[s.pos]) >= 0 {
		s.pos++
	}
}

// address goes over one address: a line, $, /regex/ or \cregexc.
func (s *sedScript) address() {
	if s.pos >= len(s.src) {
		return
	}
	switch c := s.src[s.pos]; {
	case c >= '0' && c <= '9' || c == '$' || c == '+' || c == '~':
		s.pos++
		s.skip("0123456789~$")
	case c == '/':
		s.until('/')
		s.skip("IM")
	case c == '\\' && s.pos+1 < len(s.src):
		s.pos++
		s.until(s.src[s.pos])
		s.skip("IM")
	}
}

// until goes from one delimiter past the next.
func (s *sedScript) until(delim byte) bool {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\\':
			s.pos++
		case '[': // a class may hold the delimiter
			if end := strings.IndexByte(s.src[min(len(s.src), s.pos+2):], ']'); end >= 0 && strings.IndexByte(s.src[s.pos:s.pos+2+end], '\n') < 0 {
				s.pos += end + 2
			}
		case delim:
			s.pos++
			return true
		}
	}
	return false
}

// line is the rest of the line.
func (s *sedScript) line() string {
	rest := s.src[min(s.pos, len(s.src)):]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	s.pos += len(rest)
	return strings.TrimSpace(rest)
}

// command reads one command with its addresses.
func (s *sedScript) command() bool {
	s.skip(" \t\n;{}")
	s.address()
	s.skip(" \t")
	if s.pos < len(s.src) && s.src[s.pos] == ',' {
		s.pos++
		s.skip(" \t")
		s.address()
	}
	s.skip(" \t!")
	if s.pos >= len(s.src) {
		return false
	}
	c := s.src[s.pos]
	s.pos++
	switch c {
	case 'e':
		if text := s.line(); text != "" {
			s.e.texts = append(s.e.texts, said(text))
		} else {
			s.e.say("code.unknown", "It runs the lines that sed reads as commands.")
		}
	case 'w', 'W':
		s.e.writes(said(s.line()))
	case 'r', 'R':
		if name := s.line(); name != "" {
			s.e.act("cat", said(name))
		}
	case 's':
		return s.substitute()
	case 'y':
		s.pos--
		return s.pos+1 < len(s.src) && s.delimited(2)
	case 'a', 'i', 'c', 'b', 't', 'T', ':', '#', 'v':
		s.line()
	}
	return true
}

// delimited goes over parts that end with the byte after the next.
func (s *sedScript) delimited(parts int) bool {
	s.pos++
	if s.pos >= len(s.src) {
		return false
	}
	delim := s.src[s.pos]
	for range parts {
		if !s.until(delim) {
			return false
		}
		s.pos--
	}
	s.pos++
	return true
}

// substitute reads s/…/…/ and its flags, of which w writes and e runs.
func (s *sedScript) substitute() bool {
	s.pos--
	if !s.delimited(2) {
		return false
	}
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case 'e':
			s.e.say("code.unknown", "It runs what it has substituted as a command.")
		case 'w':
			s.pos++
			s.e.writes(said(s.line()))
			return true
		case ';', '\n', '}', ' ', '#':
			return true
		}
		s.pos++
	}
	return true
}
