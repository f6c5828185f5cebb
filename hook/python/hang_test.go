package python

// Calls that hang, and what becomes of the others.

import (
	"context"
	"strings"
	"testing"
	"time"
)

const (
	greets = "def handle(event_type, context):\n    return 'hello'\n"

	sleeps = "import time\ndef handle(event_type, context):\n    print('sleeps')\n    time.sleep(3600)\n"
	spins  = "def handle(event_type, context):\n    if context.get('spin'):\n        while True:\n            pass\n    return 'still'\n"
	awaits = "import asyncio\nasync def handle(event_type, context):\n    if context.get('hang'):\n        await asyncio.sleep(3600)\n    return 'awaited'\n"
	blocks = "import time\nasync def handle(event_type, context):\n    print('blocks')\n    time.sleep(3600)\n"
	locks  = "import re\ndef handle(event_type, context):\n    print('locks')\n    re.match('(a+)+$', 'a' * 64 + 'b')\n"
)

// hang calls a handler that says its name and never returns, and gives it up once it
// has said so for the n-th time.
func hang(t *testing.T, h *Host, s *spoken, handler string, n int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := h.Call(ctx, handler, args("agent:start", nil))
		failed <- err
	}()
	eventually(t, handler+" runs", func() bool { return strings.Count(s.log(), handler) >= n })
	cancel()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), handler+" was cut off") {
		t.Errorf("%v", err)
	}
}

func TestAHandlerThatHangsIsCutOffAlone(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{}, map[string]string{"sleeps": sleeps, "greets": greets})
	for i := range perCallback {
		hang(t, h, s, "sleeps", i+1)
		if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
			t.Fatalf("the other: %s, %v", got, err)
		}
	}
	if _, err := h.Call(within(t, 20*time.Second), "sleeps", args("agent:start", nil)); err == nil || !strings.Contains(err.Error(), "3 earlier calls of it still hang") {
		t.Errorf("the fourth: %v", err)
	}
}

func TestABusyHandlerIsStopped(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, map[string]string{"spins": spins})
	for range 2 * perCallback {
		if _, err := h.Call(within(t, 20*time.Millisecond), "spins", args("agent:start", map[string]any{"spin": true})); err == nil {
			t.Fatal("it answered")
		}
		eventually(t, "the call is heard of", func() bool { return h.hangs() == 0 })
	}
	if got, err := h.Call(t.Context(), "spins", args("agent:start", map[string]any{})); err != nil || string(got) != `"still"` {
		t.Errorf("%s, %v", got, err)
	}
}

func (h *Host) hangs() int {
	h.mu.Lock()
	l := h.life
	h.mu.Unlock()
	if l == nil {
		return -1
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

func TestACoroutineThatHangsIsCancelled(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, map[string]string{"awaits": awaits})
	for range 2 * perCallback {
		if _, err := h.Call(within(t, 20*time.Millisecond), "awaits", args("agent:start", map[string]any{"hang": true})); err == nil {
			t.Fatal("it answered")
		}
		eventually(t, "the call is heard of", func() bool { return h.hangs() == 0 })
	}
	if got, err := h.Call(t.Context(), "awaits", args("agent:start", map[string]any{})); err != nil || string(got) != `"awaited"` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestACoroutineThatBlocksTheLoopHasItForItself(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{}, map[string]string{"blocks": blocks, "awaits": awaits})
	hang(t, h, s, "blocks", 1)
	if got, err := h.Call(t.Context(), "awaits", args("agent:start", map[string]any{})); err != nil || string(got) != `"awaited"` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestTooMuchThatHangsEndsTheInterpreter(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Hanging: 2, Pause: time.Millisecond}, map[string]string{"sleeps": sleeps, "greets": greets})
	for i := range 3 {
		hang(t, h, s, "sleeps", i+1)
	}
	eventually(t, "it is ended", func() bool { return strings.Contains(s.log(), "3 calls hung in it") })
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}

func TestOneThatStopsThemAllEndsTheInterpreter(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Silence: 100 * time.Millisecond, Pause: time.Millisecond}, map[string]string{"locks": locks, "greets": greets})
	hang(t, h, s, "locks", 1)
	eventually(t, "it is ended", func() bool { return strings.Contains(s.log(), "did not answer any more") })
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}
