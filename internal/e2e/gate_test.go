//go:build unix

package e2e

// What every test of the whole gate needs: assent built from here, wired by its
// own init, and a person with a key.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/mockllm"
)

// patience is how long a step may take on a busy machine.
const patience = time.Minute

// buildDir holds the assent under test; TestMain takes it away.
var buildDir string

var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "assent-e2e-build")
	if err != nil {
		return "", err
	}
	buildDir = dir
	path := filepath.Join(dir, "assent")
	out, err := exec.Command("go", "build", "-o", path, "assent/cmd/assent").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// gated is a bench behind assent.
type gated struct {
	*bench
	gate Gate
}

// newGated wires the agent with assent's own init. config is its config.yaml.
func newGated(t *testing.T, config string) *gated {
	t.Helper()
	b := newBench(t, mockllm.Options{})
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{bench: b, gate: Gate{Program: program, Home: b.agent.Home, Key: filepath.Join(b.agent.Home, "person.key")}}
	b.write(filepath.Join(b.agent.Home, ".assent", "config.yaml"), "listen: \"off\"\n"+config)
	g.must("keys", "create", "--name", "tester", "--out", g.gate.Key)
	g.must("init", "claude", "--yes")
	return g
}

// must runs a command that has to succeed.
func (g *gated) must(args ...string) string {
	g.Helper()
	said, err := g.gate.Run(g.Context(), args...)
	if err != nil || said.Code != 0 {
		g.Fatalf("assent %v: %v, exit %d\n%s%s", args, err, said.Code, said.Out, said.Err)
	}
	return said.Out
}

// serve starts the server; it is ended with the test.
func (g *gated) serve() *Server {
	g.Helper()
	s, err := g.gate.Serve(context.WithoutCancel(g.Context()))
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(s.Kill)
	return s
}

// begin runs the agent beside the test; the result comes by calling what it
// returns.
func (g *gated) begin(prompt string, args ...string) func() Result {
	type ended struct {
		r   Result
		err error
	}
	done := make(chan ended, 1)
	ctx, cancel := context.WithTimeout(g.Context(), 3*patience)
	g.Cleanup(cancel)
	go func() {
		r, err := g.agent.Run(ctx, prompt, args...)
		done <- ended{r, err}
	}()
	return func() Result {
		g.Helper()
		e := <-done
		if e.err != nil {
			g.Fatal(e.err)
		}
		return e.r
	}
}

// await waits for the request about the text.
func (g *gated) await(text string) string {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.Context(), patience)
	defer cancel()
	r, err := g.gate.Await(ctx, text)
	if err != nil {
		g.Fatal(err)
	}
	return r.ID
}

func (g *gated) answer(verb, id string, args ...string) {
	g.Helper()
	if err := g.gate.Answer(g.Context(), verb, id, args...); err != nil {
		g.Fatal(err)
	}
}

// pending is how many requests wait.
func (g *gated) pending() int {
	g.Helper()
	list, err := g.gate.Pending(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	return len(list)
}

// danger is a command that must be asked about, and how often it ran, by what it
// left in a file. (Deleting would be no danger: the project lies in a temporary
// folder.)
func (g *gated) danger(name string) (command string, ran func() int) {
	g.Helper()
	log := filepath.Join(g.project, name+".ran")
	return "git reset --hard " + name + "; echo x >> " + name + ".ran", func() int {
		raw, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			g.Fatal(err)
		}
		return strings.Count(string(raw), "\n")
	}
}

// whole checks that the log verifies.
func (g *gated) whole() {
	g.Helper()
	if out := g.must("log", "verify"); !strings.Contains(out, "whole") {
		g.Errorf("log verify: %s", out)
	}
}

// until waits for something that happens beside the test.
func (g *gated) until(done func() bool) {
	g.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-deadline:
			g.Fatal("it did not happen")
		case <-tick.C:
		}
	}
}
