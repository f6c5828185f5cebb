package shell

// The oracle: an interpreter with every door shut starts no program that Parse
// did not foresee.

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"assent"
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
		return func(ctx context.Context, args []string) error {
			mu.Lock()
			defer mu.Unlock()
			names = append(names, args[0])
			if len(names) > 200 {
				return errEnough
			}
			if err := printOut(ctx, args); err != nil {
				return err
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
	interpret(ctx, r, f)
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(names)
}

// interpret runs a file. How it ends does not matter, only what it started; the
// interpreter itself may panic.
func interpret(ctx context.Context, r *interp.Runner, f *syntax.File) {
	defer func() { _ = recover() }()
	_ = r.Run(ctx, f)
}

// printOut prints what a program prints that only repeats or decodes what it is
// given: Parse counts on that.
func printOut(ctx context.Context, args []string) error {
	words := make([]assent.Word, len(args))
	for i, a := range args {
		words[i] = assent.Word{Text: "'" + a + "'", Value: a, Known: true}
	}
	h := interp.HandlerCtx(ctx)
	v := prints(words, input{kind: literal, text: value{known: true}}, h.Dir)
	if !v.known {
		return nil
	}
	fed := make(chan string, 1)
	go func() {
		raw, _ := io.ReadAll(h.Stdin)
		fed <- string(raw)
	}()
	select {
	case <-ctx.Done(): // nobody closes it
		return ctx.Err()
	case text := <-fed:
		v = prints(words, input{kind: literal, text: value{text: text, known: true}}, h.Dir)
		_, err := io.WriteString(h.Stdout, v.text)
		return err
	}
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
			if !slices.Contains(foreseen, name) && !slices.Contains(foreseen, nameOf(name)) {
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
	except := interpreterLacks()
	for _, text := range seeds(t) {
		if except.has(text) {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		if name, bad := unforeseen(ctx, text); bad {
			t.Errorf("%s\nstarts %s, which was not foreseen", text, name)
		}
		cancel()
	}
	except.report(t)
}

// FuzzOracle lets the interpreter check texts of any kind.
func FuzzOracle(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	strange := []string{
		"@",                    // it joins "x$@y" into one word
		"\\\\\\\n",             // it keeps a line end behind two backslashes and one more
		`\4`, `\5`, `\6`, `\7`, // it clips octal numbers above 377
		`=\`,                                                // it keeps backslashes in assignments
		`\c`,                                                // it does not know control characters
		"local", "export", "typeset", "readonly", "declare", // it assigns before it expands the rest
		">(", "<(", // it waits for what nobody opens
	}
	f.Fuzz(func(t *testing.T, text string) {
		if interpreterLacks().has(strings.Join(strings.Fields(text), " ")) || len(text) > 1<<10 || slices.ContainsFunc(strange, func(s string) bool { return strings.Contains(text, s) }) {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		if name, bad := unforeseen(ctx, text); bad {
			t.Errorf("%q\nstarts %q, which was not foreseen", text, name)
		}
	})
}
