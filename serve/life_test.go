package serve

// The life of a server and its clients: opening, stopping, going away.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
)

// TestNoGoroutineIsLeft is not parallel: it looks at the whole process.
func TestNoGoroutineIsLeft(t *testing.T) {
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r, err := f.Wait(t.Context(), id, time.Minute)
			if r.State != assent.Pending && !errors.Is(err, assent.ErrUnavailable) {
				t.Errorf("a wait ended with %q, %v", r.State, err)
			}
		})
		wg.Go(func() {
			err := f.Stream(t.Context(), 0, func(assent.Line) error { return nil })
			if !errors.Is(err, assent.ErrUnavailable) {
				t.Errorf("a stream ended with %v", err)
			}
		})
	}
	idle := must[net.Conn](t)(net.Dial("tcp", strings.TrimPrefix(f.url, "http://")))
	defer idle.Close()
	soon(t, "all wait", func() bool { return len(f.server.polls) == 20 && len(f.server.streams) == 20 })
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 1<<20)
	if all := string(buf[:runtime.Stack(buf, true)]); strings.Contains(all, "assent/serve.(*Server)") || strings.Contains(all, "assent/serve.(*call)") {
		t.Errorf("goroutines are left:\n%s", all)
	}
	wg.Wait()
}

func TestAStopEndsWaitsWithTheRequestAsItStands(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	type end struct {
		r   assent.Request
		err error
	}
	done := make(chan end, 1)
	go func() {
		var e end
		e.err = f.Client.at(Requester).do(t.Context(), "GET", path(id)+"/wait?hold=60s", nil, &e.r)
		done <- e
	}()
	soon(t, "the poll waits", func() bool { return len(f.server.polls) == 1 })
	from := time.Now()
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	if e := <-done; e.err != nil || e.r.State != assent.Pending || e.r.ID != id {
		t.Fatalf("%+v, %v", e.r, e.err)
	}
	if d := time.Since(from); d > grace {
		t.Errorf("the stop took %v", d)
	}
	if _, err := os.Stat(f.socket); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
	if _, err := f.Handle(t.Context(), shell("e2", "ls")); !errors.Is(err, assent.ErrUnavailable) {
		t.Errorf("nobody serves: %v", err)
	}
}

func TestTheSocketsAreTheirOwners(t *testing.T) {
	t.Parallel()
	f := start(t)
	for _, path := range f.at {
		if info := must[os.FileInfo](t)(os.Stat(path)); info.Mode().Perm() != 0o600 {
			t.Error(path, info.Mode())
		}
	}
}

func TestASecondServerIsTurnedAway(t *testing.T) {
	t.Parallel()
	f := start(t)
	other := &Server{Engine: f.engine, Sockets: f.at}
	if err := other.Listen(); !errors.Is(err, assent.ErrLocked) {
		t.Fatal(err)
	}
	if err := f.Ping(t.Context()); err != nil {
		t.Fatalf("the first one is gone: %v", err)
	}
}

func TestStaleSocketsAreCleanedUpAndFilesAreNot(t *testing.T) {
	t.Parallel()
	dir := must[string](t)(os.MkdirTemp("", "serve"))
	t.Cleanup(func() { os.RemoveAll(dir) })
	at := paths(dir)
	for _, path := range at {
		l := must[net.Listener](t)(net.Listen("unix", path))
		l.(*net.UnixListener).SetUnlinkOnClose(false) // as if killed
		l.Close()
	}
	if err := Dial(at, nil).Ping(t.Context()); !errors.Is(err, assent.ErrUnavailable) {
		t.Fatal(err)
	}
	f := start(t)
	s := &Server{Engine: f.engine, Sockets: at}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range at {
		if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Listen(); !errors.Is(err, assent.ErrInvalid) {
			t.Error(path, err)
		}
		if raw, _ := os.ReadFile(path); string(raw) != "precious" {
			t.Error("a file was removed")
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if left := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(left) != 0 {
		t.Errorf("of the others that were opened, some are left: %v", left)
	}
}

// Whoever answers on any of the four keeps a server from starting, and is named.
func TestWhoAnswersInItsPlaceIsNamed(t *testing.T) {
	t.Parallel()
	for f := range (PerFacet{}) {
		dir := must[string](t)(os.MkdirTemp("", "serve"))
		t.Cleanup(func() { os.RemoveAll(dir) })
		l := must[net.Listener](t)(net.Listen("unix", paths(dir)[f]))
		t.Cleanup(func() { l.Close() })
		s := &Server{Engine: start(t).engine, Sockets: paths(dir)}
		if err := s.Listen(); !errors.Is(err, assent.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d of user", os.Getpid())) {
			t.Error(Facet(f), err)
		}
	}
}

func TestWhereNobodyServes(t *testing.T) {
	t.Parallel()
	c := Dial(paths(filepath.Join(t.TempDir(), "none")), nil)
	if err := c.Ping(t.Context()); !errors.Is(err, assent.ErrUnavailable) {
		t.Error(err)
	}
	if _, err := c.Handle(t.Context(), shell("e", "ls")); !errors.Is(err, assent.ErrUnavailable) {
		t.Error(err)
	}
	if err := c.Stream(t.Context(), 0, nil); !errors.Is(err, assent.ErrUnavailable) {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// A server that takes connections and says nothing, nonsense, or half.
func TestAServerThatIsNone(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]string{
		"nothing": "", "nonsense": "hello\r\n\r\n", "half": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{",
	} {
		dir := must[string](t)(os.MkdirTemp("", "serve"))
		t.Cleanup(func() { os.RemoveAll(dir) })
		l := must[net.Listener](t)(net.Listen("unix", paths(dir)[Requester]))
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Read(make([]byte, 4096))
				_, _ = io.WriteString(c, reply)
				c.Close()
			}
		}()
		if v, err := Dial(paths(dir), nil).Handle(t.Context(), shell("e", "ls")); !errors.Is(err, assent.ErrUnavailable) || v.Decision != assent.None {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := f.Wait(ctx, id, time.Minute)
		done <- err
	}()
	soon(t, "the poll waits", func() bool { return len(f.server.polls) == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	soon(t, "the server noticed", func() bool { return len(f.server.polls) == 0 })
	if _, err := f.Handle(ctx, shell("e2", "ls")); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// What Ping opened serves the next call, and is replaced when the server has
// given it up.
func TestPingsConnectionIsUsedOnceAndReplaced(t *testing.T) {
	t.Parallel()
	f := start(t)
	for range 3 {
		if err := f.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Health(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f.take0() {
		t.Fatal("a connection is left")
	}
	if err := f.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	line := f.Client.at(Requester)
	line.mu.Lock()
	line.ready.Close()
	line.mu.Unlock()
	if _, err := f.Health(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) take0() bool { return f.Client.at(Requester).take() != nil }

func TestManyClientsAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			e := shell("e", "ls")
			e.Tool, e.ID = "read", e.ID+string(rune('a'+i%26))
			if v, err := Dial(f.at, nil).Handle(t.Context(), e); err != nil || v.Decision != assent.None {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
	wg.Wait()
}

func TestAnEventTooLargeIsNotSent(t *testing.T) {
	t.Parallel()
	f := start(t)
	if _, err := f.Handle(t.Context(), shell("e", strings.Repeat("x", maxBody))); !errors.Is(err, assent.ErrInvalid) {
		t.Fatal(err)
	}
	e := shell("e", "ls")
	e.Input = []byte("{")
	if _, err := f.Handle(t.Context(), e); !errors.Is(err, assent.ErrInvalid) {
		t.Fatal(err)
	}
}

// A use, its beginning and its end go over one connection; one that was given up is
// replaced.
func TestTheHoldersConnectionIsKept(t *testing.T) {
	t.Parallel()
	f := start(t)
	usable := func() net.Conn {
		t.Helper()
		if _, err := f.Usable(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return f.Client.at(Holder).ready
	}
	first := usable()
	if first == nil || usable() != first {
		t.Fatal("each call has a connection of its own")
	}
	first.Close()
	if next := usable(); next == nil || next == first {
		t.Fatal("a connection that is gone is kept")
	}
	if err := f.Close(); err != nil || f.Client.at(Holder).ready != nil {
		t.Fatal("a connection is left", err)
	}
	usable()
}
