package config

// Reading without a server: the log stays readable whoever runs.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"assent"
	"assent/store/sqlite"
)

// OpenLog opens the home's store for reading; writing to it fails, once an older one has
// been brought up to date. ErrNotFound when there is none yet.
func OpenLog(ctx context.Context, h Home) (assent.Store, error) {
	info, err := os.Stat(h.Database())
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 { // empty: made, and nothing written yet
		return nil, fmt.Errorf("there is no log yet in %s: %w", h.Dir, assent.ErrNotFound)
	}
	open := false
	s, err := sqlite.Open(ctx, h.Database(), sqlite.Options{Witness: h.Key(), Lock: func(ctx context.Context) (func(), error) {
		if !open {
			return h.brief(ctx)
		}
		return nil, fmt.Errorf("opened for reading: %w", assent.ErrLocked)
	}})
	if err != nil {
		return nil, h.named(err)
	}
	open = true
	return s, nil
}
