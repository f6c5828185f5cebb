//go:build unix

package docscript

// Every page of the documentation, run with the real program.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// built is the folder that build made, to be removed at the end.
var built string

// build makes the program once, and returns the folder it is in.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "assent-docs-")
	if err != nil {
		return "", err
	}
	built = dir
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "assent"), "./cmd/assent")
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

func TestPagesAreTrue(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil || len(pages) < 3 {
		t.Fatalf("the pages are not there: %v, %v", pages, err)
	}
	for _, file := range append(pages, filepath.Join(top, "README.md")) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		steps, err := Parse(string(raw))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(steps) == 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			run(t, file, steps)
		})
	}
}

// run types a page's steps into a shell in a home of its own.
func run(t *testing.T, file string, steps []Step) {
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "assent-page-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	s, ctx := start(t, home, "PATH="+bin+":"+os.Getenv("PATH"), "TERM=dumb", "LANG=C.UTF-8", "TZ=UTC", "USER=ada")
	for _, step := range steps {
		got, err := s.Do(ctx, step)
		if err != nil || !Match(step.Want, got) {
			t.Fatalf("%s:%d: $ %s\nthe page says:\n%s\nit printed:\n%s\n(%v, %v)", file, step.Line, step.Command,
				indent(step.Want), indent(got), err, context.Cause(ctx))
		}
	}
}

func indent(lines []string) string { return "    " + strings.Join(lines, "\n    ") }
