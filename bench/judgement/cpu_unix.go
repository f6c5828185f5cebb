//go:build unix

package main

// The processor time of this process: what else the machine does is not in it.

import (
	"syscall"
	"time"
)

// cpuTime is how long this process has computed so far; 0 where that is not known.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
