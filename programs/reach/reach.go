// Package reach says how far the first words of a command reach: whether what may
// follow them is itself a program, code, or a thing to be destroyed, and where the
// subcommand ends that a person would name the command by.
//
// It knows programs by their names alone, never looks at facts, and decides
// nothing: whoever would allow an open end must ask here first.
//
//	reach.Open("npm", "run")        // "it runs whatever script …": npm run * is a hole
//	reach.Open("npm", "run", "dev") // "": the script is named
//	reach.Prefix("git", "checkout", "main") // 2: git checkout
package reach

import (
	"path"
	"strings"
)

// Open returns why an open end after these words, the program first, would let
// anything happen, as the end of a sentence that begins with the program. It is
// empty where the words have settled what runs.
func Open(words ...string) string {
	if len(words) == 0 || words[0] == "" {
		return "may be any program"
	}
	name, args := plain(words[0]), words[1:]
	if len(args) > 0 && has("docker podman nerdctl", name) {
		switch args[0] {
		case "compose":
			name, args = "docker-compose", args[1:]
		case "container":
			args = args[1:]
		}
	}
	for i := range table {
		if row := &table[i]; has(row.names, name) && row.open(args) {
			return row.does
		}
	}
	return ""
}

// Interprets reports whether the program is a shell or an interpreter of a
// language: all that it does is said by code.
func Interprets(program string) bool {
	name := plain(program)
	for i := range table {
		if table[i].how == code && has(table[i].names, name) {
			return true
		}
	}
	return false
}

// Destroys reports whether the program is made to destroy what its arguments name.
func Destroys(program string) bool {
	name := plain(program)
	for i := range table {
		if table[i].does == destroys && has(table[i].names, name) {
			return true
		}
	}
	return false
}

// Fitting returns the first program of the table that fit takes, and why an open
// end after it is a hole; empty when there is none.
func Fitting(fit func(program string) bool) (program, why string) {
	for i := range table {
		for name := range strings.FieldsSeq(table[i].names) {
			if fit(name) {
				return name, table[i].does
			}
		}
	}
	return "", ""
}

// plain is the base name of a program without its version or ending.
func plain(program string) string {
	name := strings.TrimSuffix(path.Base(program), ".exe")
	if short := strings.TrimRight(name, "0123456789."); short != "" && !known(name) {
		return short
	}
	return name
}

func known(name string) bool {
	for i := range table {
		if has(table[i].names, name) {
			return true
		}
	}
	return false
}

// open reports whether arguments that begin so leave it open what runs.
func (r *row) open(args []string) bool {
	switch r.how {
	case code:
		return !given(args)
	case first:
		return len(args) == 0 || option(args[0])
	case sub:
		return len(args) == 0 || option(args[0]) || has(r.subs, args[0]) && !(len(args) > 1 && !option(args[1]))
	case group:
		return len(args) == 0 || option(args[0]) || has(r.subs, args[0])
	}
	return true
}

// given reports whether arguments name the code that is run: a file, or the text
// or module behind the one option that takes it.
func given(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if !option(args[0]) {
		return true
	}
	return has("-c -e -m -p -r -E --eval --print -lc -jar --version -V -v --help -h", args[0]) &&
		(len(args) > 1 || has("--version -V --help -h", args[0]))
}

func option(word string) bool { return strings.HasPrefix(word, "-") }

// has reports whether a word stands in a list with blanks between.
func has(list, word string) bool {
	for x := range strings.FieldsSeq(list) {
		if x == word {
			return true
		}
	}
	return false
}
