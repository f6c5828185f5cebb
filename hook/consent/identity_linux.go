package consent

// The identity of a file on Linux.

import (
	"io/fs"
	"syscall"
)

func identityOf(info fs.FileInfo) identity {
	is := identity{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		is.ctime = s.Ctim.Nano()
		is.device, is.inode = uint64(s.Dev), s.Ino
	}
	return is
}
