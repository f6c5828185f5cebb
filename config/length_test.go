package config_test

// Length: what people write as a length of time.

import (
	"fmt"
	"testing"
	"time"

	"assent/config"

	"pgregory.net/rapid"
)

func TestLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "5": 5 * time.Second, "1.5": 1500 * time.Millisecond, "30m": 30 * time.Minute, "24h": 24 * time.Hour,
		"7d": 7 * 24 * time.Hour, "1d12h": 36 * time.Hour, "0d30m": 30 * time.Minute,
	} {
		if got, err := config.Length(text); err != nil || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "soon", "-5m", "-1", "-1d", "d", "1.5d", "1d2", "1d-2h", "1d1d", "7 d", "20000d", "12000d", "1e10", "NaN", "inf", "9000000h"} {
		if got, err := config.Length(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestLengthReadsWhatGoWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		days := rapid.IntRange(0, 1000).Draw(r, "days")
		rest := time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(r, "rest"))
		want := time.Duration(days)*24*time.Hour + rest
		for _, text := range []string{want.String(), fmt.Sprintf("%dd%s", days, rest)} {
			if got, err := config.Length(text); err != nil || got != want {
				r.Fatalf("%q is %v, %v", text, got, err)
			}
		}
	})
}
