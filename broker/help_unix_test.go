//go:build unix

package broker_test

// Programs beside the broker's.

import (
	"os/exec"
	"strconv"
	"syscall"
)

// syscallRun is what the kernel makes of a program by itself.
func syscallRun(argv ...string) (string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	out, err := cmd.Output()
	return string(out), err
}

// alive reports whether a process runs. One that has ended and that nobody has asked
// about yet does not.
func alive(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	return len(out) > 0 && out[0] != 'Z'
}
