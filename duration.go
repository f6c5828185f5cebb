package assent

// Duration: a length of time as it travels in JSON.

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Duration is a length of time that travels as whole or fractional seconds. Up
// to 97 days it arrives exact to the nanosecond.
type Duration time.Duration

// MarshalJSON writes seconds.
func (d Duration) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(d).Seconds(), 'g', -1, 64), nil
}

// UnmarshalJSON reads seconds as a number, or a Go duration ("10m") as a string.
// ErrInvalid for anything else, for less than nothing, and for more than 1e9
// seconds.
func (d *Duration) UnmarshalJSON(b []byte) error {
	v, err := readDuration(b)
	if err != nil || v < 0 || v > 1e9*time.Second {
		return fmt.Errorf("duration %s: %w", b, ErrInvalid)
	}
	*d = Duration(v)
	return nil
}

func readDuration(b []byte) (time.Duration, error) {
	var text string
	if json.Unmarshal(b, &text) == nil && text != "" {
		return time.ParseDuration(text)
	}
	sec, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(sec) || math.Abs(sec) > 1e9 {
		return -1, err
	}
	whole, part := math.Modf(sec) // sec*1e9 would round before the nanosecond
	return time.Duration(whole)*time.Second + time.Duration(math.Round(part*float64(time.Second))), nil
}

// String writes the duration as Go does.
func (d Duration) String() string { return time.Duration(d).String() }
