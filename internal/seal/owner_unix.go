//go:build unix

package seal

// Files on systems that have owners.

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const owners = true

// owned reports whether a file belongs to whom this process runs as.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// settle makes sure that what was made in a directory outlives a crash.
func settle(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
