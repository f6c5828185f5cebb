//go:build unix

package main

// Hooks that watch: they are told once, later, and hold nobody up; and many calls at
// once.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestHooksThatWatchAreNeverInTheWay: the answer is there while they have not ended,
// and each is told once, which is recorded.
func TestHooksThatWatchAreNeverInTheWay(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, "hooks:\n  post_tool_call: [{command: ~/log.sh}]\n  on_session_end: [{command: ~/log.sh}]\n")
		g.script("log.sh", `until [ -e "$HOME/go" ]; do sleep 0.05; done
jq -r '.hook_event_name + " " + .extra.tool_call_id' >> "$HOME/told"
`)
		serve(g)
		const calls = 3
		for i := range calls {
			g.let(g.begin(result(fmt.Sprint("t", i)), "agent", "assent", "hook", "claude", "--event", "PostToolUse")())
		}
		g.let(g.begin(strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"Stop","last_assistant_message":"done"}`), "agent", "assent", "hook", "claude", "--event", "Stop")())
		if told := g.lines("told"); len(told) != 0 {
			t.Errorf("told before it could: %q", told)
		}
		g.try(os.WriteFile(filepath.Join(g.dir, "go"), nil, 0o600))
		g.until("all are told", func() bool { return len(g.lines("told")) >= calls+1 })
		if strings.HasSuffix(t.Name(), "alone") { // a server writes it down each minute, and at its end
			g.until("it is recorded", func() bool { return strings.Contains(g.must("log", "--json"), `"kind":"hook"`) })
		}
		seen := map[string]int{}
		for _, l := range g.lines("told") {
			seen[strings.TrimSpace(l)]++
		}
		for _, want := range []string{"post_tool_call t0", "post_tool_call t1", "post_tool_call t2", "on_session_end"} {
			if seen[want] != 1 {
				t.Errorf("%s: told %d times, of %v", want, seen[want], seen)
			}
		}
		g.must("log", "verify")
	})
}

// TestTwoHundredCallsWithAHookAtOnce: none fails, and each is asked about.
func TestTwoHundredCallsWithAHookAtOnce(t *testing.T) {
	t.Parallel()
	for name, served := range map[string]bool{"served": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			g := newHooked(t, guard+"  post_tool_call: [{command: ~/log.sh}]\n")
			g.script("guard.sh", "cat > /dev/null; echo asked >> $HOME/asked\n")
			g.script("log.sh", "echo told >> $HOME/told\n")
			if served {
				g.serve()
			}
			var all sync.WaitGroup
			var mu sync.Mutex
			var slowest time.Duration
			for i := range crowd {
				end := g.begin(payload("ls", fmt.Sprint("t", i)), "assent", "hook", "claude", "--event", "PreToolUse")
				all.Go(func() {
					s := end()
					mu.Lock()
					defer mu.Unlock()
					if slowest = max(slowest, s.took); s.out != "{}\n" || s.err != "" || s.code != 0 {
						t.Errorf("hook %d: %s", i, s)
					}
				})
			}
			all.Wait()
			t.Logf("the slowest took %s", slowest.Round(time.Millisecond))
			if n := len(g.lines("asked")); n != crowd {
				t.Errorf("the hook was asked %d times", n)
			}
			if out := g.must("log", "verify"); !strings.Contains(out, "records are whole") {
				t.Error(out)
			}
		})
	}
}
