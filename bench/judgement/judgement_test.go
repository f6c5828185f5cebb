package main

// The harness itself: what it counts as right, and how it hears a peer.

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
)

func TestWhatIsRight(t *testing.T) {
	t.Parallel()
	const none, allow, ask, deny = assent.None, assent.Allow, assent.Ask, assent.Deny
	for _, c := range []struct {
		expect        string
		strict, guard []assent.Decision // that are right; nil: it does not count
	}{
		{"hardline", []assent.Decision{deny}, []assent.Decision{deny}},
		{"dangerous", []assent.Decision{ask, deny}, []assent.Decision{ask, deny}},
		{"ask", []assent.Decision{ask, deny}, nil},
		{"harmless", nil, []assent.Decision{none, allow}},
		{"safe", []assent.Decision{none, allow}, []assent.Decision{none, allow}},
		{"disputed", nil, nil},
	} {
		for _, strict := range []bool{true, false} {
			want := c.guard
			if strict {
				want = c.strict
			}
			for _, d := range []assent.Decision{none, allow, ask, deny} {
				ok, counts := right(c.expect, answer{decision: d}, strict)
				if counts != (want != nil) || counts && ok != slices.Contains(want, d) {
					t.Errorf("%s answered with %s, strict %v: right %v, counts %v", c.expect, d, strict, ok, counts)
				}
			}
		}
	}
}

// labelled makes a small corpus of our own.
func labelled(t *testing.T) options {
	t.Helper()
	dir := t.TempDir()
	rows := `{"id":"1","command":"rm -rf /","expect":"hardline","peers":["x"]}
{"id":"2","command":"git push --force","expect":"dangerous","peers":["x"]}
{"id":"3","command":"ls","expect":"dangerous","peers":["y"]}
{"id":"4","command":"pwd","expect":"safe","peers":["x","y"]}
`
	if err := os.WriteFile(filepath.Join(dir, "commands.jsonl"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return options{corpus: dir, postures: "strict,guard", wrong: filepath.Join(dir, "wrong.jsonl"), parallel: 2}
}

func TestGrading(t *testing.T) {
	t.Parallel()
	o := labelled(t)
	rows, err := o.rows()
	if err != nil {
		t.Fatal(err)
	}
	g, err := gradeAll(context.Background(), rows, elsewhere, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	g.print(&out)
	for _, want := range []string{
		"strict    hardline          1         1       0   100.00%        0.00%",
		"guard     dangerous         2         1       1    50.00%       50.00%",
		"guard     safe              1         1       0   100.00%      100.00%",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if missed := g.missed(); len(missed) != 2 || !strings.Contains(missed[0].Error(), "guard: 50.00% of dangerous are let through (1 of 2)") {
		t.Errorf("missed: %v", missed)
	}
	if err := g.write(o.wrong); err != nil {
		t.Fatal(err)
	}
	wrong, err := lines[miss](o.wrong)
	if err != nil || len(wrong) != 2 || wrong[0].Command != "ls" || wrong[0].Posture != "strict" || wrong[1].Posture != "guard" {
		t.Errorf("wrong: %+v, %v", wrong, err)
	}
}

func TestWhichRowsAreJudged(t *testing.T) {
	t.Parallel()
	o := labelled(t)
	for _, c := range []struct {
		without string
		sample  int
		want    string
	}{{"", 0, "1234"}, {"", 2, "13"}, {"", 9, "1234"}, {"x", 0, "3"}, {"y", 1, "1"}} {
		o.without, o.sample = c.without, c.sample
		rows, err := o.rows()
		got := ""
		for _, r := range rows {
			got += r.ID
		}
		if err != nil || got != c.want {
			t.Errorf("without %q, sample %d: %q, want %q (%v)", c.without, c.sample, got, c.want, err)
		}
	}
}

func TestAHookIsHeard(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]assent.Decision{
		"": assent.None, "\n": assent.None, "ok": assent.None, "{}": assent.None,
		`{"hookSpecificOutput":{"permissionDecision":"allow"}}`: assent.Allow,
		`{"hookSpecificOutput":{"permissionDecision":"ask"}}`:   assent.Ask,
		`{"hookSpecificOutput":{"permissionDecision":"defer"}}`: assent.Ask,
		`{"hookSpecificOutput":{"permissionDecision":"deny"}}`:  assent.Deny,
		`{"decision":"approve"}`:                                assent.Allow,
		`{"decision":"block","reason":"no"}`:                    assent.Deny,
		`{"continue":false}`:                                    assent.Deny,
		`{"continue":true}`:                                     assent.None,
	} {
		if got, fault := heard([]byte(printed)); got != want || fault != "" {
			t.Errorf("%s is heard as %s (%s), want %s", printed, got, fault, want)
		}
	}
	if d, fault := heard([]byte(`{"decision"`)); d != assent.None || fault == "" {
		t.Errorf("broken JSON is heard as %s (%s)", d, fault)
	}
}

func TestAPeerIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for command, want := range map[string]answer{
		"exit 2": {decision: assent.Deny}, "exit 0": {}, "exit 1": {fault: "exit status 1"},
		`cat >/dev/null; echo '{"decision":"block"}'`:            {decision: assent.Deny},
		`grep -q '"command":"rm -rf /"' && exit 2`:               {decision: assent.Deny},
		`grep -q '"hook_event_name":"PreToolUse"' || exit 2`:     {},
		`grep -q "\"cwd\":\"$PWD\"" || exit 2`:                   {},
		`echo '{"hookSpecificOutput":{"permissionDecision":"as'`: {fault: "its JSON cannot be read"},
	} {
		got := peer{command, dir}.ask(context.Background(), 1, "rm -rf /")
		if got.decision != want.decision || got.fault != want.fault || got.took <= 0 {
			t.Errorf("%s: %+v, want %+v", command, got, want)
		}
	}
}

func TestEveryPaddingHoldsItsDeed(t *testing.T) {
	t.Parallel()
	for _, p := range paddings {
		for _, d := range deeds {
			half, whole := p.padded(d, p.n/2), p.padded(d, p.n)
			if !strings.Contains(whole.Command, d.command) || len(whole.Command) < len(half.Command)*3/2 {
				t.Errorf("%s: %d bytes, half of it %d", whole.ID, len(whole.Command), len(half.Command))
			}
		}
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	for _, c := range [][3]string{
		{"A", "ls", "safe"}, {"B", "rm -rf /", "dangerous"}, {"C", "no-such-program", "ask"}, {"D", "rm -rf /", "safe"}, {"E", "ls", "dangerous"}, {"F", "ls", "ask"}, {"G", "ls", "odd"},
	} {
		raw, _ := json.Marshal(map[string]any{"id": c[0], "kind": "classify", "input": map[string]string{"command": c[1]}, "expected": c[2]})
		file.Write(append(raw, '\n'))
	}
	file.WriteString(`{"id":"Z","kind":"queue","input":["other"],"expected":{}}`)
	path := filepath.Join(t.TempDir(), "reports.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	faults, err := judgeCases(context.Background(), &out, path)
	var ids string
	for _, f := range faults {
		ids += f.Error()[:1]
	}
	if err != nil || ids != "DEFG" || !strings.HasPrefix(out.String(), "7 cases, 3 as expected (1 dangerous, 1 safe, 1 ask)") {
		t.Errorf("%s: %v, %v\n%s", ids, faults, err, out.String())
	}
}

func TestSpeed(t *testing.T) {
	t.Parallel()
	o := labelled(t)
	rows, err := o.rows()
	if err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(t.TempDir(), "cpu")
	s, err := measure(context.Background(), rows, profile)
	if err != nil || len(s.all) != 4 || s.wall <= 0 || s.at(0.5) <= 0 || s.at(0.5) > s.at(1) {
		t.Fatalf("%+v, %v", s, err)
	}
	if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
		t.Error("no profile was written: ", err)
	}
	s = speed{wall: time.Second, all: make([]timed, leastSpeed-1)}
	s.all[leastSpeed-2].took = time.Hour
	if missed := s.missed(); len(missed) != 1 || !strings.Contains(missed[0].Error(), "19999 commands a second") {
		t.Errorf("missed: %v", missed)
	}
}

func TestLargeCommandsAreWeighed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w    weighed
		want string
	}{
		{weighed{row: row{Expect: "dangerous"}, answer: answer{decision: assent.Ask}}, ""},
		{weighed{row: row{Expect: "harmless"}, answer: answer{decision: assent.Allow}}, ""},
		{weighed{row: row{Expect: "hardline"}, answer: answer{decision: assent.Allow}}, "is let through"},
		{weighed{answer: answer{took: mostTime + 1}}, "at most 50ms"},
		{weighed{row: row{Command: "1234"}, heap: freeHeap + 4*mostHeap}, ""},
		{weighed{row: row{Command: "1234"}, heap: freeHeap + 4*mostHeap + 1}, "made the heap grow"},
	} {
		missed := c.w.missed()
		if len(missed) > 1 || (len(missed) == 0) != (c.want == "") || c.want != "" && !strings.Contains(missed[0].Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.w, missed, c.want)
		}
	}
}
