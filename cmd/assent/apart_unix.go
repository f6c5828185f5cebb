//go:build unix

package main

// A process of its own session.

import "syscall"

// apart starts a process in a session of its own, without this terminal.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
