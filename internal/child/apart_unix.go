//go:build unix

package child

// A process of its own session.

import "syscall"

// Apart starts a process in a session of its own, without this terminal.
func Apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
