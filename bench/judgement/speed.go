package main

// The speed, in process and on one core.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"

	"assent"
)

// The targets.
const (
	leastSpeed = 20_000 // commands a second
	mostP99    = time.Millisecond
)

// rounds is how often speed is measured: machines are noisy, and the best counts,
// of all rows together and of each.
const rounds = 3

// speed is how long the rows took.
type speed struct {
	wall, cpu time.Duration // of the best round; cpu is 0 where it is not known
	all       []timed       // the best of each, the slowest last
}

// timed is one command with the time it took.
type timed struct {
	row
	took time.Duration
}

// asServed is how far the heap may grow between collections, as in assent serve.
const asServed = 400

// measure judges all rows in the posture strict, some rounds, and writes a profile
// of that where one is asked for.
func measure(ctx context.Context, rows []row, profile string) (best speed, err error) {
	j, err := newJudge("strict", elsewhere)
	if err != nil {
		return best, err
	}
	stop, err := profiled(profile)
	if err != nil {
		return best, err
	}
	defer stop()
	defer debug.SetGCPercent(debug.SetGCPercent(asServed))
	events := make([]assent.Event, len(rows))
	for i, r := range rows {
		events[i] = j.call(r.Command, "")
	}
	best.all = make([]timed, len(rows))
	for n := range rounds {
		if ctx.Err() != nil {
			return best, errors.New("interrupted")
		}
		wall, cpu := time.Now(), cpuTime()
		for i, ev := range events {
			took := j.ask(ctx, ev).took
			if n == 0 || took < best.all[i].took {
				best.all[i] = timed{rows[i], took}
			}
		}
		best.add(n == 0, time.Since(wall), cpuTime()-cpu)
	}
	slices.SortStableFunc(best.all, func(a, b timed) int { return int(a.took - b.took) })
	return best, nil
}

// profiled begins to write a profile to a file, until it is stopped; an empty path
// is none.
func profiled(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, nil
}

// add takes the time of one round in, if it is the first or a better one.
func (s *speed) add(first bool, wall, cpu time.Duration) {
	if first || wall < s.wall {
		s.wall = wall
	}
	if first || cpu < s.cpu {
		s.cpu = cpu
	}
}

// quantile is the time that a share of all stays under.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// rate is how many commands a second of the processor's time is enough for.
func (s speed) rate() float64 {
	if s.cpu == 0 {
		return float64(len(s.all)) / s.wall.Seconds()
	}
	return float64(len(s.all)) / s.cpu.Seconds()
}

// at is the time that a share of all commands stays under.
func (s speed) at(q float64) time.Duration {
	if len(s.all) == 0 {
		return 0
	}
	return s.all[min(int(q*float64(len(s.all))), len(s.all)-1)].took
}

func (s speed) print(out io.Writer) {
	fmt.Fprintf(out, "\non one core, best of %d rounds: %.0f commands a second of its time, %.0f by the clock; p50 %s, p99 %s, max %s\nthe slowest ten:\n",
		rounds, s.rate(), float64(len(s.all))/s.wall.Seconds(), s.at(0.5), s.at(0.99), s.at(1))
	for _, t := range slices.Backward(s.all[max(0, len(s.all)-10):]) {
		fmt.Fprintf(out, "  %8s  %s  %s\n", t.took.Round(time.Microsecond), t.ID, brief(t.Command))
	}
}

func (s speed) missed() (faults []error) {
	if got := s.rate(); got < leastSpeed {
		faults = append(faults, fmt.Errorf("%.0f commands a second, at least %d", got, leastSpeed))
	}
	if got := s.at(0.99); got > mostP99 {
		faults = append(faults, fmt.Errorf("p99 is %s, at most %s", got, mostP99))
	}
	return faults
}

// brief is the beginning of a command, on one line and inert.
func brief(command string) string {
	const most = 70
	if len(command) > most {
		return strconv.QuoteToASCII(command[:most]) + "…"
	}
	return strconv.QuoteToASCII(command)
}
