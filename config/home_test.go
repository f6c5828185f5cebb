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
	"assent/serve"
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

// The sockets of a home with a long path are in one place for everybody.
func TestTheSocketsPathsAreShort(t *testing.T) {
	t.Parallel()
	long := Home{Dir: "/" + strings.Repeat("x", 200)}
	other := Home{Dir: long.Dir + "y"}.Sockets()
	seen := map[string]bool{}
	for f, p := range long.Sockets() {
		if len(p) > maxSocket || p == other[f] || !strings.HasPrefix(p, temporary()) || seen[p] {
			t.Error(p)
		}
		seen[p] = true
	}
	for f, p := range (Home{Dir: "/h"}).Sockets() {
		if p != filepath.Join("/h", sockets[f]) || len(sockets[f]) > len(sockets[serve.Requester]) {
			t.Error(p)
		}
	}
	edge := strings.Repeat("x", maxSocket-len("//assent.sock"))
	if p := (Home{Dir: "/" + edge}).Socket(); len(p) != maxSocket || filepath.Dir(p) != "/"+edge {
		t.Error(p)
	}
	if p := (Home{Dir: "/" + edge + "x"}).Sockets(); filepath.Dir(p[serve.Holder]) != filepath.Dir(p[serve.Requester]) {
		t.Error("they are in two places:", p)
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

func TestTheTokensAreMadeOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first, err := h.EnsureTokens()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.EnsureTokens(); again != first || err != nil {
		t.Error(again, err)
	}
	seen := map[string]bool{}
	for f, token := range first {
		path := filepath.Join(h.Tokens(), serve.Facet(f).String())
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Error(info, err)
		}
		if len(token) < 64 || seen[token] {
			t.Error(token)
		}
		seen[token] = true
	}
	if err := os.WriteFile(filepath.Join(h.Tokens(), "granter"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := h.EnsureTokens()
	if err != nil || next[serve.Granter] == first[serve.Granter] || len(next[serve.Granter]) < 64 {
		t.Error(next, err)
	}
	if next[serve.Granter] = first[serve.Granter]; next != first {
		t.Error("the others changed:", next)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(h.Tokens(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := h.EnsureTokens(); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("open to others: %v", err)
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

// Only whoever holds the lock, and noted so, is the server.
func TestTheServerIsWhoHoldsTheLock(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	self := peer.Self()
	if err := h.genuine(self); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("nobody serves: %v", err)
	}
	release, err := h.hold(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.genuine(self); err != nil {
		t.Error(err)
	}
	for _, p := range []assent.Process{{}, {UID: self.UID}, {PID: self.PID, Start: self.Start + 1}, {PID: os.Getppid(), Start: self.Start}} {
		if err := h.genuine(p); !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	note, err := os.ReadFile(h.holderFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.holderFile(), note, 0o600); err != nil { // as an impostor would
		t.Fatal(err)
	}
	if err := h.genuine(self); !errors.Is(err, assent.ErrForbidden) || !strings.Contains(err.Error(), "does not hold the lock") {
		t.Errorf("a note without the lock: %v", err)
	}
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
