//go:build unix

package docscript

// The shell itself: it keeps its state, tells the status, and ends its children.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// limit ends a page that hangs.
const limit = time.Minute

func start(t *testing.T, home string, env ...string) (*Shell, context.Context) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is missing, and the pages are typed into it")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	s, err := Start(ctx, home, append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, env...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); s.Close() })
	return s, ctx
}

func TestShell(t *testing.T) {
	t.Parallel()
	s, ctx := start(t, t.TempDir())
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"mkdir a; cd a; x=5", nil},
		{"echo $x; pwd", []string{"5", "~/a"}},
		{"echo out; echo err >&2; false", []string{"out", "err"}},
		{"echo $?", []string{"1"}},
		{"printf 'no newline'", []string{"no newline"}},
		{"cat", nil}, // nothing to read, so it does not hang
		{"cat <<'EOF'\nin the\nlines\nEOF", []string{"in the", "lines"}},
	} {
		if got, err := s.Do(ctx, Step{Command: c.command}); err != nil || cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %q, %v", c.command, got, err)
		}
	}
}

func TestBackgroundIsWatchedAndEnds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s, ctx := start(t, home)
	got, err := s.Do(ctx, Step{Command: "echo $BASHPID; echo ready; exec tail -f /dev/null", Want: []string{"...", "ready"}, Background: true})
	if err != nil || len(got) != 2 {
		t.Fatalf("%q, %v", got, err)
	}
	s.Close()
	pid, err := strconv.Atoi(got[0])
	if err != nil {
		t.Fatal(err)
	}
	for alive(pid) {
		if ctx.Err() != nil {
			t.Fatalf("process %d is still there", pid)
		}
		runtime.Gosched()
	}
}

// alive reports whether a process runs; one that only waits to be buried does not.
func alive(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && runtime.GOOS != "linux"
	}
	return !strings.Contains(string(raw), ") Z")
}
