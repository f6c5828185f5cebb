// Package clock tells what time it is at least: the wall clock, or what the time since
// the machine's start says, whichever is later. So a deadline comes no later than
// either of them, however the wall clock is set back, and sleep counts.
//
// It keeps one line in a file, so that the time of one process and one boot is not
// before that of the last. It never sets any clock.
//
//	c := clock.Open(path, bootID, time.Now)
//	deadline := c.Now().Add(10 * time.Minute)
//	if behind, fresh := c.Behind(); fresh { … } // somebody set the wall clock back
package clock

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	saveEvery = time.Minute     // the file is at most so old
	tolerance = 2 * time.Second // between two clocks
)

// Clock tells the time. It may be used concurrently.
type Clock struct {
	path  string
	boot  string
	wall  func() time.Time
	since func() (time.Duration, bool) // since the machine's start, sleep included

	mu    sync.Mutex
	mark  mark
	saved time.Time
}

// mark is a moment on the line that only goes forward.
type mark struct {
	Boot  string        `json:"boot"`
	Since time.Duration `json:"since"` // in nanoseconds
	Time  time.Time     `json:"time"`
	Told  time.Duration `json:"told,omitempty"` // how far behind the wall clock was when that was told
}

// Open returns the clock whose line goes on from the file at path; without a path it is
// this process's alone. boot names the machine's boot. A file that cannot be read or written is done without.
func Open(path, boot string, wall func() time.Time) *Clock { return open(path, boot, wall, sinceBoot) }

func open(path, boot string, wall func() time.Time, since func() (time.Duration, bool)) *Clock {
	c := &Clock{path: path, boot: boot, wall: wall, since: since}
	now := wall().Round(0)
	if raw, err := os.ReadFile(path); err == nil && json.Unmarshal(raw, &c.mark) == nil && c.mark.Boot == boot && boot != "" {
		c.saved = c.mark.Time
		return c
	}
	up, _ := since()
	begun := mark{Boot: boot, Since: up, Time: now}
	if c.mark.Time.After(now) {
		begun.Time = c.mark.Time // the last boot was later already
	}
	c.mark = begun
	c.save(begun)
	return c
}

// steady is the moment on the line.
func (c *Clock) steady() mark {
	m := c.mark
	if up, ok := c.since(); ok && up > m.Since {
		m.Time, m.Since = m.Time.Add(up-m.Since), up
	}
	return m
}

// Now is the time. It has no monotonic reading: it is compared across processes.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, m := c.wall().Round(0), c.steady()
	if m.Time.Sub(c.saved) > saveEvery {
		c.mark = m
		c.save(m)
	}
	if now.Before(m.Time) {
		return m.Time.In(now.Location())
	}
	return now
}

// Behind is how far the wall clock stands behind the line: it was set back. fresh is
// true once for each time that it was.
func (c *Clock) Behind() (behind time.Duration, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.steady()
	if behind = m.Time.Sub(c.wall()); behind < tolerance {
		behind = 0
	}
	if change := behind - m.Told; change.Abs() < tolerance {
		return behind, false
	}
	m.Told = behind
	c.mark = m
	c.save(m)
	return behind, behind > 0
}

// save writes the mark, whole or not at all. Where that fails, this process goes on
// with what it has.
func (c *Clock) save(m mark) {
	if c.saved = m.Time; c.path == "" {
		return
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), ".clock-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(raw, '\n'))
	if cerr := f.Close(); err == nil && cerr == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
