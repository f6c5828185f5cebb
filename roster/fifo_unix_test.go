//go:build unix

package roster

// A named pipe, which opens only when somebody writes to it.

import "syscall"

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }
