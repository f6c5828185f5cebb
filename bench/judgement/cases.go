package main

// Cases: what users reported about single commands, and whether each comes out as
// it should.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// report is one case of the file.
type report struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
	Why      string          `json:"why"`
}

// classify is the input of a case of the kind that is judged here.
type classify struct {
	Command string `json:"command"`
	Dir     string `json:"cwd"`
}

// judgeCases judges every case of the kind "classify". Dangerous must not be let
// through in guard, and safe must; ask, which is "not provably safe", must not be
// let through in strict.
func judgeCases(ctx context.Context, out io.Writer, path string) (faults []error, err error) {
	all, err := lines[report](path)
	if err != nil {
		return nil, err
	}
	strict, err := newJudge("strict", elsewhere)
	if err != nil {
		return nil, err
	}
	guard, err := newJudge("guard", elsewhere)
	if err != nil {
		return nil, err
	}
	n, right, unasked := 0, map[string]int{}, 0
	for _, r := range all {
		if r.Kind != "classify" {
			continue
		}
		n++
		var in classify
		var expected string
		if err := cmp.Or(json.Unmarshal(r.Input, &in), json.Unmarshal(r.Expected, &expected)); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		ev := strict.call(in.Command, in.Dir)
		s, g := strict.ask(ctx, ev), guard.ask(ctx, ev)
		if asExpected(expected, s, g) {
			right[expected]++
		} else {
			faults = append(faults, fmt.Errorf("%s is %s, and is %s in guard, %s in strict (%s): %s (%s)", r.ID, expected, g.decision, s.decision,
				strings.Join(s.codes, " "), brief(in.Command), r.Why))
		}
		if expected == "safe" && s.through() {
			unasked++
		}
	}
	fmt.Fprintf(out, "%d cases, %d as expected (%d dangerous, %d safe, %d ask); %d safe ones pass strict too\n",
		n, right["dangerous"]+right["safe"]+right["ask"], right["dangerous"], right["safe"], right["ask"], unasked)
	return faults, nil
}

func asExpected(expected string, strict, guard answer) bool {
	switch expected {
	case "dangerous":
		return !guard.through()
	case "safe":
		return guard.through()
	case "ask":
		return !strict.through()
	}
	return false
}
