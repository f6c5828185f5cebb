//go:build unix

package main

// Many hooks at once, and the server's sudden end.

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const crowd = 200

// TestTwoHundredHooksAtOnce: none fails, with a server and without, from the very
// first call in a fresh home. The slowest is printed.
func TestTwoHundredHooksAtOnce(t *testing.T) {
	t.Parallel()
	for name, served := range map[string]bool{"with a server": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			if served {
				g.serve()
			}
			var all sync.WaitGroup
			var mu sync.Mutex
			var slowest time.Duration
			start := time.Now()
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
			t.Logf("%d hooks in %s, the slowest took %s", crowd, time.Since(start).Round(time.Millisecond), slowest.Round(time.Millisecond))
			if slowest > own {
				t.Errorf("one took %s", slowest)
			}
			if out := g.must("log", "verify"); !strings.Contains(out, "records are whole") {
				t.Error(out)
			}
			if out := g.must("log", "--session", "s1"); strings.Count(out, "\n") != crowd {
				t.Errorf("%d calls are recorded", strings.Count(out, "\n"))
			}
		})
	}
}

// TestKilledInTheMiddleOfAHeldCall: the call is denied at once and nothing is
// granted; after a restart the request is still there, and a yes passes one call.
func TestKilledInTheMiddleOfAHeldCall(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	g := newGate(t)
	key := g.key()
	s := g.serve()
	const command = "git push --force origin main"
	held := g.hook(command, "t1")
	g.await(1)
	killed := time.Now()
	s.kill()
	g.denied(held(), "assent serve went away while req_1 waited", time.Minute)
	if took := time.Since(killed); took > serverGone+8*time.Second {
		t.Errorf("denied %s after the server's end", took)
	}
	if out := g.must("grants", "--all"); out != "no grants\n" {
		t.Error(out)
	}

	g.serve()
	g.await(1)
	g.must("approve", "1", "--key", key)
	if decision, reason := g.told(g.hook(command, "t2")()); decision != "allow" {
		t.Error(decision, reason)
	}
	again := g.hook(command, "t3")
	g.await(1)
	g.must("deny", "2", "--key", key)
	g.denied(again(), "denied by me", time.Minute)
	g.must("log", "verify")
}

// TestAServerThatComesBackKeepsTheCall: who restarts it within two seconds loses
// nothing.
func TestAServerThatComesBackKeepsTheCall(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	g := newGate(t)
	key := g.key()
	s := g.serve()
	held := g.hook("git push --force origin main", "t1")
	g.await(1)
	s.kill()
	g.serve()
	g.must("approve", "1", "--key", key)
	if decision, reason := g.told(held()); decision != "allow" {
		t.Error(decision, reason)
	}
}

// TestOneYesIsOneCall: two calls of the same command wait for the same request; a
// yes lets one of them pass, and the other is asked about again.
func TestOneYesIsOneCall(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	for name, served := range map[string]bool{"with a server": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			key := g.key()
			if served {
				g.serve()
			}
			const command = "git push --force origin main"
			calls := []func() said{g.hook(command, "t1"), g.hook(command, "t2")}
			g.until("both wait", func() bool {
				list := g.pending()
				return len(list) == 1 && list[0].Asked == 2
			})
			g.must("approve", "1", "--key", key)
			g.until("one is asked again", func() bool {
				list := g.pending()
				return len(list) == 1 && list[0].ID == "req_2"
			})
			g.must("deny", "2", "--key", key)
			told := map[string]int{}
			for _, end := range calls {
				decision, _ := g.told(end())
				told[decision]++
			}
			if told["allow"] != 1 || told["deny"] != 1 {
				t.Error(told)
			}
			g.must("log", "verify")
		})
	}
}
