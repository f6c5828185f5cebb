// Command grants measures what authority costs: a check in process, a use with its
// record, a revocation, and a program that assent runs under a grant; each beside what
// it is compared with, in turn, in one run.
//
//	go run ./bench/grants            prints medians and what they are compared with
//	go run ./bench/grants -check     also fails where a bound is broken, in each of
//	                                 three rounds: machines are noisy
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	n := flag.Int("n", 100, "samples of each measure")
	check := flag.Bool("check", false, "fail where a bound is broken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *check); err != nil {
		fmt.Fprintln(os.Stderr, "grants:", err)
		os.Exit(1)
	}
}

// rounds is how often a bound may be broken before that is believed.
const rounds = 3

func run(ctx context.Context, n int, check bool) error {
	dir, err := os.MkdirTemp("", "assent-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	all, end, err := measures(ctx, dir)
	defer end()
	if err != nil {
		return err
	}
	var over error
	for round := range rounds {
		fmt.Printf("round %d\n", round+1)
		if err := inTurn(ctx, all, n); err != nil {
			return err
		}
		if over = show(all); over == nil {
			return nil
		}
		fmt.Println("over:", over)
	}
	if check {
		return errors.New("a bound is broken in every round")
	}
	return nil
}

// measures makes everything that is measured, and what ends it.
func measures(ctx context.Context, dir string) (all []*measure, end func(), err error) {
	var ends []func()
	end = func() {
		for _, e := range slices.Backward(ends) {
			e()
		}
	}
	for _, part := range []func(context.Context, string) ([]*measure, func(), error){inProcess, spending, revoking, executing} {
		more, over, err := part(ctx, dir)
		ends = append(ends, over)
		if err != nil {
			return nil, end, err
		}
		all = append(all, more...)
	}
	return all, end, nil
}

// measure is one thing that is done over and over, and what it is compared with.
type measure struct {
	name  string
	do    func(context.Context) error
	times int      // how often do does it; 0 = once
	after *measure // what it is compared with; nil = nothing
	most  int      // samples of one round; 0 = as many as are wanted

	atMost time.Duration // most time that it may take, or add to what it is compared with; 0 = no bound
	aim    time.Duration // that it should add on a machine which does nothing else; 0 = none
	ratio  float64       // most times what it is compared with; 0 = no bound

	took []time.Duration
}

// inTurn does A B C A B C …, so that what else the machine does meets all alike.
func inTurn(ctx context.Context, all []*measure, n int) error {
	for _, m := range all {
		m.took = nil
	}
	const warm = 3
	for i := range n + warm {
		for _, m := range all {
			if m.most > 0 && len(m.took) >= m.most || m.most > 0 && i < warm {
				continue
			}
			start := time.Now()
			if err := m.do(ctx); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			if i >= warm {
				m.took = append(m.took, time.Since(start)/time.Duration(max(m.times, 1)))
			}
		}
	}
	return nil
}

// show prints the table and returns which bounds are broken.
func show(all []*measure) (over error) {
	fmt.Printf("%-46s %10s %10s %10s  %s\n", "", "min", "median", "p95", "against")
	for _, m := range all {
		fmt.Printf("%-46s %10s %10s %10s", m.name, round(m.quantile(0)), round(m.quantile(50)), round(m.quantile(95)))
		fault := m.judge()
		fmt.Println()
		over = errors.Join(over, fault)
	}
	return over
}

// judge prints how the measure stands to what it is compared with, and returns which
// bound is broken.
func (m *measure) judge() error {
	got, added := m.quantile(50), time.Duration(0)
	if m.after != nil {
		base := m.after.quantile(50)
		ratio := float64(got) / float64(base)
		added = got - base
		fmt.Printf("  %.2fx %s", ratio, m.after.name)
		if m.ratio > 0 {
			fmt.Printf(" (under %.1fx)", m.ratio)
			if ratio >= m.ratio {
				return fmt.Errorf("%s: %.2f times %s, it should be under %.1f", m.name, ratio, m.after.name, m.ratio)
			}
		}
		got = added
	}
	if m.aim > 0 {
		fmt.Printf("  adds %s (aim: under %s)", round(added), m.aim)
	}
	if m.atMost > 0 {
		fmt.Printf("  %s (under %s)", round(got), m.atMost)
		if got >= m.atMost {
			return fmt.Errorf("%s: %s, it should be under %s", m.name, round(got), m.atMost)
		}
	}
	return nil
}

func (m *measure) quantile(percent int) time.Duration {
	s := slices.Sorted(slices.Values(m.took))
	return s[min(len(s)-1, len(s)*percent/100)]
}

// round is a time in three or four digits.
func round(d time.Duration) time.Duration {
	switch {
	case d < 10*time.Microsecond:
		return d
	case d < time.Millisecond:
		return d.Round(100 * time.Nanosecond)
	}
	return d.Round(10 * time.Microsecond)
}
