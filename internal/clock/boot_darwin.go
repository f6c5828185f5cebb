package clock

// The time since the start of a Mac: its monotonic clock goes on in sleep.

import (
	"time"

	"golang.org/x/sys/unix"
)

func sinceBoot() (time.Duration, bool) {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
