//go:build unix

package child

// The guard: what runs is gone when the program that runs it is killed.

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func helper(t *testing.T) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{exe, "reap"}
}

// victim runs a child with children of its own under a guard, until it is killed.
func victim(file string) {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	g := &Guard{Command: []string{exe, "reap"}}
	_, _ = Run(context.Background(), Spec{Args: sh(`sleep 1000 & echo $! >>"$1"; echo $$ >>"$1"; wait`, file), Guard: g})
}

func TestNothingRunsOnWhenItsProgramIsKilled(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command(helper(t)[0], "victim", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := numbers(t, file, 2)
	helperOf(t, cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	allGone(t, pids)
}

// helperOf waits until a process has a child that reaps.
func helperOf(t *testing.T, parent int) {
	t.Helper()
	eventually(t, "the helper", func() bool {
		out, _ := exec.Command("ps", "-o", "args=", "--ppid", strconv.Itoa(parent)).Output()
		return strings.Contains(string(out), " reap")
	})
}

func TestQuickChildrenNeedNoHelper(t *testing.T) {
	t.Parallel()
	g := &Guard{Command: []string{"/no/such/helper"}}
	defer g.Close()
	done := g.watch(1 << 30)
	done()
	if g.helper != nil || len(g.groups) != 0 {
		t.Error("a helper was started for a child that had ended")
	}
	for range 2 { // a helper that cannot be started is no reason to fail
		g.add(1 << 30)
		g.drop(1 << 30)
	}
}

func TestAHelperThatDiedIsReplacedAndToldEverything(t *testing.T) {
	t.Parallel()
	g := &Guard{Command: helper(t)}
	first, second := sleeper(t), sleeper(t)
	g.add(first)
	before := g.helper
	if err := before.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.died
	g.add(second)
	if g.helper == nil || g.helper == before {
		t.Fatal("no other helper was started")
	}
	g.Close()
	allGone(t, []int{first, second})
}

func TestReapSparesWhatHasEnded(t *testing.T) {
	t.Parallel()
	spared, listed := sleeper(t), sleeper(t)
	cmd := exec.Command(helper(t)[0], "reap")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(in, "+"+strconv.Itoa(spared)+"\n+"+strconv.Itoa(listed)+"\nnonsense\n+1\n+0\n+-5\n\n-"+strconv.Itoa(spared)+"\n")
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	_ = cmd.Wait()
	allGone(t, []int{listed})
	if gone(spared) {
		t.Error("what was taken off the list was killed")
	}
}

// sleeper is a process group of its own that sleeps; it is collected at the end.
func sleeper(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}
