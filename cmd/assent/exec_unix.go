//go:build unix

package main

// Which signals a program hears, and whose files are private (Unix).

import (
	"os"
	"syscall"
)

// handedOn are the signals that a program hears which is run for somebody.
var handedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// private reports whether a file is this user's, and nobody else's to read.
func private(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
