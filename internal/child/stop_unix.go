//go:build unix

package child

// Stop: the end of a process group that somebody else has started.

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// look is how often Stop looks whether anybody is left.
const look = 10 * time.Millisecond

// Stop ends a process group: it asks with SIGTERM, and after grace, or when ctx ends, it
// kills the group and all that descends of its leader. It returns when none of the group
// is left, or an error. A group that is not there has ended. The caller has made sure
// that pgid is not somebody else's by now.
func Stop(ctx context.Context, pgid int, grace time.Duration) error {
	if pgid <= 1 {
		return fmt.Errorf("%d is no process group of a child", pgid)
	}
	if err := syscall.Kill(-pgid, syscall.SIGTERM); err != nil {
		if errors.Is(err, syscall.ESRCH) {
			err = nil
		}
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	if emptied(ctx, pgid) {
		return nil
	}
	(&group{pid: pgid}).kill()
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if !emptied(ctx, pgid) {
		return fmt.Errorf("the process group %d is still there after it was killed", pgid)
	}
	return nil
}

// emptied waits for the end of the last of a group.
func emptied(ctx context.Context, pgid int) bool {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		if errors.Is(syscall.Kill(-pgid, 0), syscall.ESRCH) || !peopled(pgid) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
