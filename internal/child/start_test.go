//go:build unix

package child

// Long-lived children: a conversation over pipes.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func TestALongLivedChildIsSpokenWith(t *testing.T) {
	t.Parallel()
	said := make(chan string, 10)
	p, err := Start(t.Context(), Spec{
		Args:   sh(`while read line; do echo "got $line"; echo "log $line" >&2; done; printf last >&2; exit 4`),
		OnLine: func(line string) { said <- line },
	})
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(p.Stdout)
	for _, word := range []string{"one", "two"} {
		fmt.Fprintln(p.Stdin, word)
		if line, err := out.ReadString('\n'); err != nil || line != "got "+word+"\n" {
			t.Fatalf("%q, %v", line, err)
		}
		if line := <-said; line != "log "+word {
			t.Errorf("log line %q", line)
		}
	}
	p.Stdin.Close()
	if _, err := out.ReadByte(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
	if r := p.Wait(); r.Exit != 4 || r.Took <= 0 {
		t.Errorf("%+v", r)
	}
	if line := <-said; line != "last" {
		t.Errorf("last line %q", line)
	}
}

func TestKillEndsTheTreeOfALongLivedChild(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *Proc, cancel func()){
		"kill":    func(p *Proc, _ func()) { p.Kill(); p.Kill() },
		"context": func(_ *Proc, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pids")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, err := Start(ctx, Spec{Args: sh(tree, file)})
			if err != nil {
				t.Fatal(err)
			}
			pids := numbers(t, file, 4)
			end(p, cancel)
			if r := p.Wait(); r.Signal != "killed" || r.Exit != -1 {
				t.Errorf("%+v", r)
			}
			p.Kill()
			allGone(t, pids)
			if _, err := io.ReadAll(p.Stdout); err != nil && !strings.Contains(err.Error(), "timeout") {
				t.Error(err)
			}
		})
	}
}

func TestLinesArePassedOnWhole(t *testing.T) {
	t.Parallel()
	var got []string
	l := &lines{take: func(s string) { got = append(got, s) }}
	for _, part := range []string{"a", "b\r\nc", "\n\nd"} {
		if n, err := io.WriteString(l, part); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	l.flush()
	l.flush()
	if fmt.Sprint(got) != fmt.Sprint([]string{"ab", "c", "", "d"}) {
		t.Errorf("%q", got)
	}
	got = nil
	io.WriteString(l, strings.Repeat("x", maxLine+1))
	if len(got) != 1 || len(got[0]) != maxLine+1 || len(l.rest) != 0 {
		t.Errorf("%d lines, %d left", len(got), len(l.rest))
	}
}
