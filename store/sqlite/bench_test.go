package sqlite_test

// What the verbs cost, on an empty store and on a full one.

import (
	"fmt"
	"testing"
	"time"

	"assent"
	"assent/store/sqlite"
)

func BenchmarkAppend(b *testing.B) {
	s := open(b, file(b), sqlite.Options{})
	for b.Loop() {
		if _, err := s.Append(b.Context(), event("x")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenAppendClose(b *testing.B) {
	path := file(b)
	open(b, path, sqlite.Options{})
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Append(b.Context(), event("x")); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// full is a store with that many grants, each spent once, and as many pending
// requests.
func full(b *testing.B, n int) *sqlite.Store {
	s := open(b, file(b), sqlite.Options{})
	for i := range n {
		give(b, s, fmt.Sprint("granted ", i), 1<<40)
		ask(b, s, fmt.Sprint("pending ", i))
	}
	return s
}

func ask(b *testing.B, s assent.Store, text string) {
	c, call := command(text, "asking "+text)
	if _, err := s.Ask(b.Context(), assent.Request{
		Kind: assent.KindApproval, Case: c, Digest: c.Digest(), Opened: now, Expires: now.Add(time.Hour),
	}, call, assent.Bounds{Session: 1e6, All: 1e6}, event("ask")); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFull(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		s := full(b, n)
		i := 0
		b.Run(fmt.Sprintf("Spend/%d", n), func(b *testing.B) {
			for b.Loop() {
				i++
				c, call := command(fmt.Sprint("granted ", i%n), fmt.Sprint("call ", i))
				if _, err := s.Spend(b.Context(), c, call, now, "", event("spend")); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("SpendNothing/%d", n), func(b *testing.B) {
			for b.Loop() {
				c, call := command("nobody granted this", "x")
				if _, err := s.Spend(b.Context(), c, call, now, "", event("spend")); err == nil {
					b.Fatal("spent")
				}
			}
		})
		b.Run(fmt.Sprintf("Ask/%d", n), func(b *testing.B) {
			for b.Loop() {
				i++
				ask(b, s, fmt.Sprint("new ", i))
			}
		})
	}
}
