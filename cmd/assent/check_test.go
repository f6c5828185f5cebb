//go:build unix

package main

// check --jsonl: every line is answered, in order, while the input still goes on.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func newTestChecker(t testing.TB) *checker {
	t.Helper()
	home := t.TempDir()
	a := &app{env: func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}}
	k, err := a.newChecker(checkFlags{posture: "strict", dir: home})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// row is what a reader of the output needs.
type row struct {
	ID       any
	Command  *string
	Decision string
	Error    string
}

func rows(t interface{ Fatalf(string, ...any) }, out []byte) []row {
	var all []row
	for line := range bytes.Lines(out) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil || !bytes.HasSuffix(line, []byte("\n")) {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

func TestEveryLineIsAnsweredInItsPlace(t *testing.T) {
	t.Parallel()
	k := newTestChecker(t)
	commands := []string{"ls", "rm -rf /", "", "echo 'a\nb'", "true\x00", "\u202e", "if", "cat <<E", "日本", strings.Repeat("x", 200<<10)}
	broken := []string{"", "{", "x", `{"command":1}`, `{"command":"ls","command":"pwd"}`, `{"Command":"ls"}`, "\xff", `{"command":"\ud800"}`, `{"tool":"write"}`, `["ls"]`}
	rapid.Check(t, func(t *rapid.T) {
		var in bytes.Buffer
		var want []*string
		for i := range rapid.IntRange(0, 50).Draw(t, "lines") {
			end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
			if rapid.Bool().Draw(t, "broken") {
				in.WriteString(rapid.SampledFrom(broken).Draw(t, "line") + end)
				want = append(want, nil)
				continue
			}
			command := rapid.SampledFrom(commands).Draw(t, "command")
			raw, _ := json.Marshal(map[string]any{"id": i, "command": command})
			in.WriteString(string(raw) + end)
			want = append(want, &command)
		}
		var out bytes.Buffer
		if err := k.lines(context.Background(), &in, &out); err != nil {
			t.Fatalf("%v", err)
		}
		got := rows(t, out.Bytes())
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i, r := range got {
			at := fmt.Sprintf("line %d: ", i+1)
			switch {
			case want[i] == nil && (r.Decision != "ask" || !strings.HasPrefix(r.Error, at)):
				t.Fatalf("a broken line is answered with %+v", r)
			case want[i] != nil && (r.Error != "" || r.Command == nil || *r.Command != *want[i] || r.ID != float64(i)):
				t.Fatalf("line %d is answered with %+v", i+1, r)
			}
		}
	})
}

func TestAnAnswerComesWhileTheInputPauses(t *testing.T) {
	t.Parallel()
	in, ask := io.Pipe()
	told, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- newTestChecker(t).lines(t.Context(), in, out) }()
	answers := bufio.NewReader(told)
	for _, command := range []string{"ls", "pwd", "rm -rf /"} {
		fmt.Fprintf(ask, `{"command":%q}`+"\n"+`{"comm`, command) // and half of the next one
		line, err := answers.ReadString('\n')
		if err != nil || !strings.Contains(line, command) {
			t.Fatalf("%q, %v", line, err)
		}
		fmt.Fprintf(ask, `and":"x"}`+"\n")
		if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"command":"x",`) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	_ = ask.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// endless is an input that goes on and holds one line of any length.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

func TestALineWithoutEndIsNotKept(t *testing.T) {
	t.Parallel()
	l := lineReader{r: bufio.NewReader(io.MultiReader(&endless{left: 100 << 20}, strings.NewReader("\nnext\n")))}
	one, err := l.next()
	if err != nil || !one.long || len(one.text) > 0 {
		t.Fatalf("%d bytes were kept, long: %v, %v", len(one.text), one.long, err)
	}
	if next, err := l.next(); err != nil || string(next.text) != "next" || next.n != 2 {
		t.Fatalf("%+v, %v", next, err)
	}
}

func TestWhatIsReadBeforeAFailureIsAnswered(t *testing.T) {
	t.Parallel()
	in := io.MultiReader(strings.NewReader("{\"command\":\"ls\"}\n"), broken{})
	var out bytes.Buffer
	err := newTestChecker(t).lines(t.Context(), in, &out)
	if err == nil || !strings.Contains(err.Error(), "cannot read line 2") || len(rows(t, out.Bytes())) != 1 {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestAnInterruptEndsTheWaiting(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	in, _ := io.Pipe() // nothing ever comes
	stop()
	if err := newTestChecker(t).lines(ctx, in, io.Discard); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Fatal(err)
	}
}

func BenchmarkLines(b *testing.B) {
	k := newTestChecker(b)
	l := line{n: 1, text: []byte(`{"id":"7","command":"cd web && npm test 2>&1 | tail -20"}`)}
	b.ReportAllocs()
	for b.Loop() {
		k.answer(context.Background(), l)
	}
}
