//go:build unix

package broker_test

// Programs beside the broker's.

import (
	"errors"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// syscallRun is what the kernel makes of a program by itself. One that was just written
// may be open for a moment still in what another test starts meanwhile.
func syscallRun(argv ...string) (string, error) {
	for tries := 0; ; tries++ {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = []string{"PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if !errors.Is(err, syscall.ETXTBSY) || tries == 100 {
			return string(out), err
		}
		time.Sleep(10 * time.Millisecond)
	}
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
