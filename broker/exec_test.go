//go:build unix

package broker_test

// What a program finds when it runs, and how it ends.

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent"
	"assent/broker"
)

func TestWhatNobodyApprovedDoesNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mark := filepath.Join(w.dir, "ran")
	r, err := w.exec(broker.Command{Argv: []string{"touch", mark}})
	if no := refusedWith(t, err, assent.Ask); no.Request != "" || r.Started {
		t.Errorf("%+v %+v", no, r)
	}
	w.b.Ask = true
	_, err = w.exec(broker.Command{Argv: []string{"touch", mark}})
	if no := refusedWith(t, err, assent.Ask); no.Request != "req_1" || no.Waited {
		t.Errorf("%+v", no)
	}
	w.b.Wait = time.Minute
	_, err = w.exec(broker.Command{Argv: []string{"touch", mark}})
	if no := refusedWith(t, err, assent.Ask); !no.Waited {
		t.Errorf("%+v", no)
	}
	if _, err := os.Stat(mark); err == nil || len(w.g.begun)+len(w.g.ended) > 0 {
		t.Error("something was started")
	}
	w.g.answer = (*gate).approve
	if r, err := w.exec(broker.Command{Argv: []string{"touch", mark}}); err != nil || r.Exit != 0 {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error(err)
	}
	w.g.answer = nil
	_, err = w.exec(broker.Command{Argv: []string{"touch", mark}})
	refusedWith(t, err, assent.Ask) // one yes is one use
}

// Nobody behind us decides in our place, and nothing else is run than was asked about.
func TestOnlyAPlainYesIsOne(t *testing.T) {
	t.Parallel()
	for _, v := range []assent.Verdict{
		{Decision: assent.None}, {Decision: assent.Deny}, {Decision: assent.Allow + 9},
		{Decision: assent.Allow, Rewrite: []byte(`{"argv":["true"]}`)},
	} {
		w := newWorld(t)
		w.g.verdict = &v
		r, err := w.exec(broker.Command{Argv: []string{"true"}})
		if refusedWith(t, err, assent.Deny); r.Started {
			t.Errorf("%+v", r)
		}
	}
}

func TestTheEnvironmentIsFixedButForWhatIsNamed(t *testing.T) {
	t.Setenv("ASSENT_TEST_HIDDEN", "x")
	w := newWorld(t)
	caller := map[string]string{"TERM": "xterm", "TZ": "/etc/passwd", "LANG": "C.UTF-8", "API": "a secret", "PATH": "/nowhere"}
	w.b.LookupEnv = func(name string) (string, bool) { v, ok := caller[name]; return v, ok }
	w.run("env")
	var names []string
	for line := range strings.Lines(w.out.String()) {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "ASSENT_AGENT_SESSION HOME LANG LOGNAME PATH TERM USER" {
		t.Errorf("it finds %s", got)
	}
	if _, err := w.exec(broker.Command{Argv: []string{"env"}, Env: []string{"API", "PATH"}}); err != nil {
		t.Fatal(err)
	}
	if out := w.out.String(); !strings.Contains(out, "API=a secret\n") || strings.Count(out, "PATH=") != 1 || !strings.Contains(out, "PATH=/nowhere\n") {
		t.Errorf("%s", out)
	}
	if input := string(w.g.uses[1].Input); strings.Contains(input, "secret") || !strings.Contains(input, `"API":"sha256:`) {
		t.Errorf("%s", input)
	}
	for _, name := range []string{"MISSING", "A=B", ""} {
		if _, err := w.exec(broker.Command{Argv: []string{"env"}, Env: []string{name}}); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestNothingIsInheritedButWhatIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f, err := os.Open(w.file("secret", "x", 0o600))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := syscall.Dup(int(f.Fd())) // stays open across exec, as what an agent left open would
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	w.run("sh", "-c", "for f in /dev/fd/*; do readlink $f; done; cat")
	if strings.Contains(w.out.String(), "secret") || !strings.Contains(w.out.String(), "/dev/null") {
		t.Errorf("it has %q", w.out.String())
	}
}

func TestWhatItReadsIsBoundOrOpenOrNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	for want, c := range map[string]broker.Command{
		"":                {},
		"bound":           {Stdin: strings.NewReader("bound"), BindStdin: true},
		assent.OpenStdin:  {Stdin: strings.NewReader(assent.OpenStdin)},
		"\x00\xff bytes ": {Stdin: strings.NewReader("\x00\xff bytes "), BindStdin: true},
	} {
		c.Argv = []string{"cat"}
		if _, err := w.exec(c); err != nil || w.out.String() != want {
			t.Errorf("%q: %q, %v", want, w.out.String(), err)
		}
	}
	endless := io.LimitReader(zeros{}, broker.MaxStdin+1)
	if r, err := w.exec(broker.Command{Argv: []string{"cat"}, Stdin: endless, BindStdin: true}); !errors.Is(err, assent.ErrInvalid) || r.Started {
		t.Errorf("too much: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestWhatIsNoProgramIsRefusedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe"), 0o700); err != nil {
		t.Fatal(err)
	}
	all := w.file("all", "#!/bin/sh\n", 0o755)
	if err := os.Chmod(all, 0o777); err != nil { // whatever the umask
		t.Fatal(err)
	}
	for name, argv := range map[string][]string{
		"nothing":            {},
		"empty":              {""},
		"not there":          {"no-such-program-anywhere"},
		"no such path":       {"./none"},
		"a directory":        {w.dir},
		"a pipe":             {"./pipe"},
		"a device":           {"/dev/null"},
		"not executable":     {w.file("plain", "#!/bin/sh\n", 0o644)},
		"writable by all":    {all},
		"no interpreter":     {w.file("odd", "#!/no/such/interpreter\n", 0o755)},
		"an empty line":      {w.file("blank", "#! \n", 0o755)},
		"a line too long":    {w.file("long", "#!/bin/"+strings.Repeat("x", 300)+"\n", 0o755)},
		"itself":             {w.file("self", "#!"+filepath.Join(w.dir, "self")+"\n", 0o755)},
		"bytes":              {"printf", "\xff"},
		"a NUL":              {"printf", "a\x00b"},
		"env finds nothing":  {w.file("env1", "#!/usr/bin/env no-such-program-anywhere\n", 0o755)},
		"a script of no use": {"sh", w.file("not-readable-dir/x", "", 0o600) + "/y"},
	} {
		r, err := w.exec(broker.Command{Argv: argv})
		if name == "a script of no use" { // the program itself will say so
			if err != nil || r.Exit == 0 {
				t.Errorf("%s: %+v %v", name, r, err)
			}
			continue
		}
		if err == nil || r.Started || len(w.g.uses) > 1 {
			t.Errorf("%s: %+v %v", name, r, err)
		}
		w.g.uses = nil
	}
	if _, err := w.exec(broker.Command{Argv: []string{"true"}, Dir: filepath.Join(w.dir, "none")}); !errors.Is(err, assent.ErrNotFound) {
		t.Error(err)
	}
}

func TestScriptsRunAsTheKernelWouldRunThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("inner", "#!/bin/sh -e\necho \"inner $0 $*\"\n", 0o755)
	for line, want := range map[string]string{
		"#!/bin/sh\n":                                 "%s one two\n",
		"#! \t/bin/sh -e \n":                          "%s one two\n",
		"#!/usr/bin/env sh\n":                         "%s one two\n",
		"#!/usr/bin/env -S sh -e\n":                   "%s one two\n",
		"#!" + filepath.Join(w.dir, "inner") + " x\n": "inner " + filepath.Join(w.dir, "inner") + " x %s one two\n",
	} {
		full := w.file("script", line+`echo "$0 $*"`+"\n", 0o755)
		bare, err := syscallRun(full, "one", "two")
		w.run(full, "one", "two")
		if want = strings.ReplaceAll(want, "%s", full); w.out.String() != want || bare != want || err != nil {
			t.Errorf("%q: %q, and the kernel %q, %v; %s", line, w.out.String(), bare, err, w.errs.String())
		}
	}
}

func TestWhatEnvStartsIsToldOrRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	w.file("evil", "#!/bin/sh\necho evil\n", 0o755)
	for _, line := range []string{"-S -u ls ./evil", "-S -i ./evil", "-u ls", "-S -- ./evil", "-S PATH=. evil"} {
		full := w.file("script", "#!/usr/bin/env "+line+"\necho\n", 0o755)
		if r, err := w.exec(broker.Command{Argv: []string{full}}); !errors.Is(err, assent.ErrInvalid) || r.Started {
			t.Errorf("%q: %+v, %v", line, r, err)
		}
	}
}

func TestSignalsReachTheWholeGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	signals := make(chan os.Signal, 1)
	ready := filepath.Join(w.dir, "ready")
	go func() {
		await(t, ready)
		signals <- syscall.SIGUSR1
	}()
	r, err := w.exec(broker.Command{Argv: []string{"sh", "-c", "trap 'exit 7' USR1; touch ready; sleep 1000 & wait"}, Signals: signals})
	if err != nil || r.Exit != 7 {
		t.Errorf("%+v %v", r, err)
	}
}

func await(t *testing.T, file string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Error("waited in vain for " + file)
			return
		}
	}
}

func TestWhatWasRevokedMeanwhileIsEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	w.g.begin = func() error { await(t, filepath.Join(w.dir, "ready")); return assent.ErrRevoked }
	r, err := w.exec(broker.Command{Argv: []string{"sh", "-c", "sleep 1000 & echo $! >pid; touch ready; wait"}})
	if !errors.Is(err, assent.ErrRevoked) || !r.Started || r.Signal == "" {
		t.Errorf("%+v %v", r, err)
	}
	raw, err := os.ReadFile(filepath.Join(w.dir, "pid"))
	if err != nil || alive(strings.TrimSpace(string(raw))) {
		t.Error("what it started lives on", err)
	}
	if e := w.g.ended[0]; !e.Started || e.Exit != -1 {
		t.Errorf("%+v", e)
	}
}

func TestTheEndOfTheContextEndsTheProgram(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	ctx, cancel := context.WithCancel(t.Context())
	go func() { await(t, filepath.Join(w.dir, "ready")); cancel() }()
	r, err := w.b.Exec(ctx, broker.Command{Argv: []string{"sh", "-c", "touch ready; exec sleep 1000"}, Dir: w.dir})
	if err != nil || r.Signal != "terminated" || len(w.g.ended) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestASignalEndsTheWaitForAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	waits, signals := make(chan struct{}), make(chan os.Signal, 1)
	w.b.Ask, w.b.Wait, w.g.wait = true, time.Hour, waits
	go func() { <-waits; signals <- syscall.SIGINT }()
	if r, err := w.exec(broker.Command{Argv: []string{"true"}, Signals: signals}); !errors.Is(err, context.Canceled) || r.Started {
		t.Errorf("%+v %v", r, err)
	}
}

func TestWhatTheKernelCannotStartGivesItsUseBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	r, err := w.exec(broker.Command{Argv: []string{w.file("text", "no program\n", 0o755)}})
	if err == nil || r.Started || len(w.g.ended) != 1 || w.g.ended[0].Started || len(w.g.begun) != 0 {
		t.Errorf("%+v %v %+v", r, err, w.g.ended)
	}
}
