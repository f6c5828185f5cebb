package python

// What plugins do with each other and with their ctx.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plugin is one of a text; its only hook calls whatever the text names hook.
func plugin(t testing.TB, key, text string) Unit {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "__init__.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Unit{Kind: Plugin, Key: key, Module: "hermes_plugins." + key, Path: dir, Data: filepath.Join(dir, "data"), Settings: []byte(`{"retry":{"policy":"slow"}}`)}
}

// first loads a plugin and returns its first callback.
func first(t testing.TB, h *Host, u Unit) string {
	t.Helper()
	got, err := h.Load(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Hooks) == 0 {
		t.Fatalf("%s registered nothing: %+v", u.Key, got)
	}
	return got.Hooks[0].Callback
}

func TestEventsThatAnswerEachOtherComeToAnEnd(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{}, nil)
	ball := func(me, other string) string {
		return `HITS = []
def register(ctx):
    def hit(**payload):
        HITS.append(payload)
        ctx.emit("hit", payload)
    ctx.subscribe("` + other + `:hit", hit)
    ctx.register_hook("on_session_start", lambda serve=False, **_: ctx.emit("hit", {"n": [1]}) if serve else len(HITS))
`
	}
	ping := first(t, h, plugin(t, "ping", ball("ping", "pong")))
	pong := first(t, h, plugin(t, "pong", ball("pong", "ping")))
	if got, err := h.Call(t.Context(), ping, Args{Kwargs: kw("serve", "true")}); err != nil || string(got) != "1" {
		t.Fatalf("%s, %v", got, err)
	}
	eventually(t, "it is noted", func() bool { return strings.Contains(s.noted(), "events answer events without end") })
	for _, side := range []string{ping, pong} {
		if got, err := h.Call(t.Context(), side, Args{}); err != nil || string(got) != "4" {
			t.Errorf("%s: %s hits, %v", side, got, err)
		}
	}
}

func TestEmitNeverWaits(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{}, nil)
	first(t, h, plugin(t, "slow", "import threading\ndef register(ctx):\n    ctx.subscribe('loud:shout', lambda **_: threading.Event().wait())\n    ctx.register_hook('on_session_start', lambda: None)\n"))
	loud := first(t, h, plugin(t, "loud", `def register(ctx):
    def shout(**_):
        told = [ctx.emit("shout") for _ in range(70)]
        for bad in ("", "a:b", ":", None):
            try:
                ctx.emit(bad)
                return "no error for %r" % (bad,)
            except ValueError:
                pass
        return [told.count(1), told.count(0), ctx.emit("nobody")]
    ctx.register_hook("on_session_start", shout)
`))
	if got, err := h.Call(t.Context(), loud, Args{}); err != nil || string(got) != "[64,6,0]" {
		t.Errorf("%s, %v", got, err)
	}
	eventually(t, "it is noted", func() bool { return strings.Contains(s.noted(), "too many events wait") })
}

func TestEachSubscriberHasThePayloadForItself(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, nil)
	callback := first(t, h, plugin(t, "own", `import threading
def register(ctx):
    seen, done, sent = [], threading.Event(), {"n": [1]}
    ctx.subscribe("own:told", lambda n: n.append(2))
    def look(n):
        seen.extend(n)
        done.set()
    ctx.subscribe("own:told", look)
    def tell():
        ctx.emit("told", sent)
        return [done.wait(20), seen, sent]
    ctx.register_hook("on_session_start", tell)
`))
	if got, err := h.Call(t.Context(), callback, Args{}); err != nil || string(got) != `[true,[1],{"n":[1]}]` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestTheCtx(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Pause: time.Millisecond}, nil)
	u := plugin(t, "whole", `import asyncio
from . import part
async def register(ctx):
    await asyncio.sleep(0)
    made = []
    async def work():
        made.append("worked")
    async def fail():
        raise OSError("no disk")
    await ctx.spawn_task(work(), name="work")
    def all_of_it(note=None):
        ctx.spawn_task(fail(), name="fail")
        if note == "restart":
            return ctx.state.get("kept")
        ctx.state.set("kept", {"deep": [1, "é"]})
        errors = []
        for bad in (lambda: ctx.state.set("../up", 1), lambda: ctx.state.set("k", object()), lambda: ctx.get_config("a/b"), lambda: ctx.register_hook("", print), lambda: ctx.on_unload(3)):
            try:
                bad()
            except (ValueError, TypeError) as e:
                errors.append(type(e).__name__)
        return [part.NAME, made, ctx.get_config("retry.policy"), ctx.get_config("retry.none", 7), errors, hasattr(ctx, "_secret")]
    ctx.register_hook("on_session_start", all_of_it)
    ctx.register_hook("on_session_start", print)
`)
	if err := os.WriteFile(filepath.Join(u.Path, "part.py"), []byte("NAME = __name__\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	callback := first(t, h, u)
	want := `["hermes_plugins.whole.part",["worked"],"slow",7,["ValueError","ValueError","ValueError","ValueError","TypeError"],false]`
	if got, err := h.Call(t.Context(), callback, Args{}); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	eventually(t, "the task's end is noted", func() bool { return strings.Contains(s.noted(), "whole: fail ended with OSError: no disk") })
	h.kill(t)
	if got, err := h.Call(t.Context(), callback, Args{Kwargs: kw("note", `"restart"`)}); err != nil || string(got) != `{"deep":[1,"\u00e9"]}` {
		t.Errorf("after a new start: %s, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(u.Path, "__pycache__")); err == nil {
		t.Error("compiled files were left beside the source")
	}
}

func TestCompiledFilesAreNotTrusted(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, nil)
	u := plugin(t, "plain", "from .inner import SAYS\ndef register(ctx):\n    ctx.register_hook('on_session_start', lambda: SAYS)\n")
	planted := "import py_compile, os, sys\nd = sys.argv[1]\nopen(d + '/inner.py', 'w').write('SAYS = 1\\n')\npy_compile.compile(d + '/inner.py')\nst = os.stat(d + '/inner.py')\nopen(d + '/inner.py', 'w').write('SAYS = 2\\n')\nos.utime(d + '/inner.py', ns=(st.st_atime_ns, st.st_mtime_ns))\n"
	run(t, "-c", planted, u.Path)
	if got, err := h.Call(t.Context(), first(t, h, u), Args{}); err != nil || string(got) != "2" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestSignaturesAreHeeded(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, nil)
	for signature, want := range map[string]string{
		"tool_name":                  `["x"]`,
		"tool_name, *, status":       `["x",null]`, // which the event has, and nobody knows
		"tool_name, unheard_of=5":    `["x",5]`,
		"status='ok', **rest":        `["ok",{"args":{},"tool_name":"x"}]`,
		"self, tool_name='none'":     "missing 1 required positional argument: 'self'",
		"tool_name, unheard_of":      "missing 1 required positional argument: 'unheard_of'",
		"tool_name, /, status='bad'": "missing 1 required positional argument: 'tool_name'",
	} {
		callback := first(t, h, plugin(t, "signs", "def callback("+signature+"):\n    return [v for k, v in locals().items()]\ndef register(ctx):\n    ctx.register_hook('post_tool_call', callback)\n"))
		got, err := h.Call(t.Context(), callback, Args{Kwargs: kw("tool_name", `"x"`, "args", "{}")})
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && string(got) != want {
			t.Errorf("%s: %s, %v", signature, got, err)
		}
	}
}
