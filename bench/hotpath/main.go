// Command hotpath measures what assent costs an agent: whole hook processes, in
// turn with the bare start of an empty Go program, in one run.
//
//	go run ./bench/hotpath            prints medians and ratios
//	go run ./bench/hotpath -check     also fails where a ratio or a bound is broken,
//	                                  in each of five rounds: machines are noisy
//
// Absolute figures depend on the machine and are printed, not checked.
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
	n := flag.Int("n", 200, "runs of each process")
	crowd := flag.Int("crowd", 200, "hook processes at once")
	check := flag.Bool("check", false, "fail where a bound is broken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *crowd, *check); err != nil {
		fmt.Fprintln(os.Stderr, "hotpath:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n, crowd int, check bool) error {
	dir, err := os.MkdirTemp("", "assent-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir}
	if err := b.build(ctx); err != nil {
		return err
	}
	served, alone, err := b.homes(ctx)
	if err != nil {
		return err
	}
	defer served.stop()
	faults := b.bounds(ctx, served, alone, crowd)
	slow := errors.New("no round was run")
	for round := 0; round < rounds && slow != nil; round++ {
		if slow, err = b.round(ctx, served, alone, n); err != nil {
			return err
		}
	}
	faults = append(faults, slow)
	if err := errors.Join(faults...); err != nil {
		fmt.Println("over:", err)
		if check {
			return errors.New("a bound is broken")
		}
	}
	return nil
}

// rounds is how often ratios are measured before they are believed to be too
// high.
const rounds = 5

// round measures all processes in turn and returns which ratio is too high.
func (b *bench) round(ctx context.Context, served, alone *home, n int) (slow, err error) {
	rows := []*row{
		{name: "empty Go program", cmd: b.empty},
		{name: "hook, server running", cmd: func(ctx context.Context) error { return b.hook(ctx, served) }, times: 4},
		{name: "hook, no server", cmd: func(ctx context.Context) error { return b.hook(ctx, alone) }, times: 15},
		{name: "check", cmd: func(ctx context.Context) error { return b.checkCmd(ctx, alone) }},
	}
	if err := inTurn(ctx, rows, n); err != nil {
		return nil, err
	}
	print(rows)
	base := rows[0].quantile(0.5)
	var faults []error
	for _, r := range rows {
		if got := float64(r.quantile(0.5)) / float64(base); r.times > 0 && got > r.times {
			faults = append(faults, fmt.Errorf("%s: %.2f times the empty program, at most %.0f", r.name, got, r.times))
		}
	}
	return errors.Join(faults...), nil
}

// row is one kind of process and how long each run of it took.
type row struct {
	name  string
	cmd   func(context.Context) error
	times float64 // most times the empty program's median; 0 = no bound
	took  []time.Duration
}

func (r *row) quantile(q float64) time.Duration {
	return r.took[min(int(q*float64(len(r.took))), len(r.took)-1)]
}

// inTurn runs A B C A B C …, so that what else the machine does meets all alike.
func inTurn(ctx context.Context, rows []*row, n int) error {
	for i := range n + 3 {
		for _, r := range rows {
			start := time.Now()
			if err := r.cmd(ctx); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if i >= 3 { // the first ones warm up
				r.took = append(r.took, time.Since(start))
			}
		}
	}
	for _, r := range rows {
		slices.Sort(r.took)
	}
	return nil
}

func print(rows []*row) {
	base := rows[0].quantile(0.5)
	fmt.Printf("%-24s %10s %10s %10s %8s\n", "process", "min", "median", "p95", "ratio")
	for _, r := range rows {
		fmt.Printf("%-24s %10s %10s %10s %7.2fx\n", r.name, round(r.took[0]), round(r.quantile(0.5)), round(r.quantile(0.95)),
			float64(r.quantile(0.5))/float64(base))
	}
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// bounds measures what is not a time of one process, and says what is too much.
func (b *bench) bounds(ctx context.Context, served, alone *home, crowd int) (faults []error) {
	if rss := served.rss(); rss > 0 {
		fmt.Printf("server's resident memory   %d MiB\n", rss>>20)
		if rss > 40<<20 {
			faults = append(faults, fmt.Errorf("the server holds %d MiB, at most 40", rss>>20))
		}
	}
	if info, err := os.Stat(filepath.Join(b.dir, "assent")); err == nil {
		fmt.Printf("binary                     %.1f MiB\n", float64(info.Size())/(1<<20))
		if info.Size() > 30<<20 {
			faults = append(faults, fmt.Errorf("the binary has %d MiB, at most 30", info.Size()>>20))
		}
	}
	for _, h := range []*home{served, alone} {
		took, err := b.crowd(ctx, h, crowd)
		if err != nil {
			faults = append(faults, fmt.Errorf("%d hooks at once (%s): %w", crowd, h.name, err))
			continue
		}
		fmt.Printf("%d hooks at once, %-14s all done in %s, slowest process %s\n", crowd, h.name, round(took.all), round(took.slowest))
	}
	return faults
}
