//go:build unix

package analyze

// Whose a file is.

import (
	"os"
	"syscall"
)

// onesOwn reports whether a path is a regular file that only its user, who we are too,
// may have written: no link, and no other may write it.
func onesOwn(full string) bool {
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
