package analyze

// Languages: how their texts are written, and what their functions do.

import "strings"

// effect is what a function does.
type effect int

const (
	computes    effect = iota // it computes or prints
	runsText                  // it gives its argument to a shell
	runsArgs                  // it starts the program that its arguments, or a list, name
	runsEither                // the former of a text, the latter of a list
	removes                   // it deletes files
	removesTree               // it deletes a directory with all that it holds
	writesFile
	opensFile // it reads or writes, as its second argument says
	readsFile
	moves
	copies
	links
	modes      // path, mode
	modesFirst // mode, paths
	makesDir
	fetches
	sendsTo
	connects
	listens
	evaluates // it runs its argument as code of the same language
	rebuilds  // it makes objects of what it reads, which may run any code
	reaches   // it leaves the language, to where nothing can be told
	kills
	queries // it gives its argument to a database
)

// ofPath reports whether a method with that effect is one of a path.
func (e effect) ofPath() bool {
	switch e {
	case removes, removesTree, writesFile, readsFile, opensFile, modes, makesDir, links:
		return true
	}
	return false
}

// function is what functions with certain names do. A name that begins with a
// dot is a method of anything; where is a word without which it means nothing.
type function struct {
	does  effect
	names string
	where string
}

// language is what is known of one language.
type language struct {
	name      string
	programs  string // that run it
	options   string // after which code stands
	openCalls bool   // calls need no brackets
	modules   bool   // what is a member of a name that only computes does so too
	dialect   dialect
	functions []function
	pure      string // names that only compute and print, modules and keywords among them
}

// knows reports whether a function of that name is in the table, or only
// computes.
func (l *language) knows(name string) bool {
	_, ok := l.function(name, "")
	return ok || has(l.pure, name)
}

// function finds what a function does; text is what the code says elsewhere. Its
// own name comes before the name of a method of anything.
func (l *language) function(name, text string) (function, bool) {
	last := ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		last = name[i:]
	}
	for _, want := range []string{name, last} {
		if want == last && l.computing(name) {
			break
		}
		for _, f := range l.functions {
			if (f.where == "" || text == "" || strings.Contains(text, f.where)) && has(f.names, want) {
				return f, true
			}
		}
	}
	return function{}, false
}

// computing reports whether a name is one of a module that only computes.
func (l *language) computing(name string) bool {
	first, _, more := strings.Cut(name, ".")
	return more && l.modules && has(l.pure, first)
}

// has reports whether a name stands in a list of names with blanks between.
func has(list, name string) bool {
	if name == "" || !strings.Contains(list, name) {
		return false
	}
	for list != "" {
		var x string
		x, list, _ = strings.Cut(list, " ")
		if x == name {
			return true
		}
	}
	return false
}

// languages are all that are read.
var languages = []*language{&python, &javascript, &ruby, &perl, &php, &lua, &rlang}

// languageOf returns the language that a program runs, nil when it is not read.
func languageOf(program string) *language {
	for _, l := range languages {
		if has(l.programs, program) {
			return l
		}
	}
	return nil
}

// interpreted are programs that run code in languages which are not read, the
// options after which it stands, and whether their first operand is a file of it.
var interpreted = []struct {
	program, options string
	file             bool
}{
	{"osascript", "e", true}, {"tclsh", "", true}, {"julia", "e E", true}, {"elixir", "e", true}, {"groovy", "e", true}, {"scala", "e", true}, {"clojure", "e", true}, {"runghc", "e", true}, {"raku", "e", true}, {"guile", "c", true}, {"swift", "e", true}, {"kotlin", "e", false}, {"ocaml", "e", true}, {"expect", "c", true}, {"qjs", "e", true}, {"racket", "e", true},
	{"ghc", "e", false}, {"sbcl", "eval", false}, {"emacs", "eval", false}, {"octave", "eval", true}, {"erl", "eval", false}, {"dotnet-script", "eval", true},
}

// interpreter returns the options after which a program is given code, false
// when it runs none.
func interpreter(name string) (string, bool) {
	if l := languageOf(unversioned(name)); l != nil {
		return l.options, true
	}
	for i := range interpreted {
		if interpreted[i].program == name {
			return interpreted[i].options, true
		}
	}
	return "", false
}

// runsFiles reports whether a program takes its first operand for code to run.
func runsFiles(name string) bool {
	if languageOf(unversioned(name)) != nil {
		return name != "deno" && name != "bun"
	}
	for i := range interpreted {
		if interpreted[i].program == name {
			return interpreted[i].file
		}
	}
	return isShell(name)
}

// unversioned cuts a version off a program's name: python3.12 is python3.
func unversioned(name string) string {
	if rest, ok := strings.CutPrefix(name, "python3."); ok && strings.Trim(rest, "0123456789") == "" {
		return "python3"
	}
	return strings.TrimSuffix(name, ".exe")
}
