package config

// The lock: whoever writes holds it. The server holds it for its lifetime,
// every other process for one short transaction.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"assent"
	"assent/internal/peer"
)

const (
	lockWait = 8 * time.Second        // whoever wants the lock gives up after
	lockLook = 100 * time.Millisecond // and looks for a server so often
)

// holder is what the server notes of itself beside the lock.
type holder struct {
	Process assent.Process `json:"process"`
	Since   time.Time      `json:"since"`
}

// hold takes the home's lock for as long as the process lives, and notes who it
// is. ErrLocked names who has it.
func (h Home) hold(ctx context.Context, since time.Time) (release func() error, err error) {
	unlock, err := h.brief(ctx)
	if err != nil {
		return nil, err
	}
	note, err := json.Marshal(holder{peer.Self(), since})
	if err == nil {
		err = writeFile(h.holderFile(), note, 0o600)
	}
	if err != nil {
		unlock()
		return nil, fmt.Errorf("cannot note who holds the lock: %w", err)
	}
	return func() error {
		defer unlock()
		return removed(os.Remove(h.holderFile()))
	}, nil
}

// noted is the server that noted that it holds the lock. It may be gone.
func (h Home) noted() (n holder, ok bool) {
	raw, err := os.ReadFile(h.holderFile())
	return n, err == nil && json.Unmarshal(raw, &n) == nil
}

// holder says who holds the lock: the server that noted it, if that still lives.
func (h Home) holder() string {
	n, ok := h.noted()
	if !ok || !peer.Lives(n.Process) {
		return "another process"
	}
	return fmt.Sprintf("assent serve (pid %d, since %s)", n.Process.PID, n.Since.Format(time.RFC3339))
}

// genuine says why a process that answers on a socket is not the home's server: that
// is who holds the lock, and noted so. ErrForbidden.
func (h Home) genuine(p assent.Process) error {
	n, ok := h.noted()
	switch {
	case p.PID == 0:
		return fmt.Errorf("which process answers there cannot be told, so it is not believed: %w", assent.ErrForbidden)
	case !ok || n.Process.PID != p.PID || n.Process.Start != p.Start || n.Process.Boot != p.Boot:
		return fmt.Errorf("process %d answers there, and %s holds the lock: nothing is said to it; end it, and start assent serve anew: %w", p.PID, h.holder(), assent.ErrForbidden)
	}
	l := flock.New(h.lock(), flock.SetPermissions(0o600))
	if free, err := l.TryLock(); err != nil || !free {
		return nil // somebody holds it
	}
	_ = l.Unlock()
	return fmt.Errorf("process %d answers there, and does not hold the lock: nothing is said to it: %w", p.PID, assent.ErrForbidden)
}

// brief takes the lock for one transaction, in the order of asking as far as the
// system keeps one, and returns what gives it back. ErrLocked when nobody lets go of it in time, and as soon as a
// server answers: that keeps it.
func (h Home) brief(ctx context.Context) (func(), error) {
	l := flock.New(h.lock(), flock.SetPermissions(0o600))
	unlock := func() { _ = l.Unlock() }
	if ok, err := l.TryLock(); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", h.lock(), err)
	} else if ok {
		return unlock, nil
	}
	got, left := make(chan error), make(chan struct{})
	go func() {
		err := l.Lock()
		select {
		case got <- err:
		case <-left: // too late: nobody waits for it
			unlock()
		}
	}()
	if err := h.granted(ctx, got); err != nil {
		close(left)
		return nil, err
	}
	return unlock, nil
}

// granted waits for the lock, and for what makes waiting useless.
func (h Home) granted(ctx context.Context, got <-chan error) error {
	end, look := time.NewTimer(lockWait), time.NewTicker(lockLook)
	defer end.Stop()
	defer look.Stop()
	for {
		select {
		case err := <-got:
			return err
		case <-look.C:
			if h.Served(ctx) {
				return fmt.Errorf("%s keeps %s: %w", h.holder(), h.Dir, assent.ErrLocked)
			}
		case <-end.C:
			return fmt.Errorf("%s has kept %s for %s: %w", h.holder(), h.lock(), lockWait, assent.ErrLocked)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Served reports whether a server takes connections.
func (h Home) Served(ctx context.Context) bool {
	c := h.Client()
	defer func() { _ = c.Close() }()
	return c.Ping(ctx) == nil
}
