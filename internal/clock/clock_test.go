package clock

// The law of the clock: a deadline comes no later than either clock says.

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// machine is one whose clocks can be set.
type machine struct {
	path string
	boot string
	wall time.Time
	up   time.Duration
	c    *Clock
}

var began = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func newMachine(dir string) *machine {
	m := &machine{path: filepath.Join(dir, "clock"), boot: "b1", wall: began}
	m.process()
	return m
}

// process starts a new process.
func (m *machine) process() {
	m.c = open(m.path, m.boot, func() time.Time { return m.wall }, func() (time.Duration, bool) { return m.up, true })
}

func (m *machine) pass(d time.Duration) { m.wall, m.up = m.wall.Add(d), m.up+d }

func TestAdversarial03SettingTheWallClockBackGivesNoTime(t *testing.T) {
	t.Parallel()
	m := newMachine(t.TempDir())
	deadline := m.c.Now().Add(10 * time.Minute)
	m.pass(9 * time.Minute)
	m.wall = m.wall.Add(-time.Hour)
	if behind, fresh := m.c.Behind(); behind != time.Hour || !fresh {
		t.Errorf("%s behind, %v", behind, fresh)
	}
	if _, fresh := m.c.Behind(); fresh {
		t.Error("told twice")
	}
	m.process()
	if _, fresh := m.c.Behind(); fresh {
		t.Error("told again by another process")
	}
	m.pass(2 * time.Minute)
	if m.c.Now().Before(deadline) {
		t.Errorf("%s is before %s", m.c.Now(), deadline)
	}
}

func TestAdversarial03SleepAndANewBootCount(t *testing.T) {
	t.Parallel()
	m := newMachine(t.TempDir())
	deadline := m.c.Now().Add(10 * time.Minute)
	m.up += time.Hour // asleep, with a wall clock that stood
	if m.c.Now().Before(deadline) {
		t.Error("sleep does not count")
	}
	m.c.Now() // written down
	m.boot, m.up, m.wall = "b2", time.Second, time.Unix(0, 0)
	m.process()
	if m.c.Now().Before(deadline) {
		t.Errorf("after a boot without a clock it is %s", m.c.Now())
	}
}

// A wall clock that was wrong for a moment does no lasting harm.
func TestAForwardJumpDoesNotStick(t *testing.T) {
	t.Parallel()
	m := newMachine(t.TempDir())
	m.wall = m.wall.AddDate(1, 0, 0)
	if got := m.c.Now(); got.Year() != 2027 {
		t.Errorf("%s", got)
	}
	m.wall = m.wall.AddDate(-1, 0, 0)
	m.pass(2 * time.Minute)
	if got := m.c.Now(); !got.Equal(m.wall) {
		t.Errorf("%s, the wall says %s", got, m.wall)
	}
}

func TestADamagedFileIsDoneWithout(t *testing.T) {
	t.Parallel()
	m := newMachine(t.TempDir())
	for _, text := range []string{"", "{", `{"time":"soon"}`, `[]`} {
		if err := os.WriteFile(m.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.process()
		if got := m.c.Now(); !got.Equal(m.wall) {
			t.Errorf("%q: %s", text, got)
		}
	}
	m.path = filepath.Join(t.TempDir(), "missing", "clock")
	m.process()
	if got := m.c.Now(); !got.Equal(m.wall) {
		t.Errorf("nowhere to write: %s", got)
	}
}

// However clocks are set, processes start and the machine is booted: no deadline is
// reached later than in its length of machine time, nor than the wall clock says.
func TestAdversarial03ADeadlineComesNoLaterThanEitherClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		_ = os.Remove(filepath.Join(dir, "clock"))
		m := newMachine(dir)
		given, length := m.c.Now(), time.Hour
		var lived time.Duration // machine time since, in this boot
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				d := time.Duration(rapid.IntRange(0, 3600).Draw(t, "pass")) * time.Second
				m.pass(d)
				lived += d
			case 1:
				m.wall = m.wall.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, "jump")) * time.Second)
			case 2:
				m.process()
			case 3:
				m.c.Now()
			}
			over := !m.c.Now().Before(given.Add(length))
			if lived >= length && !over {
				t.Fatalf("after %s the deadline of %s is not reached: it is %s, given at %s", lived, length, m.c.Now(), given)
			}
			if !m.wall.Before(given.Add(length)) && !over {
				t.Fatalf("the wall clock says %s, and it is not over", m.wall)
			}
		}
	})
}
