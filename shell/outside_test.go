//go:build corpus

package shell

// The corpus of commands that lies outside of the project: what it says of
// wrappers, what the interpreter starts of it, and what bash says of its syntax.

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestShapes: the wrappers of the corpus are seen through.
func TestShapes(t *testing.T) {
	t.Parallel()
	n := 0
	for _, r := range corpus(t, "shapes.jsonl") {
		if r.Expect != "unwrap" {
			continue
		}
		n++
		s := Parse(r.Command, "/work", "/home/ada")
		for _, inner := range r.Inner {
			if !starts(s, strings.Fields(inner)) {
				t.Errorf("%s\nstarts %s, which was not seen: %s", r.Command, inner, dump("$ "+r.Command))
			}
		}
		if len(r.Inner) == 0 && len(s.Commands) != 1 {
			t.Errorf("%s\nis no wrapper here: %s", r.Command, dump("$ "+r.Command))
		}
	}
	if n == 0 {
		t.Error("there are no rows about wrappers")
	}
}

// starts reports whether a script starts a program with these first arguments,
// or one that it was seen through.
func starts(s Script, words []string) bool {
	for _, c := range s.Commands {
		if i := slices.Index(c.Via, path.Base(words[0])); i >= 0 {
			return true
		}
		if c.Name != path.Base(words[0]) || len(c.Args) < len(words)-1 {
			continue
		}
		same := true
		for i, w := range words[1:] {
			same = same && c.Args[i].Value == w
		}
		if same {
			return true
		}
	}
	return false
}

// some is which part of the corpus is looked at where nobody asked for it.
const some = 8

// each calls f for the commands of the corpus, on all cores: for all of them
// when ASSENT_CORPUS is set, else for some.
func each(t *testing.T, f func(text string)) {
	t.Helper()
	rows := corpus(t, "commands.jsonl")
	if os.Getenv("ASSENT_CORPUS") == "" {
		i := 0
		rows = slices.DeleteFunc(rows, func(row) bool { i++; return i%some != 0 })
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(rows, len(rows)/runtime.GOMAXPROCS(0)+1) {
		wg.Go(func() {
			for _, r := range part {
				f(r.Command)
			}
		})
	}
	wg.Wait()
}

// TestOracleOutside interprets the corpus.
func TestOracleOutside(t *testing.T) {
	t.Parallel()
	except := interpreterLacks()
	each(t, func(text string) {
		if except.has(text) {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		if name, bad := unforeseen(ctx, text); bad {
			t.Errorf("%.400q\nstarts %s, which was not foreseen", text, name)
		}
	})
	except.report(t)
}

// TestBash: what bash reads is read, or a finding says that it is not; and what
// bash refuses is never read in silence.
func TestBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	if testing.Short() {
		t.Skip("it starts bash once for each command")
	}
	except := &exceptions{reasons: []exception{{part: "@(", why: "bash only reads extended globs after shopt -s extglob"}}}
	each(t, func(text string) {
		if except.has(text) {
			return
		}
		cmd := exec.Command(bash, "--norc", "-n")
		cmd.Env, cmd.Stdin = []string{"LC_ALL=C.UTF-8"}, strings.NewReader(text)
		var out bytes.Buffer
		cmd.Stderr = &out
		accepts := cmd.Run() == nil
		s := Parse(text, "/work", "/home/ada")
		said := len(s.Findings) > 0
		if accepts && broken(s) {
			t.Errorf("%.400q\nis read by bash and not here", text)
		}
		if !accepts && !said {
			t.Errorf("%.400q\nis refused by bash, and nothing says so: %s", text, out.String())
		}
	})
	except.report(t)
}
