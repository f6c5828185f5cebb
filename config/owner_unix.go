//go:build unix

package config

// Directories on systems that have owners.

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"assent"
)

const windows = false

// temporary is the directory for what has no room elsewhere.
func temporary() string { return "/tmp" }

// owned refuses a directory of another user.
func owned(dir string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user (uid %d): set ASSENT_HOME to a directory of your own: %w", dir, st.Uid, assent.ErrForbidden)
	}
	return nil
}
