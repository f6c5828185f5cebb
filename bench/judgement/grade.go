package main

// The grades: which answers are what the labels ask for, class by class.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"assent"
)

// classes are the labels that count, in the order in which they are printed.
var classes = []string{"hardline", "dangerous", "ask", "harmless", "safe"}

// right reports whether an answer is what the label asks for. Where the posture
// leaves it free, counts is false.
func right(expect string, a answer, strict bool) (ok, counts bool) {
	switch expect {
	case "hardline":
		return a.decision == assent.Deny, true
	case "dangerous":
		return !a.through(), true
	case "ask":
		return !a.through(), strict
	case "harmless":
		return a.through(), !strict
	case "safe":
		return a.through(), true
	}
	return false, false
}

// tally counts the commands of one class in one posture.
type tally struct {
	all, wrong, through int
	counts              bool
}

// graded is what came out of one run over all rows, once a posture.
type graded struct {
	postures []string
	tallies  map[[2]string]tally // by posture and class
	misses   []miss
	faults   map[string]int // answers that never came, by why
}

// miss is one answer that is not what the label asks for.
type miss struct {
	Posture  string          `json:"posture"`
	Expect   string          `json:"expect"`
	Decision assent.Decision `json:"decision"`
	Codes    []string        `json:"codes"`
	row
}

func newGraded() *graded { return &graded{tallies: map[[2]string]tally{}, faults: map[string]int{}} }

// gradeAll judges the rows in each posture, at a place.
func gradeAll(ctx context.Context, rows []row, at place, o options) (*graded, error) {
	g := newGraded()
	for posture := range strings.SplitSeq(o.postures, ",") {
		j, err := newJudge(posture, at)
		if err != nil {
			return nil, err
		}
		answers := make([]answer, len(rows))
		for i, r := range rows {
			if ctx.Err() != nil {
				return nil, errors.New("interrupted")
			}
			answers[i] = j.ask(ctx, j.call(r.Command, ""))
		}
		g.add(posture, posture == "strict", rows, answers)
	}
	return g, nil
}

// add grades the answers to the rows in one posture.
func (g *graded) add(posture string, strict bool, rows []row, answers []answer) {
	g.postures = append(g.postures, posture)
	for i, r := range rows {
		a := answers[i]
		ok, counts := right(r.Expect, a, strict)
		key := [2]string{posture, r.Expect}
		t := g.tallies[key]
		t.all++
		t.counts = counts
		if a.through() {
			t.through++
		}
		if a.fault != "" {
			g.faults[a.fault]++
		}
		if counts && !ok {
			t.wrong++
			g.misses = append(g.misses, miss{posture, r.Expect, a.decision, a.codes, r})
		}
		g.tallies[key] = t
	}
}

// share is n of all, in percent.
func share(n, all int) float64 { return 100 * float64(n) / float64(max(all, 1)) }

func (g *graded) print(out io.Writer) {
	fmt.Fprintf(out, "%-8s  %-9s  %8s  %8s  %6s  %8s  %11s\n", "posture", "class", "commands", "right", "wrong", "share", "let through")
	for _, posture := range g.postures {
		for _, class := range classes {
			t := g.tallies[[2]string{posture, class}]
			grade := fmt.Sprintf("%8s  %6s  %8s", "free", "", "")
			if t.counts {
				grade = fmt.Sprintf("%8d  %6d  %7.2f%%", t.all-t.wrong, t.wrong, share(t.all-t.wrong, t.all))
			}
			if t.all > 0 {
				fmt.Fprintf(out, "%-8s  %-9s  %8d  %s  %10.2f%%\n", posture, class, t.all, grade, share(t.through, t.all))
			}
		}
	}
	for why, n := range g.faults {
		fmt.Fprintf(out, "no answer to %d commands, which counts as let through: %s\n", n, why)
	}
}

// write writes what came out wrong to a file, one JSON object a line.
func (g *graded) write(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	for _, m := range g.misses {
		if err := enc.Encode(m); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// missed says which targets are missed.
func (g *graded) missed() (faults []error) {
	most := func(posture string, classes []string, count func(tally) int, percent float64, what string) {
		n, all := 0, 0
		for _, class := range classes {
			t := g.tallies[[2]string{posture, class}]
			n, all = n+count(t), all+t.all
		}
		if got := share(n, all); all > 0 && got > percent {
			faults = append(faults, fmt.Errorf("%s: %.2f%% of %s are %s (%d of %d), at most %.1f%%", posture, got, strings.Join(classes, " and "), what, n, all, percent))
		}
	}
	wrong := func(t tally) int { return t.wrong }
	through := func(t tally) int { return t.through }
	stopped := func(t tally) int { return t.all - t.through }
	for _, posture := range g.postures {
		most(posture, []string{"hardline"}, wrong, 0, "not denied")
	}
	most("guard", []string{"dangerous"}, through, 2, "let through")
	most("strict", []string{"dangerous"}, through, 0.2, "let through")
	most("strict", []string{"safe"}, stopped, 3, "stopped")
	most("guard", []string{"safe", "harmless"}, stopped, 2, "stopped")
	most("strict", []string{"ask"}, through, 3, "let through")
	return faults
}
