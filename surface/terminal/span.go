package terminal

// Spans of time, in words.

import (
	"fmt"
	"strings"
	"time"
)

const day = 24 * time.Hour

// distance says how far away something is, rounded: "in 24 h", "3 s ago". It is
// empty for now.
func distance(d time.Duration) string {
	switch n := d.Round(time.Second); {
	case n == 0:
		return ""
	case n > 0:
		return "in " + rough(n)
	default:
		return rough(-n) + " ago"
	}
}

// rough says a span as people would: to the second below a minute, to the minute
// below three hours, to the hour below two days, and then to the day.
func rough(d time.Duration) string {
	switch d = max(d, 0).Round(time.Second); {
	case d < time.Minute:
	case d < 3*time.Hour:
		d = d.Round(time.Minute)
	case d < 2*day:
		d = d.Round(time.Hour)
	default:
		d = d.Round(day)
	}
	return exact(d)
}

// exact says a span with nothing left out: "1 h 30 min", "90 days".
func exact(d time.Duration) string {
	if d <= 0 || d%time.Second != 0 {
		return exactUnder(d)
	}
	if d >= 2*day && d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	var parts []string
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
		if n := d / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			d %= u.size
		}
	}
	return strings.Join(parts, " ")
}

// exactUnder is a span that is not made of whole seconds.
func exactUnder(d time.Duration) string {
	if d == 0 {
		return "0 s"
	}
	return d.String()
}
