//go:build linux

package broker_test

// The adversarial tests that concern what runs: what changes after the approval, in what
// was approved or in the files that it leads to, is not run.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assent"
	"assent/broker"
)

// approved asks for a command once, and gives it one yes.
func (w *world) approved(c broker.Command) {
	w.t.Helper()
	if _, err := w.exec(c); err == nil {
		w.t.Fatal("it ran, and nobody had approved it")
	}
	w.g.approve()
}

// A yes is of one exact action. Whatever of it is another is another action, and the yes
// is still there for the one that was meant.
func TestAdversarial05WhatWasApprovedIsChangedBetween(t *testing.T) {
	vars := map[string]string{"NAME": "value"}
	for name, change := range map[string]func(*world, *broker.Command) (undo func()){
		"an argument":          func(_ *world, c *broker.Command) func() { c.Argv[2] = "two"; return func() {} },
		"a trailing space":     func(_ *world, c *broker.Command) func() { c.Argv[1] += " "; return func() {} },
		"an argument more":     func(_ *world, c *broker.Command) func() { c.Argv = append(c.Argv, ""); return func() {} },
		"two arguments joined": func(_ *world, c *broker.Command) func() { c.Argv = []string{"echo", "one three"}; return func() {} },
		"the program's name":   func(_ *world, c *broker.Command) func() { c.Argv[0] = "/bin/echo"; return func() {} },
		"a variable's value":   func(*world, *broker.Command) func() { vars["NAME"] = "other"; return func() { vars["NAME"] = "value" } },
		"a variable more": func(_ *world, c *broker.Command) func() {
			vars["MORE"] = ""
			c.Env = append(c.Env, "MORE")
			return func() {}
		},
		"a variable less":       func(_ *world, c *broker.Command) func() { c.Env = nil; return func() {} },
		"the directory":         func(w *world, c *broker.Command) func() { c.Dir = filepath.Join(w.dir, "sub"); return func() {} },
		"the umask":             func(*world, *broker.Command) func() { old := syscall.Umask(0); return func() { syscall.Umask(old) } },
		"standard input":        func(_ *world, c *broker.Command) func() { c.Stdin = strings.NewReader("fed "); return func() {} },
		"no standard input":     func(_ *world, c *broker.Command) func() { c.Stdin, c.BindStdin = nil, false; return func() {} },
		"standard input opened": func(_ *world, c *broker.Command) func() { c.BindStdin = false; return func() {} },
	} {
		t.Run(name, func(t *testing.T) { // one after the other: the umask is the whole process's
			w := newWorld(t)
			if err := os.Mkdir(filepath.Join(w.dir, "sub"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.b.LookupEnv = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
			command := func() broker.Command {
				return broker.Command{Argv: []string{"echo", "one", "three"}, Env: []string{"NAME"}, Dir: w.dir, Stdin: strings.NewReader("fed"), BindStdin: true}
			}
			w.approved(command())
			c := command()
			undo := change(w, &c)
			r, err := w.exec(c)
			undo()
			refusedWith(t, err, assent.Ask)
			if r.Started || w.out.String() != "" {
				t.Errorf("it ran: %q", w.out.String())
			}
			if r, err := w.exec(command()); err != nil || r.Exit != 0 || w.out.String() != "one three\n" {
				t.Errorf("what was approved does not run: %+v %v", r, err)
			}
		})
	}
}

// What is swapped between the approval and the start, in the very moment in between, is
// not run, and its use is given back; or what was approved runs, because it was held.
func TestAdversarial06WhatThePathsLeadToIsSwappedBetween(t *testing.T) {
	t.Parallel()
	for name, x := range swaps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.file("script", good, 0o755)
			if x.set != nil {
				x.set(t, w)
			}
			c := broker.Command{Argv: x.argv, Dir: w.dir}
			if _, err := os.Stat(filepath.Join(w.dir, "l")); err == nil {
				c.Dir = filepath.Join(w.dir, "l", "in")
			}
			w.approved(c)
			w.g.before = func() { x.swap(t, w) }
			r, err := w.exec(c)
			switch {
			case x.runs && (err != nil || w.out.String() != "good\n"):
				t.Errorf("%q, %v", w.out.String(), err)
			case !x.runs && (!errors.Is(err, broker.ErrChanged) || r.Started || w.out.String() != ""):
				t.Errorf("it ran: %q, %v", w.out.String(), err)
			case !x.runs && (len(w.g.ended) != 1 || w.g.ended[0].Started):
				t.Errorf("its use was not given back: %+v", w.g.ended)
			}
		})
	}
}

const good, bad = "#!/bin/sh\necho good\n", "#!/bin/sh\necho bad\n"

func write(t *testing.T, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Error(err)
	}
}

func replace(t *testing.T, path, text string) {
	write(t, path+".new", text)
	if err := os.Rename(path+".new", path); err != nil {
		t.Error(err)
	}
}

// swap is what happens between an approval and the start of what was approved.
type swap struct {
	argv []string
	set  func(*testing.T, *world)
	swap func(*testing.T, *world)
	runs bool // what was approved runs all the same
}

var swaps = map[string]swap{
	"a script is rewritten in place": {
		argv: []string{"./script"},
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "script"), bad) },
	},
	"a script is replaced": {
		argv: []string{"./script"},
		swap: func(t *testing.T, w *world) { replace(t, filepath.Join(w.dir, "script"), bad) },
	},
	"a script is replaced by the same words and they change": {
		argv: []string{"./script"},
		swap: func(t *testing.T, w *world) { replace(t, filepath.Join(w.dir, "script"), good) },
	},
	"an operand is rewritten": {
		argv: []string{"sh", "script"},
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "script"), bad) },
	},
	"an operand appears": {
		argv: []string{"sh", "later"},
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "later"), bad) },
	},
	"an operand behind a wrapper is rewritten": {
		argv: []string{"nice", "sh", "-c", "sh script"},
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "script"), bad) },
	},
	"a program is rewritten in place": {
		argv: []string{"./program", "good"},
		set:  func(_ *testing.T, w *world) { w.copied("program", "/bin/echo") },
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "program"), bad) },
	},
	"a program is replaced": {
		argv: []string{"./program", "good"}, runs: true,
		set:  func(_ *testing.T, w *world) { w.copied("program", "/bin/echo") },
		swap: func(t *testing.T, w *world) { replace(t, filepath.Join(w.dir, "program"), bad) },
	},
	"a program is deleted": {
		argv: []string{"./program", "good"}, runs: true,
		set:  func(_ *testing.T, w *world) { w.copied("program", "/bin/echo") },
		swap: func(_ *testing.T, w *world) { _ = os.Remove(filepath.Join(w.dir, "program")) },
	},
	"a link is turned": {
		argv: []string{"./link", "good"},
		set:  func(_ *testing.T, w *world) { _ = os.Symlink("/bin/echo", filepath.Join(w.dir, "link")) },
		swap: func(t *testing.T, w *world) {
			_ = os.Remove(filepath.Join(w.dir, "link"))
			_ = os.Symlink(filepath.Join(w.dir, "script"), filepath.Join(w.dir, "link"))
		},
	},
	"a link to a script is turned": {
		argv: []string{"./link"},
		set:  func(_ *testing.T, w *world) { _ = os.Symlink("script", filepath.Join(w.dir, "link")) },
		swap: func(_ *testing.T, w *world) {
			w.file("other", bad, 0o755)
			_ = os.Remove(filepath.Join(w.dir, "link"))
			_ = os.Symlink("other", filepath.Join(w.dir, "link"))
		},
	},
	"an interpreter is rewritten": {
		argv: []string{"./with"},
		set: func(_ *testing.T, w *world) {
			w.copied("interpreter", "/bin/echo")
			w.file("with", "#!"+filepath.Join(w.dir, "interpreter")+" good\n", 0o755)
		},
		swap: func(t *testing.T, w *world) { write(t, filepath.Join(w.dir, "interpreter"), bad) },
	},
	"the directory's parent is swapped": {
		argv: []string{"cat", "word"},
		set: func(_ *testing.T, w *world) {
			w.file("a/in/word", "good\n", 0o644)
			w.file("b/in/word", "bad\n", 0o644)
			_ = os.Symlink("a", filepath.Join(w.dir, "l"))
		},
		swap: func(_ *testing.T, w *world) {
			_ = os.Remove(filepath.Join(w.dir, "l"))
			_ = os.Symlink("b", filepath.Join(w.dir, "l"))
		},
	},
	"the directory is moved away": {
		argv: []string{"cat", "word"},
		set: func(_ *testing.T, w *world) {
			w.file("a/in/word", "good\n", 0o644)
			w.file("b/in/word", "bad\n", 0o644)
			_ = os.Symlink("a", filepath.Join(w.dir, "l"))
		},
		swap: func(_ *testing.T, w *world) {
			_ = os.Rename(filepath.Join(w.dir, "a"), filepath.Join(w.dir, "c"))
			_ = os.Rename(filepath.Join(w.dir, "b"), filepath.Join(w.dir, "a"))
		},
	},
}

// What was rewritten before the second try is another action already.
func TestAdversarial06WhatIsRewrittenBetweenTwoTriesNeedsAnotherYes(t *testing.T) {
	t.Parallel()
	for name, argv := range map[string][]string{"a script": {"./script"}, "an operand": {"sh", "script"}} {
		w := newWorld(t)
		w.file("script", "#!/bin/sh\necho good\n", 0o755)
		w.approved(broker.Command{Argv: argv})
		w.file("script", "#!/bin/sh\necho bad\n", 0o755)
		_, err := w.exec(broker.Command{Argv: argv})
		if refusedWith(t, err, assent.Ask); w.out.String() != "" {
			t.Errorf("%s: %q", name, w.out.String())
		}
	}
}

// A program of the same name in front of the right one is never found: neither in the
// caller's search path, nor in the directory.
func TestAdversarial06ThePathIsShadowed(t *testing.T) {
	w := newWorld(t)
	shadow := filepath.Dir(w.file("bin/echo", "#!/bin/sh\nprintf 'bad '\n", 0o755))
	w.file("echo", "#!/bin/sh\nprintf 'bad '\n", 0o755)
	t.Setenv("PATH", shadow+":"+os.Getenv("PATH"))
	w.b.LookupEnv = os.LookupEnv
	w.g.all = true
	for _, names := range [][]string{nil, {"PATH"}} {
		if r, err := w.exec(broker.Command{Argv: []string{"echo", "good"}, Env: names}); err != nil || r.Exit != 0 || w.out.String() != "good\n" {
			t.Errorf("%v: %q %v", names, w.out.String(), err)
		}
	}
}

// Whoever holds the program open for writing already cannot change what runs: it is a
// sealed copy.
func TestAdversarial06AWriterIsThereBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f, err := os.OpenFile(w.copied("program", "/bin/sh"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w.g.all = true
	w.g.begin = func() error {
		_, err := f.WriteAt(make([]byte, 4096), 0)
		return errors.Join(err, os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o600))
	}
	r, err := w.exec(broker.Command{Argv: []string{"./program", "-c", "while [ ! -e go ]; do sleep 0.01; done; readlink /proc/$$/exe; exit 4"}})
	if err != nil || r.Exit != 4 || !strings.HasPrefix(w.out.String(), "/memfd:") {
		t.Errorf("%+v %v %q", r, err, w.out.String())
	}
}

// Where assent cannot be asked, or cannot keep what it is told, nothing runs.
func TestAdversarial16NothingRunsWhereAssentIsDown(t *testing.T) {
	t.Parallel()
	for _, down := range []error{assent.ErrUnavailable, assent.ErrDamaged, errors.New("disk full"), assent.ErrLocked} {
		w := newWorld(t)
		w.g.down = down
		mark := filepath.Join(w.dir, "ran")
		r, err := w.exec(broker.Command{Argv: []string{"touch", mark}})
		if _, found := os.Stat(mark); !errors.Is(err, down) || r.Started || found == nil {
			t.Errorf("%v: %+v %v", down, r, err)
		}
	}
	w := newWorld(t)
	w.g.all = true
	w.g.begin = func() error { return assent.ErrUnavailable } // it went away in between
	r, err := w.exec(broker.Command{Argv: []string{"sleep", "1000"}})
	if !errors.Is(err, assent.ErrUnavailable) || !r.Started || r.Signal != "terminated" {
		t.Errorf("%+v %v", r, err)
	}
}
