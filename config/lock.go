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
	lockWait = 3 * time.Second      // a process without a server gives up after
	lockPoll = 2 * time.Millisecond // and tries so often
	lockLook = 20                   // and looks for a server at every so many tries
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

// brief takes the lock for one transaction. ErrLocked when nobody lets go of it
// in time, and as soon as a server answers: that keeps it.
func (h Home) brief(ctx context.Context) (unlock func(), err error) {
	l := flock.New(h.lock(), flock.SetPermissions(0o600))
	end := time.NewTimer(lockWait)
	defer end.Stop()
	for try := 1; ; try++ {
		ok, err := l.TryLock()
		if ok {
			return func() { _ = l.Unlock() }, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot lock %s: %w", h.lock(), err)
		}
		if try%lockLook == 0 && serve.Dial(h.Socket()).Ping(ctx) == nil {
			return nil, fmt.Errorf("a server has started: %w", assent.ErrLocked)
		}
		select {
		case <-time.After(lockPoll):
		case <-end.C:
			return nil, fmt.Errorf("%s holds %s: %w", h.holder(), h.lock(), assent.ErrLocked)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
