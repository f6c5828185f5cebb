package consent

// Words: a hook's command line taken apart, without a shell.

import (
	"errors"
	"runtime"
	"strings"
)

// Place is where a command line is read: what "~" and the project's directory are.
type Place struct {
	Home string // of the user
	Dir  string // of the project: where the command runs
}

// variables are the names that stand for Dir in a command line. No others are
// expanded.
var variables = []string{"${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR", "${PROJECT_DIR}", "$PROJECT_DIR"}

// Words splits a command line as a POSIX shell would quote it. "~/" at the beginning
// of a word is the home, and $PROJECT_DIR and $CLAUDE_PROJECT_DIR outside single
// quotes are the directory; nothing else is expanded. An error for a quote or an
// escape that does not end, and for a line without a word. On Windows a backslash is
// a letter like any other.
func (p Place) Words(command string) ([]string, error) {
	s := splitter{place: p, in: command, literal: runtime.GOOS == "windows"}
	return s.split()
}

type splitter struct {
	place   Place
	in      string
	literal bool // backslashes are
	word    strings.Builder
	open    bool // a word has begun
	words   []string
}

func (s *splitter) split() ([]string, error) {
	for s.in != "" {
		c := s.in[0]
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			s.in = s.in[1:]
			s.end()
		case c == '\'':
			if err := s.single(); err != nil {
				return nil, err
			}
		case c == '"':
			if err := s.double(); err != nil {
				return nil, err
			}
		case c == '\\' && !s.literal:
			if len(s.in) < 2 {
				return nil, errors.New("the command ends in an escape")
			}
			s.take(s.in[1:2], 2)
		case c == '~' && !s.open && s.place.Home != "" && (len(s.in) == 1 || strings.IndexByte("/ \t\r\n", s.in[1]) >= 0):
			s.take(s.place.Home, 1)
		default:
			s.letter()
		}
	}
	s.end()
	if len(s.words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return s.words, nil
}

// take adds text to the word for n bytes of the line.
func (s *splitter) take(text string, n int) {
	s.open = true
	s.word.WriteString(text)
	s.in = s.in[n:]
}

// letter takes a variable, or one byte.
func (s *splitter) letter() {
	for _, v := range variables {
		rest, ok := strings.CutPrefix(s.in, v)
		longer := !strings.HasSuffix(v, "}") && rest != "" && isName(rest[0])
		if ok && !longer && s.place.Dir != "" {
			s.take(s.place.Dir, len(v))
			return
		}
	}
	s.take(s.in[:1], 1)
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var errQuote = errors.New("the command has a quote that does not end")

func (s *splitter) single() error {
	inside, _, ok := strings.Cut(s.in[1:], "'")
	if !ok {
		return errQuote
	}
	s.take(inside, len(inside)+2)
	return nil
}

func (s *splitter) double() error {
	s.take("", 1)
	for s.in != "" {
		switch c := s.in[0]; {
		case c == '"':
			s.take("", 1)
			return nil
		case c == '\\' && !s.literal && len(s.in) > 1 && strings.IndexByte(`"\$`, s.in[1]) >= 0:
			s.take(s.in[1:2], 2)
		default:
			s.letter()
		}
	}
	return errQuote
}

func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.open = false
	}
}
