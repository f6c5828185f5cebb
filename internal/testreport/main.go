// Command testreport reads what go test -json prints and says it to a person: a
// line for each package, the output of what failed, every skipped test with its
// reason, and the sums. It ends with 1 when a test failed, when no test ran, or,
// with -noskip, when one was skipped.
//
//	go test -json ./... | go run ./internal/testreport -noskip
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	noskip := flag.Bool("noskip", false, "a skipped test is a failure")
	flag.Parse()
	if !report(os.Stdin, os.Stdout, *noskip) {
		os.Exit(1)
	}
}

// event is one line of go test -json (go doc test2json).
type event struct {
	Action, Package, ImportPath, Test, Output string
	FailedBuild                               string
	Elapsed                                   float64
}

// report prints what the events say and returns whether all is well.
func report(in io.Reader, out io.Writer, noskip bool) bool {
	t := tally{out: out, noskip: noskip, said: map[string][]string{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text()) // go's own words, from before any test ran
			continue
		}
		t.take(e)
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(out, "testreport:", err)
		t.failed++
	}
	return t.end()
}

type tally struct {
	out                             io.Writer
	noskip                          bool
	said                            map[string][]string // output by package and test
	passed, failed, skipped, broken int
	skips                           []string
}

func (t *tally) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			key = e.ImportPath + " "
		}
		t.said[key] = append(t.said[key], e.Output)
		return
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.finished(e)
		} else {
			t.test(e, key)
		}
		delete(t.said, key)
	}
}

// test counts one test.
func (t *tally) test(e event, key string) {
	switch e.Action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
		t.skips = append(t.skips, fmt.Sprintf("skipped: %s %s: %s", e.Package, e.Test, reason(t.said[key])))
	case "fail":
		t.failed++
		fmt.Fprintf(t.out, "--- FAIL: %s %s\n", e.Package, e.Test)
		t.print(t.said[key])
	}
}

// finished prints one package's line, as go test does.
func (t *tally) finished(e event) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(t.out, "ok  \t%s\t%.3fs\n", e.Package, e.Elapsed)
	case "fail":
		t.broken++
		t.print(t.said[e.FailedBuild+" "])
		t.print(t.said[e.Package+" "])
		t.unfinished(e.Package)
	}
}

// unfinished prints what tests said that neither passed nor failed: one of them
// brought the others down.
func (t *tally) unfinished(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(t.said)) {
		if test, ours := strings.CutPrefix(key, pkg+" "); ours && test != "" {
			fmt.Fprintf(t.out, "--- unfinished: %s\n", key)
			t.print(t.said[key])
		}
	}
}

func (t *tally) print(lines []string) {
	for _, l := range lines {
		if !strings.HasPrefix(l, "=== ") && l != "PASS\n" {
			fmt.Fprint(t.out, l)
		}
	}
}

// reason is what a test said before it was skipped.
func reason(lines []string) string {
	var said []string
	for _, l := range lines {
		if !strings.HasPrefix(l, "=== ") && !strings.HasPrefix(strings.TrimSpace(l), "--- SKIP") {
			said = append(said, strings.TrimSpace(l))
		}
	}
	if len(said) == 0 {
		return "it gives no reason"
	}
	return strings.Join(said, " ")
}

func (t *tally) end() bool {
	for _, s := range t.skips {
		fmt.Fprintln(t.out, s)
	}
	well := t.failed == 0 && t.broken == 0
	if t.noskip && t.skipped > 0 {
		fmt.Fprintln(t.out, "no test may be skipped here")
		well = false
	}
	if t.passed == 0 {
		fmt.Fprintln(t.out, "no test ran")
		well = false
	}
	if t.broken > 0 {
		fmt.Fprintf(t.out, "packages that failed: %d\n", t.broken)
	}
	fmt.Fprintf(t.out, "%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	return well
}
