package python

// How an interpreter begins and ends, and what holds across that.

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assent/internal/child"
)

const dies = "import os\ndef handle(event_type, context):\n    os._exit(7)\n"

func TestADeathFailsTheCallsAndNothingElse(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{Pause: time.Millisecond}, map[string]string{"dies": dies, "greets": greets, "sleeps": sleeps})
	beside := make(chan error)
	go func() {
		_, err := h.Call(t.Context(), "sleeps", args("agent:start", nil))
		beside <- err
	}()
	eventually(t, "the other call runs", func() bool { return h.running() == 1 })
	if _, err := h.Call(t.Context(), "dies", args("agent:start", nil)); !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("the one that died: %v", err)
	}
	if err := <-beside; !errors.Is(err, ErrEnded) {
		t.Errorf("the one beside it: %v", err)
	}
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}

func (h *Host) running() int {
	h.mu.Lock()
	l := h.life
	h.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls)
}

func TestAKilledInterpreterComesBack(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{Pause: time.Millisecond}, map[string]string{"greets": greets})
	for range 3 {
		h.kill(t)
		eventually(t, "it is there again", func() bool {
			got, err := h.Call(t.Context(), "greets", args("agent:start", nil))
			return err == nil && string(got) == `"hello"`
		})
	}
}

// kill kills the interpreter from outside.
func (h *Host) kill(t *testing.T) {
	t.Helper()
	l, err := h.await(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(l.proc.PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	<-l.ended
}

func TestWhatKillsItWhileItIsLoadedIsLeftOut(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{Pause: time.Millisecond}, map[string]string{"greets": greets})
	if _, err := h.Load(t.Context(), unit(t, "bomb", "import os\nos._exit(1)\n")); !errors.Is(err, ErrEnded) {
		t.Errorf("%v", err)
	}
	if got, err := h.Call(t.Context(), "greets", args("agent:start", nil)); err != nil || string(got) != `"hello"` {
		t.Errorf("afterwards: %s, %v", got, err)
	}
	if units := h.loaded(); len(units) != 1 {
		t.Errorf("kept: %v", units)
	}
}

func TestWhatTurnsBadIsNoted(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{Pause: time.Millisecond}, nil)
	u := unit(t, "turns", greets)
	if _, err := h.Load(t.Context(), u); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(u.Path, []byte("def handle(:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.kill(t)
	eventually(t, "it is noted", func() bool {
		return strings.Contains(s.noted(), "turns: it could not be loaded again: turns: SyntaxError")
	})
	if _, err := h.Call(t.Context(), "turns", args("agent:start", nil)); err == nil || !strings.Contains(err.Error(), "nothing is registered") {
		t.Errorf("%v", err)
	}
}

func TestWhatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, nil)
	for code, want := range map[string]string{
		"def handle(:\n":                "SyntaxError",
		"import nowhere_at_all\n":       "No module named 'nowhere_at_all' (bad.py:1)",
		"def handel(e, c):\n    pass\n": "it has no function called handle",
		"handle = 3\n":                  "must be callable",
		"import sys\nsys.exit('no')\n":  "SystemExit: no",
	} {
		if _, err := h.Load(t.Context(), unit(t, "bad", code)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", code, err)
		}
	}
}

func TestWhatIsPrintedGoesToTheLog(t *testing.T) {
	t.Parallel()
	h, s := begin(t, Bounds{}, map[string]string{"talks": `import os, sys, subprocess, logging
def handle(event_type, context):
    print('by print')
    sys.stdout.write('by write\n')
    os.write(1, b'{"id":1,"value":"by descriptor"}\n')
    subprocess.run([sys.executable, '-c', 'print("by a child")'])
    logging.getLogger('my.hook').info('by logging')
    return 'said'
`})
	if got, err := h.Call(t.Context(), "talks", args("agent:start", nil)); err != nil || string(got) != `"said"` {
		t.Fatalf("%s, %v", got, err)
	}
	for _, want := range []string{"by print", "by write", `{"id":1,"value":"by descriptor"}`, "by a child", "INFO my.hook: by logging"} {
		eventually(t, want, func() bool { return strings.Contains(s.log(), want) })
	}
}

func TestPythonThatIsNotThere(t *testing.T) {
	t.Parallel()
	old := filepath.Join(t.TempDir(), "old")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho 'Python 3.9 or newer is needed, and this is 3.8' >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"python-that-is-not-there": "python-that-is-not-there is not on the PATH; install Python 3.9 or newer",
		old:                        "the interpreter did not start: Python 3.9 or newer is needed, and this is 3.8",
	} {
		h := New(Options{Command: []string{command}})
		for range 2 {
			if _, err := h.Load(t.Context(), unit(t, "greets", greets)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
		}
		if err := h.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestItEndsWithItsInput(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the end of a process is looked up in /proc")
	}
	mark := filepath.Join(t.TempDir(), "pid")
	starts := unit(t, "starts", "import subprocess\np = subprocess.Popen(['sleep', '3600'])\nopen('"+mark+"', 'w').write(str(p.pid))\ndef handle(e, c):\n    pass\n")
	args, texts, err := New(Options{Command: interpreter(t)}).o.boot()
	if err != nil {
		t.Fatal(err)
	}
	p, err := child.Start(t.Context(), child.Spec{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	load, _ := json.Marshal(request{ID: 1, Op: "load", Unit: &starts})
	if _, err := p.Stdin.Write(slices.Concat(texts, load, []byte("\n"))); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewScanner(p.Stdout)
	for out.Scan() && !strings.Contains(out.Text(), `"id":1`) {
	}
	raw, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(raw))
	if err != nil || !alive(pid) {
		t.Fatalf("%d, %v", pid, err)
	}
	p.Stdin.Close() // as when we are killed: nobody is left to do anything
	p.Wait()
	eventually(t, "what it had started has ended", func() bool { return !alive(pid) })
}

// alive reports whether a process is there and is no zombie.
func alive(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(raw), ") Z ")
}

func TestAfterClose(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{}, map[string]string{"greets": greets})
	for range 2 {
		if err := h.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Call(t.Context(), "greets", args("agent:start", nil)); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestALongPauseFailsCallsAtOnceAndHoldsUpNoClose(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, Bounds{Pause: time.Hour}, map[string]string{"dies": dies})
	for range 2 {
		if _, err := h.Call(t.Context(), "dies", args("agent:start", nil)); !errors.Is(err, ErrEnded) {
			t.Errorf("%v", err)
		}
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestPauses(t *testing.T) {
	t.Parallel()
	var got []time.Duration
	for fails := range 10 {
		got = append(got, pause(200*time.Millisecond, fails))
	}
	if got[0] != 200*time.Millisecond || got[1] != 400*time.Millisecond || got[9] != longest {
		t.Errorf("%v", got)
	}
	for i := 1; i < len(got); i++ {
		if got[i] < got[i-1] {
			t.Errorf("%v", got)
		}
	}
}
