package python

// The host as callers see it, with a real interpreter.

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// spoken is what a host told that nobody asked for.
type spoken struct {
	mu    sync.Mutex
	lines []string
	notes []string
}

func (s *spoken) line(l string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, l)
}

func (s *spoken) note(unit, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, unit+": "+text)
}

func (s *spoken) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *spoken) noted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.notes, "\n")
}

// interpreter is a Python, or the end of the test.
func interpreter(t testing.TB) []string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 was not found")
	}
	if named := os.Getenv("ASSENT_TEST_PYTHON"); named != "" {
		path = named
	}
	return []string{path}
}

// begin makes a host with these handlers loaded, each from a text.
func begin(t testing.TB, b Bounds, handlers map[string]string) (*Host, *spoken) {
	t.Helper()
	s := &spoken{}
	h := New(Options{Command: interpreter(t), Log: s.line, Note: s.note, Bounds: b})
	t.Cleanup(func() {
		if err := h.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	for name, text := range handlers {
		if _, err := h.Load(t.Context(), unit(t, name, text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return h, s
}

func unit(t testing.TB, name, text string) Unit {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Unit{Kind: Handler, Key: name, Module: "hermes_hook_" + name, Path: path}
}

func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits for what happens by itself.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func args(event string, context map[string]any) Args {
	return Args{Args: []any{event, context}}
}

func TestHandlers(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Name, Code, Want, Fails string }
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) < 10 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	h, _ := begin(t, Bounds{Result: 4096}, nil)
	for _, c := range cases {
		if _, err := h.Load(t.Context(), unit(t, c.Name, c.Code)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		got, err := h.Call(t.Context(), c.Name, args("agent:start", map[string]any{"message": "hi"}))
		switch {
		case c.Fails != "" && (err == nil || !strings.Contains(err.Error(), c.Fails)):
			t.Errorf("%s: error %v, want %q", c.Name, err, c.Fails)
		case c.Fails == "" && err != nil:
			t.Errorf("%s: %v", c.Name, err)
		case c.Fails == "" && string(got) != c.Want:
			t.Errorf("%s: %s, want %s", c.Name, got, c.Want)
		}
	}
}

// kw are keywords, each a name and a value in JSON.
func kw(pairs ...string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return out
}

// run runs Python apart from any host.
func run(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(interpreter(t)[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
