//go:build unix

package e2e

// What every test here needs: the agent, a model, a home, and this test program
// as a hook that answers what it is told.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/harness/claude"
	"assent/internal/mockllm"
)

// saidEnv holds the verdicts that the test program gives as a hook, by event.
const saidEnv = "E2E_VERDICTS"

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "hook" {
		os.Exit(hook(os.Args[4]))
	}
	code := m.Run()
	if buildDir != "" {
		_ = os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// hook is what the agent runs in tests of the codec alone: it keeps what it was
// told in a file of the working directory's neighbour and answers as its
// environment says.
func hook(native string) int {
	raw, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	e, err := claude.Codec.Decode(native, raw, os.Getenv)
	if err != nil {
		raw = []byte(err.Error() + "\n" + string(raw))
	}
	var said map[string]assent.Verdict
	if err := errors.Join(err, json.Unmarshal([]byte(os.Getenv(saidEnv)), &said)); err != nil {
		_, _ = os.Stdout.Write(claude.Codec.Fail(native, err.Error()))
	} else {
		v, err := claude.Codec.Restore(e, said[native])
		switch {
		case err != nil:
			v = assent.Verdict{Decision: assent.Deny, Tell: err.Error()}
		case string(e.Extra["attempt"]) == "1":
			v = assent.Verdict{} // an agent is sent back once
		}
		_, _ = os.Stdout.Write(claude.Codec.Encode(native, v))
	}
	name := fmt.Sprintf("%s-%d.json", native, time.Now().UnixNano())
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "told", name), raw, 0o600); err != nil {
		return 1
	}
	return 0
}

var install = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return Install(ctx, Claude, os.Getenv)
})

// bench is one agent with a home, a project and a model of its own.
type bench struct {
	*testing.T
	agent   Agent
	model   *mockllm.Server
	project string
}

// newBench skips the test where the agent cannot be had, and fails it in CI.
func newBench(t *testing.T, opt mockllm.Options) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a real agent")
	}
	program, err := install()
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	home := shortDir(t)
	b := &bench{T: t, model: mockllm.New(opt), project: filepath.Join(home, "project")}
	srv := httptest.NewServer(b.model)
	t.Cleanup(srv.Close)
	for _, dir := range []string{".claude", "project", "told"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b.agent = Agent{Program: program, Home: home, Project: b.project, Model: srv.URL}
	return b
}

// shortDir is a folder whose path leaves room for a socket's name.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// wire writes settings that ask the program, and returns their path.
func (b *bench) wire(program string) string {
	b.Helper()
	text, err := claude.Wire([]byte("{}\n"), program)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.agent.Home, ".claude", "settings.json")
	b.write(path, string(text))
	return path
}

func (b *bench) write(path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

// run runs the agent to its end.
func (b *bench) run(prompt string, args ...string) Result {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	r, err := b.agent.Run(ctx, prompt, args...)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// has reports whether a file is in the project.
func (b *bench) has(name string) bool { return exists(filepath.Join(b.project, name)) }
