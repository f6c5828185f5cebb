package shell

// The oracle: an interpreter with every door shut starts no program that Parse
// did not foresee.

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// void is a file that holds nothing and forgets everything.
type void struct{}

func (void) Read([]byte) (int, error)    { return 0, io.EOF }
func (void) Write(b []byte) (int, error) { return len(b), nil }
func (void) Close() error                { return nil }

var errEnough = errors.New("enough programs started")

// started interprets text and returns the programs that it starts. No file is
// opened and no process made; every program exits with the given status.
func started(ctx context.Context, text string, status uint8) []string {
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil
	}
	var (
		mu    sync.Mutex // stages of a pipe run at the same time
		names []string
	)
	exec := func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(_ context.Context, args []string) error {
			mu.Lock()
			defer mu.Unlock()
			names = append(names, args[0])
			if len(names) > 200 {
				return errEnough
			}
			if status != 0 {
				return interp.ExitStatus(status)
			}
			return nil
		}
	}
	r, err := interp.New(
		interp.Env(expand.ListEnviron("HOME=/home/ada", "PATH=/bin")),
		interp.ExecHandlers(exec),
		interp.OpenHandler(func(context.Context, string, int, os.FileMode) (io.ReadWriteCloser, error) { return void{}, nil }),
		interp.StatHandler(func(context.Context, string, bool) (fs.FileInfo, error) { return nil, fs.ErrNotExist }),
		interp.ReadDirHandler2(func(context.Context, string) ([]fs.DirEntry, error) { return nil, nil }),
		interp.StdIO(strings.NewReader(""), io.Discard, io.Discard),
	)
	if err != nil {
		return nil
	}
	_ = r.Run(ctx, f) // how it ends does not matter, only what it started
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(names)
}

// unforeseen returns a program that was started and not foreseen, if Parse did
// not say that it could not know.
func unforeseen(ctx context.Context, text string) (string, bool) {
	s := Parse(text, "/work", "/home/ada")
	for _, f := range s.Findings {
		if strings.Contains(f.Note, "parser failed") {
			return "a panic", true
		}
		if f.Code != File {
			return "", false
		}
	}
	var foreseen []string
	for _, c := range s.Commands {
		foreseen = append(foreseen, c.Name)
		foreseen = append(foreseen, c.Via...)
	}
	for _, status := range []uint8{0, 1} {
		for _, name := range started(ctx, text, status) {
			if !slices.Contains(foreseen, path.Base(name)) {
				return name, true
			}
		}
	}
	return "", false
}

// TestOracle generates scripts.
func TestOracle(t *testing.T) {
	t.Parallel()
	known := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := script(rt, 3)
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if name, bad := unforeseen(ctx, text); bad {
			rt.Fatalf("%s\nstarts %s, which was not foreseen: %s", text, name, dump("$ "+strings.ReplaceAll(text, "\n", "⏎")))
		}
		if !slices.ContainsFunc(Parse(text, "/work", "/home/ada").Findings, isUnknown) {
			known++
		}
	})
	if known < 20 {
		t.Errorf("only %d scripts were known: the oracle says nothing", known)
	}
}

// TestOracleCorpus interprets the corpus.
func TestOracleCorpus(t *testing.T) {
	t.Parallel()
	for _, text := range seeds(t) {
		if strings.Contains(text, "while") || strings.Contains(text, "until") || strings.Contains(text, "exec -a") || strings.Contains(text, "$SHELL -c") || strings.Contains(text, "f() { f; }") {
			continue // they need not end, or the interpreter does not know them
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		if name, bad := unforeseen(ctx, text); bad {
			t.Errorf("%s\nstarts %s, which was not foreseen", text, name)
		}
		cancel()
	}
}
