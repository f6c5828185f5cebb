// Package peer finds out which process is at the other end of a connection, and
// whether it leads to an AI agent.
//
// It never asks the process about itself, and never decides anything: it tells
// what the kernel knows. What it cannot know is an error, never a guess.
//
//	p, err := peer.Of(conn)              // who connected
//	how := peer.Lead(p, sessions)        // "child of claude, process 812", or ""
//	a, ok := peer.AgentProcess(p, hint)  // whose hook p is
//	if how != "" {
//		return assent.ErrSelfApproval
//	}
package peer

// The entry points: a process by its connection, by its number, or itself.

import (
	"fmt"
	"net"
	"os"

	"assent"
)

// entry is one process as the kernel lists it.
type entry struct {
	assent.Process
	parent int
	name   string // of its program, as far as the kernel keeps it
}

// Of returns the process that made the connection, as it was then. When it is
// gone or hidden, the error wraps ErrNotFound, and the Process carries no more
// than the user it ran as: nothing that was found out about a number that may
// name another process by now. It may be called concurrently.
func Of(conn *net.UnixConn) (assent.Process, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return assent.Process{UID: -1}, fmt.Errorf("peer: %w", err)
	}
	var p assent.Process
	var ofErr error
	if err := raw.Control(func(fd uintptr) { p, ofErr = ofSocket(int(fd)) }); err != nil {
		return assent.Process{UID: -1}, fmt.Errorf("peer: %w", err)
	}
	return p, ofErr
}

// Inspect returns the running process with this number. ErrNotFound if there is
// none, or none that we may look at.
func Inspect(pid int) (assent.Process, error) {
	e, err := look(pid)
	return e.Process, err
}

// Self returns the calling process; where the platform cannot tell more, no
// more than its number and user.
func Self() assent.Process {
	p, err := Inspect(os.Getpid())
	if err != nil {
		return assent.Process{PID: os.Getpid(), UID: os.Getuid(), Boot: BootID()}
	}
	return p
}

// Lives reports whether exactly this process is still running: the same number,
// start time and boot.
func Lives(p assent.Process) bool {
	_, ok := here().living(p)
	return ok
}

// Ancestors returns the parents of the process with this number, nearest first.
func Ancestors(pid int) []assent.Process {
	e, err := look(pid)
	if err != nil {
		return nil
	}
	return here().ancestors(e)
}

// BootID names the current boot of the machine, or is empty where that cannot
// be known.
func BootID() string { return bootID() }

func noProcess(pid int) error {
	return fmt.Errorf("process %d is gone or hidden: %w", pid, assent.ErrNotFound)
}
