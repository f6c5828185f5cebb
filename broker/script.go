package broker

// Scripts: the interpreters that the first line of a file names.

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assent"
)

const (
	maxLine    = 256 // bytes of a first line that the kernel looks at
	maxInterps = 5   // scripts that interpret scripts
)

// interp is the interpreter of a script.
type interp struct {
	*held
	name string // as the line has it: what it is started as
	arg  string // the one argument of the line
}

// interpreters holds the interpreters of the program, and what those find by themselves.
func (j *job) interpreters() (list []interp, more []*held, err error) {
	script := j.prog
	for {
		name, arg, err := firstLine(script)
		if err != nil || name == "" {
			return list, more, err
		}
		if len(list) == maxInterps {
			return list, more, fmt.Errorf("%s: its interpreters are scripts, too deep: %w", j.found, assent.ErrInvalid)
		}
		h, err := holdProgram(absolute(name, j.dir.path))
		if err != nil {
			return list, more, fmt.Errorf("the interpreter of %s: %w", script.path, err)
		}
		list = append(list, interp{h, name, arg})
		program, err := searched(name, arg)
		if err != nil {
			return list, more, fmt.Errorf("the interpreter of %s: %w", script.path, err)
		}
		if program != "" {
			h, err := j.search(program)
			if err != nil {
				return list, more, fmt.Errorf("the interpreter of %s: %w", script.path, err)
			}
			more = append(more, h)
		}
		script = h
	}
}

// search holds the program that env will find.
func (j *job) search(program string) (*held, error) {
	full, err := find(program, j.dir.path, variable(j.env, "PATH"))
	if err != nil {
		return nil, err
	}
	return holdProgram(full)
}

// searched is the program that an interpreter looks for by itself: env does. With options
// of env's own it cannot be told which word that is: ErrInvalid.
func searched(name, arg string) (string, error) {
	if path.Base(name) != "env" {
		return "", nil
	}
	for _, w := range strings.Fields(strings.TrimPrefix(strings.TrimPrefix(arg, "-S"), "--split-string=")) {
		switch {
		case strings.HasPrefix(w, "-"), strings.HasPrefix(w, "PATH="):
			return "", fmt.Errorf("what env starts with %q cannot be told: %w", arg, assent.ErrInvalid)
		case !strings.Contains(w, "="):
			return w, nil
		}
	}
	return "", nil
}

// firstLine reads "#!NAME ARG" as the kernel does. A file without it is a program for
// the kernel to know.
func firstLine(h *held) (name, arg string, err error) {
	buf := make([]byte, maxLine)
	n, _ := h.f.ReadAt(buf, 0) // an empty file has no first line
	text, script := bytes.CutPrefix(buf[:n], []byte("#!"))
	if !script {
		return "", "", nil
	}
	line, _, whole := bytes.Cut(text, []byte("\n"))
	if !whole && n == maxLine {
		return "", "", fmt.Errorf("%s: its first line is too long: %w", h.path, assent.ErrInvalid)
	}
	name, arg, _ = strings.Cut(strings.ReplaceAll(strings.Trim(string(line), " \t"), "\t", " "), " ")
	if name == "" || strings.ContainsRune(string(line), 0) {
		return "", "", fmt.Errorf("%s: its first line names no interpreter: %w", h.path, assent.ErrInvalid)
	}
	return name, strings.Trim(arg, " "), nil
}

// argv is what is started, as the kernel would make it of a script.
func (j *job) argv() []string {
	argv := slices.Clone(j.c.Argv)
	if len(j.interps) > 0 {
		argv[0] = j.found
	}
	for _, i := range j.interps {
		head := []string{i.name}
		if i.arg != "" {
			head = append(head, i.arg)
		}
		argv = append(head, argv...)
	}
	return argv
}

func absolute(name, dir string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
