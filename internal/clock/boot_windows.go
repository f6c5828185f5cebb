package clock

// The time since the start of a Windows machine, sleep included.

import (
	"time"

	"golang.org/x/sys/windows"
)

func sinceBoot() (time.Duration, bool) { return windows.DurationSinceBoot(), true }
