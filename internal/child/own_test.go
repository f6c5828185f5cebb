//go:build unix

package child

// Children that their caller has prepared.

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAnOwnedChildHearsSignalsWithItsGroup(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	var out bytes.Buffer
	cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"as-given", "-c", `sleep 1000 & echo $! >>"$1"; echo $0; wait`, "zero", file}, Stdout: &out}
	o, err := Own(cmd, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pids := numbers(t, file, 1)
	if group, err := syscall.Getpgid(o.PID); err != nil || group != o.PID {
		t.Errorf("it is in the group %d, %v", group, err)
	}
	o.Signal(syscall.SIGTERM)
	if exit, number, name := o.Wait(); exit != -1 || number != int(syscall.SIGTERM) || name != "terminated" || out.String() != "zero\n" {
		t.Errorf("%d %d %s %q", exit, number, name, out.String())
	}
	allGone(t, pids)
	o.Signal(syscall.SIGKILL) // its number may be another's by now
}

func TestAnOwnedChildThatCannotStartSaysWhy(t *testing.T) {
	t.Parallel()
	if _, err := Own(&exec.Cmd{Path: "/no/such/program", Args: []string{"x"}}, nil, nil); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
