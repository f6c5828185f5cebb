package consent

// Words: a hook's command line taken apart, without a shell.

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
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

// extensions are those of scripts.
var extensions = []string{".sh", ".bash", ".zsh", ".fish", ".py", ".pyw", ".rb", ".pl", ".lua", ".js", ".mjs", ".cjs", ".ts", ".ps1", ".cmd", ".bat"}

// interpreters are programs that run the file which is their first operand.
var interpreters = []string{"sh", "bash", "dash", "zsh", "fish", "ksh", "python", "pypy", "node", "deno", "bun", "ruby", "perl", "lua", "php", "pwsh", "powershell"}

// Script is the file that decides what a command does: the first word with the ending
// of a script; else the program, if it is a path; else what an interpreter is given to
// run. Empty: there is no such file, or the line cannot be read.
func (p Place) Script(command string) string {
	words, err := p.Words(command)
	if err != nil {
		return ""
	}
	script := scriptOf(words)
	if script == "" || filepath.IsAbs(script) || p.Dir == "" {
		return script
	}
	return filepath.Join(p.Dir, script)
}

func scriptOf(words []string) string {
	for _, w := range words {
		if slices.Contains(extensions, strings.ToLower(filepath.Ext(w))) && !strings.Contains(w, "://") {
			return w
		}
	}
	switch {
	case isPath(words[0]) && !interprets(words[0]):
		return words[0]
	case !interprets(words[0]):
		return ""
	}
	for _, w := range words[1:] {
		switch {
		case w == "-c" || w == "-m" || w == "-e" || w == "-" || w == "-Command" || w == "--eval":
			return "" // the code is in the line itself, or somewhere else
		case !strings.HasPrefix(w, "-"):
			return w
		}
	}
	return ""
}

func interprets(word string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(word)), ".exe")
	return slices.Contains(interpreters, strings.TrimRight(name, "0123456789."))
}

func isPath(word string) bool {
	if strings.Contains(word, "://") {
		return false
	}
	return strings.ContainsRune(word, '/') || runtime.GOOS == "windows" && strings.ContainsRune(word, '\\')
}
