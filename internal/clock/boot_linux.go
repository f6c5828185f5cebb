package clock

// The time since the start of a Linux machine.

import (
	"time"

	"golang.org/x/sys/unix"
)

func sinceBoot() (time.Duration, bool) {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
