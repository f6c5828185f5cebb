//go:build unix

package child

// A group is ended, whatever its members do against it.

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStopEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"politely":                `sleep 60 & echo; wait`,
		"what hears no SIGTERM":   `trap "" TERM; (trap "" TERM; sleep 60; sleep 60) & echo; wait; wait; sleep 60`,
		"whose leader left first": `(sleep 60) & echo`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("sh", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line := make([]byte, 1)
			if _, err := out.Read(line); err != nil {
				t.Fatal(err)
			}
			go func() { _ = cmd.Wait() }() // a zombie is of its group still
			if strings.Contains(name, "leader") {
				time.Sleep(50 * time.Millisecond)
			}
			pgid := cmd.Process.Pid
			if err := Stop(t.Context(), pgid, 300*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(-pgid, 0); err == nil && peopled(pgid) {
				t.Fatal("somebody is left")
			}
			if err := Stop(t.Context(), pgid, time.Second); err != nil {
				t.Fatalf("once more: %v", err)
			}
		})
	}
}

func TestStopNeverMeansEverybody(t *testing.T) {
	t.Parallel()
	for _, pgid := range []int{-5, 0, 1} {
		if err := Stop(t.Context(), pgid, time.Second); err == nil {
			t.Errorf("%d", pgid)
		}
	}
}
