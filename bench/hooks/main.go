// Command hooks measures what the user's own code costs: a gated call with no hooks,
// with a shell hook against the bare spawn of the same process, with a Python handler,
// and while a plugin is told of ten thousand events a second.
//
//	go run ./bench/hooks            prints medians, ratios and bounds
//	go run ./bench/hooks -check     also fails where a bound is broken, in each of
//	                                three rounds: machines are noisy
//
// What is compared is measured in turn, in one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"
)

func main() {
	n := flag.Int("n", 500, "calls of each kind")
	events := flag.Int("events", 10_000, "events a second that a plugin is told of")
	check := flag.Bool("check", false, "fail where a bound is broken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *events, *check); err != nil {
		fmt.Fprintln(os.Stderr, "hooks:", err)
		os.Exit(1)
	}
}

// rounds is how often a bound may be broken before that is believed.
const rounds = 3

func run(ctx context.Context, n, events int, check bool) error {
	dir, err := os.MkdirTemp("", "assent-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, n: n, events: events}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer b.end(ctx)
	var over error
	for round := range rounds {
		fmt.Printf("round %d\n", round+1)
		if over, err = b.round(ctx); err != nil || over == nil {
			break
		}
		fmt.Println("over:", over)
	}
	switch {
	case err != nil:
		return err
	case over != nil && check:
		return errors.New("a bound is broken in every round")
	}
	return nil
}

// median and p99 of times.
func median(ds []time.Duration) time.Duration { return at(ds, 50) }
func p99(ds []time.Duration) time.Duration    { return at(ds, 99) }

func at(ds []time.Duration, percent int) time.Duration {
	s := slices.Sorted(slices.Values(ds))
	return s[min(len(s)-1, len(s)*percent/100)]
}
