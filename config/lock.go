package config

// The lock: whoever writes holds it. The server holds it for its lifetime,
// every other process for one short transaction.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"assent"
	"assent/serve"
)

const (
	lockWait = 8 * time.Second        // a process without a server gives up after
	lockLook = 100 * time.Millisecond // and looks for a server so often
)

// hold takes the home's lock for as long as the process lives, and notes who it
// is. ErrLocked names who has it.
func (h Home) hold(who string) (release func() error, err error) {
	l := flock.New(h.lock(), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", h.lock(), err)
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", h.holder(), assent.ErrLocked)
	}
	if err := os.WriteFile(h.lock(), []byte(who+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot note who holds the lock: %w", err), l.Unlock())
	}
	return l.Unlock, nil
}

// holder says who noted that it holds the lock.
func (h Home) holder() string {
	raw, err := os.ReadFile(h.lock())
	if text := strings.TrimSpace(string(raw)); err == nil && text != "" {
		return text
	}
	return "another process"
}

// brief takes the lock for one transaction, in the order of asking as far as the
// system keeps one. ErrLocked when nobody lets go of it in time, and as soon as a
// server answers: that keeps it.
func (h Home) brief(ctx context.Context) (unlock func(), err error) {
	l := flock.New(h.lock(), flock.SetPermissions(0o600))
	if ok, err := l.TryLock(); err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", h.lock(), err)
	} else if ok {
		return func() { _ = l.Unlock() }, nil
	}
	got, gone := make(chan error), make(chan struct{})
	go func() {
		err := l.Lock()
		select {
		case got <- err:
		case <-gone: // too late: nobody waits for it
			_ = l.Unlock()
		}
	}()
	if err := h.granted(ctx, got); err != nil {
		close(gone)
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
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
			if serve.Dial(h.Socket()).Ping(ctx) == nil {
				return fmt.Errorf("a server has started: %w", assent.ErrLocked)
			}
		case <-end.C:
			return fmt.Errorf("%s holds %s: %w", h.holder(), h.lock(), assent.ErrLocked)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
