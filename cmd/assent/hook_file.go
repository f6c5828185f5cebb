package main

// The check of what a hook would run: the program, the script, and the interpreter
// that its first line names.

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assent/hook/consent"
	"assent/hook/script"
)

// runs checks that there is something to run.
func (x *examination) runs(r *hookReport, s script.Spec) bool {
	place := consent.Place{Home: x.home.Places().Home, Dir: x.dir}
	mend := "mend the command in " + x.home.Config()
	words, err := place.Words(s.Command)
	if err != nil {
		r.wrong("file", unclassed(err), mend)
		return false
	}
	if text, hint := unshelled(s.Command, words); text != "" {
		r.wrong("file", text, hint)
		return false
	}
	program, code := words[0], place.Script(s.Command)
	if relative(s.Command) {
		mend += "; a path that does not begin with / or ~ is looked for in the agent's directory"
	}
	if strings.ContainsRune(program, filepath.Separator) {
		if !filepath.IsAbs(program) {
			program = filepath.Join(x.dir, program)
		}
	} else if found, err := exec.LookPath(program); err == nil {
		program = found
	} else {
		r.wrong("file", fmt.Sprintf("there is no program %s on the PATH", program), mend)
		return false
	}
	text, hint := wrongWith(program, true)
	if text == "" && code != "" && code != program {
		text, hint = wrongWith(code, false)
	}
	if text == "" && code == program {
		text, hint = wrongInterpreter(program)
	}
	if text != "" {
		r.wrong("file", text, cmp.Or(hint, mend))
		return false
	}
	said := "runs " + cmp.Or(code, program)
	if anywhere := (consent.Place{Home: place.Home}).Script(s.Command); anywhere != "" && !filepath.IsAbs(anywhere) {
		said += ", here; an agent in another directory has another one"
	}
	r.good("file", said)
	return true
}

// relative reports whether the script of a command depends on the agent's directory.
func relative(command string) bool {
	path := (consent.Place{Home: "/"}).Script(command)
	return path != "" && !filepath.IsAbs(path) && !strings.HasPrefix(path, "$")
}

// unshelled says of a command that it is written for a shell, which nobody starts.
func unshelled(command string, words []string) (text, hint string) {
	if slices.Contains(words, "-c") {
		return "", "" // it starts one itself
	}
	bare := unquoted(command)
	if i := strings.IndexAny(bare, "|;&<>`"); i >= 0 || strings.Contains(bare, "$(") {
		what := "$("
		if i >= 0 {
			what = bare[i : i+1]
		}
		return fmt.Sprintf("no shell runs this, so %s means nothing", what), "put it into a script, or: sh -c '…'"
	}
	for _, w := range words {
		name, isVariable := strings.CutPrefix(w, "$")
		if name, _, _ = strings.Cut(strings.Trim(name, "{}"), "/"); isVariable && name != "" {
			return fmt.Sprintf("$%s is not replaced", strings.Trim(name, "{}")), "only ~, $PROJECT_DIR and $CLAUDE_PROJECT_DIR are understood"
		}
	}
	return "", ""
}

// unquoted is what stands in a command outside of quotes.
func unquoted(command string) string {
	var b strings.Builder
	quote, escaped := rune(0), false
	for _, r := range command {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wrongWith says what keeps a file from being run, or read.
func wrongWith(path string, run bool) (text, hint string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "script not found: " + path, ""
	case err != nil:
		return sentence(err), ""
	case !info.Mode().IsRegular():
		return path + " is no file", ""
	case run && info.Mode().Perm()&0o111 == 0 && !strings.EqualFold(filepath.Ext(path), ".exe") && filepath.Separator == '/':
		return path + " is not executable", "chmod +x " + quoted(path)
	}
	f, err := os.Open(path)
	if err != nil && (!run || !errors.Is(err, fs.ErrPermission)) {
		return sentence(err), "chmod u+r " + quoted(path)
	}
	if err == nil {
		_ = f.Close()
	}
	return "", ""
}

// wrongInterpreter says that the program which a script's first line names is not
// there.
func wrongInterpreter(path string) (text, hint string) {
	f, err := os.Open(path)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := bufio.NewReader(f).Read(head)
	line, ok := strings.CutPrefix(strings.SplitN(string(head[:n]), "\n", 2)[0], "#!")
	words := strings.Fields(line)
	switch {
	case ok && strings.HasSuffix(line, "\r"):
		return `its first line ends in a carriage return (\r), which the system takes for a part of the name`, `save it with line ends of Unix: sed -i 's/\r$//' ` + quoted(path)
	case n > 0 && !ok && isText(head[:n]):
		return path + " does not say what runs it", "its first line should be such as #!/bin/sh"
	case !ok || len(words) == 0:
		return "", ""
	}
	name := words[0]
	if filepath.Base(name) == "env" {
		i := slices.IndexFunc(words[1:], func(w string) bool { return !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") })
		if i < 0 {
			return "", ""
		}
		name = words[1+i]
	}
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Sprintf("its first line names %s, which is not there", name), "install it, or mend the first line of " + path
	}
	return "", ""
}

func isText(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < 9 })
}
