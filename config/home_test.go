package config

// The home: where it is, who may have it, and who holds its lock.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/internal/peer"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestWhereTheHomeIs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, c := range map[string]struct {
		vars map[string]string
		want Home
	}{
		"of the user":      {map[string]string{"HOME": root}, Home{Dir: filepath.Join(root, ".assent"), User: root}},
		"named":            {map[string]string{"HOME": root, "ASSENT_HOME": root + "/a/../b/"}, Home{Dir: filepath.Join(root, "b"), User: root}},
		"without a user":   {map[string]string{"ASSENT_HOME": root}, Home{Dir: root, User: ""}},
		"on Windows":       {map[string]string{"USERPROFILE": root}, Home{Dir: filepath.Join(root, ".assent"), User: root}},
		"nowhere":          {nil, Home{}},
		"relative":         {map[string]string{"HOME": root, "ASSENT_HOME": "b"}, Home{}},
		"relative to user": {map[string]string{"HOME": "here"}, Home{}},
	} {
		got, err := Locate(env(c.vars))
		if got != c.want || (err != nil) != (c.want == Home{}) || err != nil && !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	h, err := At(root + "/x/..")
	if p := h.Places(); err != nil || h.Dir != root || p.Assent != root || p.Home == "" {
		t.Error(h, err)
	}
	if _, err := At("x"); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
}

// The socket of a home with a long path is in one place for everybody.
func TestTheSocketsPathIsShort(t *testing.T) {
	t.Parallel()
	long := Home{Dir: "/" + strings.Repeat("x", 200)}
	if p := long.Socket(); len(p) > maxSocket || p == (Home{Dir: long.Dir + "y"}).Socket() || !strings.HasPrefix(p, temporary()) {
		t.Error(p)
	}
	if h := (Home{Dir: "/h"}); h.Socket() != filepath.Join("/h", "assent.sock") {
		t.Error(h.Socket())
	}
}

func newHome(t *testing.T) Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "home-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return Home{Dir: dir, User: dir}
}

func TestTheTokenIsMadeOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first, err := h.EnsureToken()
	if err != nil || len(first) < 64 {
		t.Fatal(first, err)
	}
	if again, err := h.EnsureToken(); again != first || err != nil {
		t.Error(again, err)
	}
	if err := os.WriteFile(h.Token(), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := h.EnsureToken(); other == first || len(other) != len(first) || err != nil {
		t.Error(other, err)
	}
	if info, err := os.Stat(h.Token()); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Error(info, err)
	}
}

func TestTheLockIsHeldByOneAndNamed(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	ctx, cancel := context.WithCancel(t.Context())
	release, err := h.hold(ctx, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if name := h.holder(); !strings.HasPrefix(name, "assent serve (pid ") || !strings.HasSuffix(name, ", since 2026-11-30T00:00:00Z)") {
		t.Error(name)
	}
	waited := make(chan error)
	go func() {
		_, err := h.brief(ctx)
		waited <- err
	}()
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ended with %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if name := h.holder(); name != "another process" {
		t.Error(name)
	}
	unlock, err := h.brief(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// A start does not fail because a hook happens to write: it waits its turn.
func TestAServerWaitsForAShortTransaction(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	unlock, err := h.brief(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan error)
	go func() {
		release, err := h.hold(t.Context(), time.Now())
		if err == nil {
			err = release()
		}
		started <- err
	}()
	unlock()
	if err := <-started; err != nil {
		t.Error(err)
	}
}

// What a server noted that was killed says nothing of who holds the lock now.
func TestTheNoteOfADeadServerIsNotBelieved(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, note := range []string{`{"process":{"pid":1,"start":4711,"uid":0},"since":"2026-11-30T00:00:00Z"}`, "x", ""} {
		if err := os.WriteFile(h.holderFile(), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
		if name := h.holder(); name != "another process" {
			t.Errorf("%s: %s", note, name)
		}
	}
	if peer.Self().PID != os.Getpid() {
		t.Error(peer.Self())
	}
}
