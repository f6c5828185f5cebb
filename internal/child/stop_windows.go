package child

// Stop on Windows: the end of a process that somebody else has started.

import (
	"context"
	"os"
	"time"
)

// Stop ends a process. What it has started ends with its own job.
func Stop(_ context.Context, pid int, _ time.Duration) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return nil // it is gone
	}
	defer func() { _ = p.Release() }()
	return p.Kill()
}
