package config

// What is left to hooks that watch, and the log of what went wrong with them.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent"
)

func left(name string) []assent.Case { return []assent.Case{{Event: assent.Event{Name: name}}} }

// Where a process cannot be started for hooks that watch, it is said, and written down.
func TestWhatWatchersWereNotToldOfIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := Home{Dir: filepath.Join(dir, "gone")}
	u := &users{home: h, log: &hookLog{path: filepath.Join(dir, "hooks.log")}}
	err := u.leave(append(left(assent.PostToolCall), left(assent.TurnEnd)...))
	if err == nil || !strings.Contains(err.Error(), "not told of "+assent.TurnEnd+", "+assent.PostToolCall+" (2 in all)") && !strings.Contains(err.Error(), "not told of "+assent.PostToolCall+", "+assent.TurnEnd+" (2 in all)") {
		t.Fatal(err)
	}
	if raw, _ := os.ReadFile(u.log.path); !strings.Contains(string(raw), "hooks that watch were not told of") {
		t.Errorf("the log says %q", raw)
	}
}

func TestTheLogDoesNothingToATerminal(t *testing.T) {
	t.Parallel()
	l := &hookLog{path: filepath.Join(t.TempDir(), "hooks.log")}
	l.line("hook \x1b[2Jguard\u202e\u200b\r\a grüße\n2026-01-01T00:00:00Z all is well\n")
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\u202e", "\u200b", "\r", "\a", "\n2026"} {
		if strings.Contains(string(raw), bad) {
			t.Errorf("%q stands in %q", bad, raw)
		}
	}
	if !strings.Contains(string(raw), "grüße") {
		t.Errorf("%q", raw)
	}
}
