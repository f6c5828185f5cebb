package python

// Calls that hang, and what becomes of the others.

import (
	"strings"
	"testing"
	"time"
)

const (
	greets = "def handle(event_type, context):\n    return 'hello'\n"

	sleeps = "import time\ndef handle(event_type, context):\n    time.sleep(3600)\n"
	spins  = "def handle(event_type, context):\n    if context.get('spin'):\n        while True:\n            pass\n    return 'still'\n"
	awaits = "import asyncio\nasync def handle(event_type, context):\n    if context.get('hang'):\n        await asyncio.sleep(3600)\n    return 'awaited'\n"
	blocks = "import time\nasync def handle(event_type, context):\n    time.sleep(3600)\n"
	locks  = "import re\ndef handle(event_type, context):\n    re.match('(a+)+$', 'a' * 64 + 'b')\n"
)

func TestAHandlerThatHangsIsCutOffAlone(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, map[string]string{"sleeps": sleeps, "greets": greets})
	for range perCallback {
		_, err := h.Call(within(t, 20*time.Millisecond), "sleeps", args("agent:start", nil))
		if err == nil || !strings.Contains(err.Error(), "sleeps was cut off") {
			t.Errorf("%v", err)
		}
		if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
			t.Fatalf("the other: %s, %v", got, err)
		}
	}
	if _, err := h.Call(t.Context(), "sleeps", args("agent:start", nil)); err == nil || !strings.Contains(err.Error(), "3 earlier calls of it still hang") {
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
	h, _ := begin(t, Bounds{}, map[string]string{"blocks": blocks, "awaits": awaits})
	if _, err := h.Call(within(t, 50*time.Millisecond), "blocks", args("agent:start", nil)); err == nil {
		t.Fatal("it answered")
	}
	if got, err := h.Call(t.Context(), "awaits", args("agent:start", map[string]any{})); err != nil || string(got) != `"awaited"` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestTooMuchThatHangsEndsTheInterpreter(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Hanging: 2, Pause: time.Millisecond}, map[string]string{"sleeps": sleeps, "greets": greets})
	for range 3 {
		_, _ = h.Call(within(t, 20*time.Millisecond), "sleeps", args("agent:start", nil))
	}
	eventually(t, "it is ended", func() bool { return strings.Contains(s.log(), "3 calls hung in it") })
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}

func TestOneThatStopsThemAllEndsTheInterpreter(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Silence: 100 * time.Millisecond, Pause: time.Millisecond}, map[string]string{"locks": locks, "greets": greets})
	if _, err := h.Call(within(t, 50*time.Millisecond), "locks", args("agent:start", nil)); err == nil {
		t.Fatal("it answered")
	}
	eventually(t, "it is ended", func() bool { return strings.Contains(s.log(), "did not answer any more") })
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}
