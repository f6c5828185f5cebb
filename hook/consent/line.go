package consent

// Lines: the files that a command line names, which an approval binds.

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// line is a command line in its place.
type line struct {
	script string            // see Place.Script
	files  map[string]string // regular files by whole paths; their keys are their words, with the project's directory as it was written
	loose  []string          // relative words that mean a file of whatever directory the agent is in
	near   []string          // relative words that are, by chance or not, files here
	beyond bool              // code is run that is in no file of the line
}

// Script is the file that decides most of what a command does: the program, if it is a
// path and not the system's; else the first word with the ending of a script; else
// what an interpreter is given to run; else the first file that the line names. Empty:
// there is no such file, or the line cannot be read.
func (p Place) Script(command string) string {
	l, err := p.line(command)
	if err != nil {
		return ""
	}
	return l.script
}

// Files are the files that an approval of a command binds, in order; none of a line
// that cannot be read.
func (p Place) Files(command string) []string {
	l, _ := p.line(command)
	return slices.Compact(slices.Sorted(maps.Values(l.files)))
}

func (p Place) line(command string) (line, error) {
	l := line{files: map[string]string{}}
	words, err := p.Words(command)
	if err != nil {
		return l, err
	}
	keys, err := Place{Home: p.Home}.Words(command)
	if err != nil {
		return l, err
	}
	var code []int
	code, l.beyond = codeOf(words)
	l.beyond = l.beyond || !isPath(words[0]) && !known(words[0])
	if len(code) > 0 {
		l.script = p.of(words[code[0]])
	}
	for i, w := range words {
		key := keys[i]
		if name, value, ok := strings.Cut(w, "="); ok && filepath.IsAbs(value) { // --rules=/…
			w, key = value, strings.TrimPrefix(key, name+"=")
		}
		l.word(p, w, key, slices.Contains(code, i), i == 0)
	}
	return l, nil
}

// word puts a word where it belongs.
func (l *line) word(p Place, w, key string, runs, program bool) {
	path := p.of(w)
	unplaced := p.Dir == "" && slices.ContainsFunc(variables, func(v string) bool { return strings.HasPrefix(w, v) })
	switch {
	case strings.Contains(w, "://"), strings.HasPrefix(w, "-"), unplaced, program && !isPath(w):
	case filepath.IsAbs(w):
		if !ofSystem(w) && (runs || !grows(w)) && isFile(path) {
			l.files[key] = path
			if l.script == "" {
				l.script = path
			}
		}
	case runs || program:
		l.loose = append(l.loose, w)
	case p.Dir == "" || grows(w) || !isFile(path):
	case isPath(w):
		l.loose = append(l.loose, w)
	default:
		l.near = append(l.near, w)
	}
}

// of is a word as a path here.
func (p Place) of(word string) string {
	if filepath.IsAbs(word) || p.Dir == "" {
		return word
	}
	return filepath.Join(p.Dir, word)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// grows reports whether a file is one that hooks write to, by its ending: what it
// holds is no part of what was allowed.
func grows(path string) bool {
	if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
		return false // a program, whatever it is called
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".log", ".jsonl", ".ndjson", ".out", ".err", ".csv", ".tsv", ".db", ".sqlite", ".sqlite3", ".pid", ".lock":
		return true
	}
	return false
}

// unbound says why a word cannot be allowed, and what to write in its place.
func (p Place) unbound(word string) error {
	said := fmt.Sprintf("%q is another file in every directory that an agent works in, so nobody can allow it: write its whole path", word)
	if p.Dir != "" {
		said += fmt.Sprintf(" (%s)", filepath.Join(p.Dir, word))
	}
	return fmt.Errorf("%s, or \"$PROJECT_DIR/%s\"", said, filepath.ToSlash(filepath.Clean(word)))
}
