package broker

// The job: all that decides what a program does, held from when it is looked at.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"assent"
	"assent/analyze"
)

// job is one program that is to be run. What it holds is released by close.
type job struct {
	b *Broker
	c Command

	dir     *place
	found   string // where the program was found, links and all
	prog    *held
	interps []interp // of a script, its own first
	files   []*held  // more that is run as code: what env finds, and
	code    []string // the files that analysis knows of
	stdin   *os.File // what it reads, if that is bound
	env     []string
	umask   string
	x       assent.Exec
	ev      assent.Event
	out     tally
}

func (b *Broker) prepare(c Command) (*job, error) {
	j := &job{b: b, c: c}
	if err := j.hold(); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

func (j *job) hold() (err error) {
	if len(j.c.Argv) == 0 || j.c.Argv[0] == "" {
		return fmt.Errorf("there is no program to run: %w", assent.ErrInvalid)
	}
	if j.dir, err = openDir(j.c.Dir); err != nil {
		return err
	}
	j.x = assent.Exec{Argv: slices.Clone(j.c.Argv)}
	base := fixed(j.b.Places)
	if j.env, j.x.Env, err = j.b.environment(base, j.c.Env); err != nil {
		return err
	}
	if err := j.findProgram(variable(base, "PATH")); err != nil {
		return err
	}
	if err := j.bindStdin(); err != nil {
		return err
	}
	j.umask = umask()
	j.x.Umask, j.x.Program = j.umask, j.prog.operand()
	if err := j.findFiles(); err != nil {
		return err
	}
	input, err := j.x.Input()
	j.ev = j.b.event(assent.ToolExec, j.dir.path, input)
	return err
}

// findProgram finds what the first argument leads to: in the directories of the fixed
// environment, or from the directory on. Of a script it finds the interpreters too.
func (j *job) findProgram(path string) (err error) {
	if j.found, err = find(j.c.Argv[0], j.dir.path, path); err != nil {
		return err
	}
	if j.prog, err = holdProgram(j.found); err != nil {
		return err
	}
	j.interps, j.files, err = j.interpreters()
	return err
}

// findFiles holds the files that the program would run as code, as far as analysis knows
// them, and has them in the input with the interpreters.
func (j *job) findFiles() (err error) {
	if j.code, err = j.operands(); err != nil {
		return err
	}
	for _, path := range j.code {
		h, err := hold(path)
		if err != nil {
			return err
		}
		j.files = append(j.files, h)
	}
	for _, i := range j.interps {
		j.x.Files = append(j.x.Files, i.operand())
	}
	for _, h := range j.files {
		j.x.Files = append(j.x.Files, h.operand())
	}
	slices.SortFunc(j.x.Files, func(a, b assent.Operand) int { return cmp.Compare(a.Path, b.Path) })
	j.x.Files = slices.Compact(j.x.Files)
	return nil
}

// operands are the files that the program is known to run as code, beside itself and its
// interpreters.
func (j *job) operands() ([]string, error) {
	x := j.x
	x.Files = nil
	input, err := x.Input()
	if err != nil {
		return nil, err
	}
	c := analyze.Case(j.b.event(assent.ToolExec, j.dir.path, input), j.b.Places)
	var out []string
	for _, o := range c.Operands {
		out = append(out, o.Path)
	}
	for _, f := range c.Findings {
		if f.Code == analyze.Unbound && f.Target != "" {
			out = append(out, f.Target)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxFiles {
		return nil, fmt.Errorf("it runs more than %d files as code: %w", maxFiles, assent.ErrInvalid)
	}
	return out, nil
}

// maxFiles is how many files a program may run as code.
const maxFiles = 64

// bindStdin reads all that the program is to read.
func (j *job) bindStdin() (err error) {
	switch {
	case j.c.Stdin == nil && j.c.BindStdin:
		return fmt.Errorf("there is no standard input to bind: %w", assent.ErrInvalid)
	case j.c.Stdin == nil:
		return nil
	case !j.c.BindStdin:
		j.x.Stdin = assent.OpenStdin
		return nil
	}
	j.stdin, j.x.Stdin, err = keep(j.c.Stdin)
	return err
}

// unchanged compares what is held, and what paths lead to, with what was approved. The
// program itself is compared when it is made ready.
func (j *job) unchanged() error {
	if err := j.dir.same(); err != nil {
		return err
	}
	if now := umask(); now != j.umask {
		return fmt.Errorf("the umask is %s, and was %s: %w", now, j.umask, ErrChanged)
	}
	code := slices.Clone(j.files)
	if len(j.interps) > 0 { // they are opened by their paths, all but the last
		code = append(code, j.prog)
		for _, i := range j.interps[:len(j.interps)-1] {
			code = append(code, i.held)
		}
	}
	for _, h := range code {
		if err := errors.Join(h.inPlace(), h.sameContent()); err != nil {
			return err
		}
	}
	now, err := j.operands()
	if err == nil && !slices.Equal(now, j.code) {
		err = fmt.Errorf("the files that it runs as code are others: %w", ErrChanged)
	}
	return err
}

// program is what the kernel starts: the last interpreter of a script, or the program.
func (j *job) program() *held {
	if n := len(j.interps); n > 0 {
		return j.interps[n-1].held
	}
	return j.prog
}

func (j *job) close() {
	j.dir.close()
	j.prog.close()
	for _, i := range j.interps {
		i.close()
	}
	for _, h := range j.files {
		h.close()
	}
	if j.stdin != nil {
		j.stdin.Close()
	}
}

// tally counts what passes through to the caller's writers, one piece at a time.
type tally struct {
	n  atomic.Int64
	mu sync.Mutex
}

// seen is a writer that counts. A file is handed on as it is, and nobody sees what is
// written to it.
func (t *tally) seen(w io.Writer) io.Writer {
	if _, file := w.(*os.File); w == nil || file {
		return w
	}
	return counted{t, w}
}

type counted struct {
	t *tally
	w io.Writer
}

func (c counted) Write(p []byte) (int, error) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	n, err := c.w.Write(p)
	c.t.n.Add(int64(n))
	return n, err
}

// variable is the value of a variable in an environment.
func variable(env []string, name string) string {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
