package grant_test

// The laws of authority within one process.

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/grant"
)

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func counting(n *atomic.Int64) grant.Op[int, int] {
	return func(_ context.Context, in int) (int, error) { n.Add(1); return in, nil }
}

// Sixty-four callers and a few uses, over a line of three: exactly the uses run.
func TestUsesAreExactUnderARace(t *testing.T) {
	t.Parallel()
	var ran, refused atomic.Int64
	root, _ := grant.New(counting(&ran), grant.Limit{Uses: 1000, For: time.Hour})
	mid, err := root.Narrow(grant.Limit{})
	leaf, err2 := mid.Narrow(grant.Limit{})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		c := []grant.Capability[int, int]{root, mid, leaf}[i%3]
		wg.Go(func() {
			for range 100 {
				if _, err := c.Use(t.Context(), 1); errors.Is(err, assent.ErrExhausted) {
					refused.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if ran.Load() != 1000 || refused.Load() != 64*100-1000 {
		t.Errorf("%d ran, %d were refused", ran.Load(), refused.Load())
	}
}

// Whatever interleaves: no use is taken after Revoke returned, of the root or of what
// came of it.
func TestAdversarial02RevokeIsABarrier(t *testing.T) {
	t.Parallel()
	for range 10_000 {
		var ran atomic.Int64
		root, revoke := grant.New(counting(&ran), grant.Limit{Uses: 1_000_000, For: time.Hour})
		leaf, err := root.Narrow(grant.Limit{})
		if err != nil {
			t.Fatal(err)
		}
		start, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			<-start
			for leaf.Check() == nil {
				_, _ = leaf.Use(t.Context(), 1)
			}
		}()
		close(start)
		revoke.Revoke()
		if _, err := root.Use(t.Context(), 1); !errors.Is(err, assent.ErrRevoked) {
			t.Fatalf("the root after Revoke: %v", err)
		}
		if _, err := leaf.Use(t.Context(), 1); !errors.Is(err, assent.ErrRevoked) {
			t.Fatalf("the leaf after Revoke: %v", err)
		}
		<-done
	}
}

// A child can do nothing that its parent cannot, whatever was asked for.
func TestAdversarial08AChildIsNeverMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := &clock{at: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
		var ran atomic.Int64
		root, _ := grant.New(counting(&ran), grant.Limit{
			Uses: rapid.IntRange(1, 5).Draw(t, "uses"), For: time.Duration(rapid.IntRange(1, 5).Draw(t, "for")) * time.Minute, Onward: rapid.IntRange(-1, 3).Draw(t, "onward"), Now: c.now,
		})
		line := []grant.Capability[int, int]{root}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			from := rapid.SampledFrom(line).Draw(t, "from")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				child, err := from.Narrow(grant.Limit{Uses: rapid.IntRange(-1, 6).Draw(t, "uses"), For: time.Duration(rapid.IntRange(-1, 6).Draw(t, "for")) * time.Minute, Onward: rapid.IntRange(-1, 3).Draw(t, "onward")})
				if err == nil {
					line = append(line, child)
				}
			case 1:
				c.pass(time.Duration(rapid.IntRange(0, 90).Draw(t, "pass")) * time.Second)
			case 2:
				_, _ = from.Use(context.Background(), 1)
			}
			if root.Check() != nil {
				for i, x := range line {
					if x.Check() == nil {
						t.Fatalf("grant %d lives, and its root is dead: %v", i, root.Check())
					}
				}
			}
		}
	})
}

func TestTheOrderOfErrorsIsTheContracts(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	var ran atomic.Int64
	may, revoke := grant.New(counting(&ran), grant.Limit{Uses: 1, For: time.Minute, Now: c.now})
	use := func(want error) {
		t.Helper()
		if _, err := may.Use(t.Context(), 1); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	use(nil)
	use(assent.ErrExhausted)
	c.pass(time.Minute) // the deadline itself is too late
	use(assent.ErrExpired)
	revoke.Revoke()
	use(assent.ErrRevoked)
	var none grant.Capability[int, int]
	if _, err := none.Use(t.Context(), 1); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
}

func TestTheEndOfASessionRevokes(t *testing.T) {
	t.Parallel()
	var ran atomic.Int64
	session, end := context.WithCancel(t.Context())
	may, revoke := grant.ForSession(counting(&ran))
	revoke.End(session)
	if _, err := may.Use(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	end()
	for may.Check() == nil { // AfterFunc runs by itself
		time.Sleep(time.Millisecond)
	}
	if err := may.Check(); !errors.Is(err, assent.ErrRevoked) {
		t.Error(err)
	}
}

func BenchmarkUse(b *testing.B) {
	c, _ := grant.New(func(context.Context, int) (int, error) { return 0, nil }, grant.Limit{Uses: 1 << 40, For: time.Hour, Onward: 9})
	for range 7 {
		c, _ = c.Narrow(grant.Limit{})
	}
	for b.Loop() {
		if _, err := c.Use(context.Background(), 1); err != nil {
			b.Fatal(err)
		}
	}
}
