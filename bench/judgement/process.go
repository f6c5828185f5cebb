package main

// assent check as a process: what a script that asks pays.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// mostProcess is the target of the median.
const mostProcess = 15 * time.Millisecond

// process builds assent and runs check n times; again while it takes too long, for
// machines are noisy.
func process(ctx context.Context, out io.Writer, n int) (faults []error, err error) {
	dir, err := os.MkdirTemp("", "assent-judgement-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "assent")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "assent/cmd/assent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, text)
	}
	for range rounds {
		took, err := runs(ctx, bin, dir, n)
		if err != nil {
			return nil, err
		}
		median := quantile(took, 0.5)
		fmt.Fprintf(out, "\nassent check as a process, %d runs: min %s, median %s, p95 %s\n", n, ms(took[0]), ms(median), ms(quantile(took, 0.95)))
		if median <= mostProcess {
			return nil, nil
		}
		faults = []error{fmt.Errorf("assent check takes %s as a process (median), at most %s", ms(median), mostProcess)}
	}
	return faults, nil
}

// runs runs check n times, and returns how long each took, sorted.
func runs(ctx context.Context, bin, home string, n int) (took []time.Duration, err error) {
	for i := range n + 3 {
		cmd := exec.CommandContext(ctx, bin, "check", "--posture", "strict", "--", "git status --short")
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		start := time.Now()
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("assent check: %w: %s", err, text)
		}
		if i >= 3 { // the first ones warm up
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	return took, nil
}

func ms(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
