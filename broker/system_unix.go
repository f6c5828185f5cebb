//go:build unix

package broker

// What a Unix system has of its own: users, permissions, the search path.

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"assent"
)

// searchPath is where programs are looked for.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// suffixes of programs.
var suffixes = []string{""}

// fixed is the environment that every program has: who its user is, by the system's own
// list of users, and where programs are.
func fixed(assent.Places) []string {
	env := []string{"PATH=" + searchPath}
	u, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil { // a user of a container who is in no list: what the caller calls home, nobody has approved
		return append(env, "HOME=/")
	}
	return append(env, "HOME="+u.HomeDir, "USER="+u.Username, "LOGNAME="+u.Username)
}

// quietly opens what may have become a pipe, and waits for nobody at its other end.
const quietly = syscall.O_NONBLOCK

// openQuietly opens what is at a path without links at its end, and waits for nobody who
// may hold the other end of it.
func openQuietly(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|quietly|syscall.O_NOFOLLOW, 0)
}

func startable(info os.FileInfo) bool { return info.Mode()&0o111 != 0 }

func openToAll(info os.FileInfo) bool { return info.Mode()&0o002 != 0 }

// closeOthers keeps what this process has inherited open from what it starts.
func closeOthers() {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(filepath.Base(e.Name())); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
