package child

// The terminal, and signals to a group (Windows, which has neither).

import (
	"context"
	"os"
	"syscall"
	"time"
)

func foreground(*syscall.SysProcAttr, *os.File) {}

func reclaim(*os.File) {}

// Terminal is nil: there are no foreground groups.
func Terminal() *os.File { return nil }

// Stop ends the child's job.
func (o *Owned) Stop(context.Context, time.Duration) error {
	o.group.kill()
	return nil
}

// signal ends the group, whatever the signal: it knows no other.
func (g *group) signal(os.Signal) { g.kill() }

func signalNumber(*os.ProcessState) int { return 0 }
