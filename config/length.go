package config

// Lengths of time, as people write them.

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// most is the longest length of time, exclusive.
const most = 1e9 * time.Second

// Length reads a length of time: seconds as a number ("30"), or written out
// ("10m", "7d", "1d12h"). The error says so of anything else, and of less than
// nothing.
func Length(text string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < most.Seconds() {
		return time.Duration(n * float64(time.Second)), nil
	}
	var whole time.Duration
	rest := text
	if days, after, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 14)
		if err != nil {
			return 0, noLength(text)
		}
		if whole, rest = time.Duration(n)*24*time.Hour, after; rest == "" {
			rest = "0s"
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || d >= most || whole+d >= most {
		return 0, noLength(text)
	}
	return whole + d, nil
}

func noLength(text string) error {
	return fmt.Errorf("%q is not a time: write seconds (30) or a duration (10m)", text)
}
