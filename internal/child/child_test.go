//go:build unix

package child

// What Run keeps to: ends, bounds, deadlines and spawn errors.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// far is a deadline that no test is to reach.
const far = time.Minute

// TestMain lets the test binary stand for the guard's helper, and for a program that
// is killed while it runs a child.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "reap":
		Reap(os.Stdin)
	case len(os.Args) > 1 && os.Args[1] == "victim":
		victim(os.Args[2])
	default:
		os.Exit(m.Run())
	}
}

func sh(script string, args ...string) []string {
	return append([]string{"/bin/sh", "-c", script, "sh"}, args...)
}

func run(t *testing.T, s Spec) Result {
	t.Helper()
	if s.Timeout == 0 {
		s.Timeout = far
	}
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAChildReadsItsInputAndIsHeard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := run(t, Spec{Args: sh("cat; pwd; echo $WORD; echo no >&2; exit 3"), Stdin: []byte("in\n"), Dir: dir, Env: []string{"WORD=out", "PATH=/usr/bin:/bin"}})
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(r.Stdout), "in\n"+real+"\nout\n"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	if string(r.Stderr) != "no\n" || r.Exit != 3 || r.Signal != "" || r.TimedOut || r.Truncated || r.Took <= 0 {
		t.Errorf("%+v", r)
	}
}

func TestInputThatNobodyReadsIsNoError(t *testing.T) {
	t.Parallel()
	r := run(t, Spec{Args: sh("exec true"), Stdin: bytes.Repeat([]byte("x"), 4<<20)})
	if r.Exit != 0 || r.Signal != "" {
		t.Errorf("%+v", r)
	}
}

func TestMoreOutputThanTheBoundIsReadAndDropped(t *testing.T) {
	t.Parallel()
	r := run(t, Spec{Args: sh("head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; echo end >&2"), MaxOut: 1000, MaxErr: 10})
	if len(r.Stdout) != 1000 || len(r.Stderr) != 10 || !r.Truncated || r.Exit != 0 {
		t.Errorf("%d, %d bytes, truncated %v, exit %d", len(r.Stdout), len(r.Stderr), r.Truncated, r.Exit)
	}
	r = run(t, Spec{Args: sh("head -c 1000 /dev/zero"), MaxOut: 1000})
	if len(r.Stdout) != 1000 || r.Truncated {
		t.Errorf("%d bytes, truncated %v", len(r.Stdout), r.Truncated)
	}
}

func TestAChildThatASignalEndedSaysSo(t *testing.T) {
	t.Parallel()
	r := run(t, Spec{Args: sh("kill -9 $$")})
	if r.Exit != -1 || r.Signal != "killed" || r.TimedOut {
		t.Errorf("%+v", r)
	}
}

func TestSpawnErrorsHaveNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name string
		spec Spec
		want error
	}{
		{"nothing", Spec{}, ErrNotFound},
		{"no such path", Spec{Args: []string{filepath.Join(dir, "none")}}, ErrNotFound},
		{"no such name", Spec{Args: []string{"no-such-program-anywhere"}}, ErrNotFound},
		{"no such directory", Spec{Args: []string{"/bin/sh"}, Dir: filepath.Join(dir, "none")}, ErrNotFound},
		{"not executable", Spec{Args: []string{file("plain", "#!/bin/sh\n", 0o600)}}, ErrNotExecutable},
		{"no first line", Spec{Args: []string{file("bare", "echo hi\n", 0o700)}}, ErrNotExecutable},
		{"no interpreter", Spec{Args: []string{file("strange", "#!/no/such/interpreter\n", 0o700)}}, ErrNotFound},
		{"a directory", Spec{Args: []string{dir}}, ErrNotExecutable},
	} {
		if _, err := Run(t.Context(), c.spec); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if _, err := Start(t.Context(), c.spec); !errors.Is(err, c.want) {
			t.Errorf("%s: Start: %v, want %v", c.name, err, c.want)
		}
	}
}

// tree is a child that starts children of its own, in its group and out of it, and
// waits for ever. It writes their numbers to a file.
const tree = `
sleep 1000 & echo $! >>"$1"
sh -c 'sleep 1000 & echo $! >>"$1"; wait' sh "$1" &
setsid sleep 1000 & echo $! >>"$1"
echo $$ >>"$1"
wait`

func TestTheDeadlineEndsTheWholeTree(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithTimeout(t.Context(), far)
	defer cancel()
	done := make(chan Result)
	go func() {
		// The deadline of the context stands for the Spec's: both are one.
		r, err := Run(ctx, Spec{Args: sh(tree, file), Timeout: 400 * time.Millisecond})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	pids := numbers(t, file, 4)
	r := <-done
	if !r.TimedOut || r.Exit != -1 || r.Signal != "killed" {
		t.Errorf("%+v", r)
	}
	allGone(t, pids)
}

func TestCancellingEndsTheWholeTree(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		r, err := Run(ctx, Spec{Args: sh(tree, file), Timeout: far})
		if r.TimedOut {
			t.Errorf("%+v", r)
		}
		done <- err
	}()
	pids := numbers(t, file, 4)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	allGone(t, pids)
	if _, err := Run(ctx, Spec{Args: sh("exit")}); !errors.Is(err, context.Canceled) {
		t.Errorf("a child was started after the end: %v", err)
	}
}

func TestWhatAChildLeavesBehindIsLeftAloneAndWaitedForBriefly(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	// The helper keeps standard output open, for longer than the test may take.
	r := run(t, Spec{Args: sh(`sleep 1000 & echo $! >"$1"; echo answer`, file)})
	pid := numbers(t, file, 1)[0]
	if string(r.Stdout) != "answer\n" || r.Exit != 0 || r.TimedOut {
		t.Errorf("%+v", r)
	}
	if gone(pid) {
		t.Error("the helper was killed")
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// numbers waits until n numbers stand in a file.
func numbers(t *testing.T, file string, n int) []int {
	t.Helper()
	var out []int
	eventually(t, fmt.Sprintf("%d numbers in a file", n), func() bool {
		raw, _ := os.ReadFile(file)
		out = nil
		for _, f := range strings.Fields(string(raw)) {
			if pid, err := strconv.Atoi(f); err == nil {
				out = append(out, pid)
			}
		}
		return len(out) == n && bytes.HasSuffix(raw, []byte("\n"))
	})
	return out
}

func allGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		eventually(t, fmt.Sprintf("the end of %d", pid), func() bool { return gone(pid) })
	}
}

// gone reports whether a process is no more, or only waits to be collected.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(far); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for " + what)
		}
	}
}

func TestInputOfAnySizeArrivesWholeAndEnds(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, pipeRoom, pipeRoom + 1, 1 << 20} {
		if r := run(t, Spec{Args: sh("wc -c"), Stdin: make([]byte, n)}); strings.TrimSpace(string(r.Stdout)) != strconv.Itoa(n) {
			t.Errorf("%d bytes: it read %s", n, r.Stdout)
		}
	}
}
