package main

// What is large: each is answered in time, with memory in proportion, and what is
// dangerous in it is never let through.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"
)

// The targets of one command, however large.
const (
	mostTime = 50 * time.Millisecond
	mostHeap = 200     // bytes for each byte of it
	freeHeap = 8 << 20 // bytes that any may take
)

// weighed is one large command with what it cost.
type weighed struct {
	row
	answer
	posture string
	heap    uint64 // bytes that the heap has grown by while nothing was collected
}

// weigh judges a command some times, and keeps the best time and the least heap.
func weigh(ctx context.Context, j judge, r row) weighed {
	w := weighed{row: r}
	ev := j.call(r.Command, "")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for i := range rounds {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := j.ask(ctx, ev)
		runtime.ReadMemStats(&after)
		grown := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
		if i == 0 || a.took < w.took {
			w.answer = a
		}
		if i == 0 || grown < w.heap {
			w.heap = grown
		}
	}
	return w
}

// weighAll weighs large commands in the postures that allow anything, and says
// what missed a target.
func weighAll(ctx context.Context, rows []row) (all []weighed, faults []error) {
	for _, posture := range []string{"strict", "guard"} {
		j, err := newJudge(posture, elsewhere)
		if err != nil {
			return nil, []error{err}
		}
		for _, r := range rows {
			if ctx.Err() != nil {
				return nil, []error{errors.New("interrupted")}
			}
			w := weigh(ctx, j, r)
			w.posture = posture
			all = append(all, w)
			faults = append(faults, w.missed()...)
		}
	}
	return all, faults
}

// giants weighs the large commands of the corpus, and prints each.
func giants(ctx context.Context, out io.Writer, rows []row) []error {
	all, faults := weighAll(ctx, rows)
	fmt.Fprintf(out, "\n%-12s  %-7s  %8s  %10s  %10s  %6s  %-9s  %s\n", "giant", "posture", "bytes", "time", "heap", "a byte", "expected", "answer")
	for _, w := range all {
		fmt.Fprintf(out, "%-12s  %-7s  %8d  %10s  %10d  %6d  %-9s  %s\n", w.ID, w.posture, len(w.Command), w.took.Round(time.Microsecond), w.heap,
			w.heap/uint64(max(len(w.Command), 1)), w.Expect, w.decision)
	}
	return faults
}

func (w weighed) missed() (faults []error) {
	name := w.posture + ": " + w.ID
	if w.took > mostTime {
		faults = append(faults, fmt.Errorf("%s took %s, at most %s", name, w.took.Round(time.Microsecond), mostTime))
	}
	if most := uint64(freeHeap + mostHeap*len(w.Command)); w.heap > most {
		faults = append(faults, fmt.Errorf("%s made the heap grow by %d bytes, at most %d", name, w.heap, most))
	}
	if (w.Expect == "hardline" || w.Expect == "dangerous") && w.through() {
		faults = append(faults, fmt.Errorf("%s is let through", name))
	}
	return faults
}
