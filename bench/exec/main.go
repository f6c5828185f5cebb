// Command exec measures what assent exec adds to the start of a program: an empty Go
// program, started bare and by assent exec in turn, with a server running.
//
//	go run ./bench/exec            prints both medians and their difference
//	go run ./bench/exec -check     also fails where that is 10 ms or more, in each of three
//	                               rounds: machines are noisy
//
// The program is run under a rule that allows it, and under a standing grant, of which
// each run spends one use and writes three records.
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

// most is how much assent exec may add.
const most = 10 * time.Millisecond

func main() {
	n := flag.Int("n", 200, "runs of each")
	check := flag.Bool("check", false, "fail where the bound is broken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *check); err != nil {
		fmt.Fprintln(os.Stderr, "exec:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, check bool) error {
	dir, err := os.MkdirTemp("", "assent-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir}
	defer b.stop()
	if err := b.start(ctx); err != nil {
		return err
	}
	slow := errors.New("no round was run")
	for round := 0; round < 3 && slow != nil; round++ {
		if slow, err = b.round(ctx, n); err != nil {
			return err
		}
	}
	if slow != nil {
		fmt.Println("over:", slow)
		if check {
			return errors.New("a bound is broken")
		}
	}
	return nil
}

// round starts the program in each way in turn, and returns which adds too much.
func (b *bench) round(ctx context.Context, n int) (slow, err error) {
	ways := []struct {
		name string
		run  func(context.Context) error
	}{{"bare", b.bare}, {"by a rule", b.byRule}, {"by a grant", b.byGrant}}
	took := make([][]time.Duration, len(ways))
	for i := range n + 3 {
		for k, w := range ways {
			from := time.Now()
			if err := w.run(ctx); err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			if i >= 3 { // the first ones warm up
				took[k] = append(took[k], time.Since(from))
			}
		}
	}
	bare := median(took[0])
	for k, w := range ways {
		adds := median(took[k]) - bare
		fmt.Printf("%-12s median %8s   adds %8s\n", w.name, median(took[k]).Round(10*time.Microsecond), adds.Round(10*time.Microsecond))
		if adds >= most {
			slow = errors.Join(slow, fmt.Errorf("%s: it adds %s, at most %s", w.name, adds, most))
		}
	}
	return slow, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
