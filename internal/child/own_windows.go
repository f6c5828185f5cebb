package child

// The terminal, and signals to a group (Windows, which has neither).

import (
	"os"
	"syscall"
)

func foreground(*syscall.SysProcAttr, *os.File) {}

func reclaim(*os.File) {}

// Terminal is nil: there are no foreground groups.
func Terminal() *os.File { return nil }

// signal ends the group, whatever the signal: it knows no other.
func (g *group) signal(os.Signal) { g.kill() }

func signalNumber(*os.ProcessState) int { return 0 }
