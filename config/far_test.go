package config

// Far: what a hook costs a server, and whom a client speaks to.

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"assent"
	"assent/serve"
)

// listening answers at each of a home's sockets, and counts who came.
func listening(t *testing.T, h Home) (came *[len(serve.PerFacet{})]atomic.Int32) {
	t.Helper()
	came = new([len(serve.PerFacet{})]atomic.Int32)
	for f, path := range h.Sockets() {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				came[f].Add(1)
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
				c.Close()
			}
		}()
	}
	return came
}

// The way of every call of every agent: one connection, to one socket.
func TestAHookMakesOneConnection(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	release, err := h.hold(t.Context(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = release() }()
	came := listening(t, h)
	d, err := Dial(t.Context(), h, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Handle(t.Context(), assent.Event{Name: assent.PreToolCall, Agent: "plain"}); err != nil {
		t.Fatal(err)
	}
	for f := range came {
		want := int32(0)
		if f == int(serve.Requester) {
			want = 1
		}
		if n := came[f].Load(); n != want {
			t.Errorf("%d connections to the %s's socket, want %d", n, serve.Facet(f), want)
		}
	}
}

// These sockets are not of whoever holds the lock: nobody speaks to them, and no hook
// goes on because of what they say.
func TestNobodySpeaksToAnImpostor(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	listening(t, h)
	if _, err := Dial(t.Context(), h, time.Now); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("dial: %v", err)
	}
	ctx, d := t.Context(), far{h.Client(), h}
	for name, do := range map[string]func() error{
		"handle": func() error {
			_, err := d.Handle(ctx, assent.Event{Name: assent.PreToolCall, Agent: "plain"})
			return err
		},
		"request":  func() error { _, err := d.Request(ctx, "req_1"); return err },
		"answer":   func() error { _, err := d.Answer(ctx, assent.Answer{Request: "req_1"}); return err },
		"revoke":   func() error { _, err := d.Revoke(ctx, assent.Revocation{}); return err },
		"use":      func() error { _, err := d.Use(ctx, assent.Use{Handle: "secret"}); return err },
		"requests": func() error { _, err := d.Requests(ctx, assent.RequestFilter{}); return err },
	} {
		if err := do(); !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
