package consent

// Code: which words of a command line are run, as far as the line shows it.

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// extensions are those of scripts.
var extensions = []string{".sh", ".bash", ".zsh", ".fish", ".py", ".pyw", ".rb", ".pl", ".lua", ".js", ".mjs", ".cjs", ".ts", ".ps1", ".cmd", ".bat", ".jq", ".awk"}

// family is how programs of a kind are given what they run.
type family struct {
	programs []string
	inline   func(option string) bool // the code is in the line itself, or is looked for elsewhere
	valued   []string                 // options whose next word is theirs
}

// families are the programs that run the file which is their first operand.
var families = []family{
	{[]string{"sh", "bash", "dash", "zsh", "fish", "ksh"}, short("c"), []string{"-o", "+o", "-O", "+O", "--rcfile", "--init-file"}},
	{[]string{"python", "pypy"}, short("cm"), []string{"-W", "-X"}},
	{[]string{"node", "deno", "bun", "ruby", "perl", "lua", "php", "pwsh", "powershell"}, evaluates,
		[]string{"-r", "--require", "-I", "--import", "--loader", "-ExecutionPolicy", "-WindowStyle"}},
}

// short is for options of one dash that may stand together, of which some are inline.
func short(letters string) func(string) bool {
	return func(w string) bool {
		return w == "-" || !strings.HasPrefix(w, "--") && strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "-W") && !strings.HasPrefix(w, "-X") && strings.ContainsAny(w, letters)
	}
}

func evaluates(w string) bool {
	switch w {
	case "-", "-e", "-E", "-c", "-p", "--eval", "--print", "-Command", "-EncodedCommand":
		return true
	}
	return len(w) < 6 && strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "e") // perl -lne
}

// familyOf is the family of an interpreter.
func familyOf(word string) (family, bool) {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(word)), ".exe")
	name = strings.TrimRight(name, "0123456789.")
	i := slices.IndexFunc(families, func(f family) bool { return slices.Contains(f.programs, name) })
	if i < 0 {
		return family{}, false
	}
	return families[i], true
}

// operand is which of an interpreter's words it runs; below 0: none of them. What is
// inline is in no file that the line names.
func (f family) operand(words []string) (at int, inline bool) {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case f.inline(w):
			return -1, true
		case slices.Contains(f.valued, w):
			i++
		case !strings.HasPrefix(w, "-") && w != "run": // deno run, bun run
			return i, false
		}
	}
	return -1, false
}

// codeOf are the words that are run, the one that decides most first, and whether code
// is run that no file in the line holds.
func codeOf(words []string) (at []int, inline bool) {
	if _, by := familyOf(words[0]); isPath(words[0]) && !by && !ofSystem(words[0]) {
		at = append(at, 0)
	}
	for i, w := range words {
		if slices.Contains(extensions, strings.ToLower(filepath.Ext(w))) && !strings.HasPrefix(w, "-") && !strings.Contains(w, "://") {
			at = append(at, i)
		}
	}
	for i, w := range words {
		f, ok := familyOf(w)
		if !ok {
			continue
		}
		n, in := f.operand(words[i+1:])
		inline = inline || in
		if n >= 0 {
			at = append(at, i+1+n)
		}
	}
	return at, inline
}

func isPath(word string) bool {
	if strings.Contains(word, "://") {
		return false
	}
	return strings.ContainsRune(word, '/') || runtime.GOOS == "windows" && strings.ContainsRune(word, '\\')
}

// systems are the directories of programs that are changed by installing others.
var systems = []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", `C:\Windows\System32`}

// ofSystem reports whether a path is a program of the system's.
func ofSystem(path string) bool {
	return slices.Contains(systems, filepath.Dir(path))
}

// known reports whether a bare name is an interpreter's, or a program's of the system.
func known(name string) bool {
	if _, ok := familyOf(name); ok {
		return true
	}
	return slices.ContainsFunc(systems, func(dir string) bool { return isFile(filepath.Join(dir, name)) })
}
