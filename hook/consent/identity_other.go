//go:build !linux && !darwin

package consent

// The identity of a file where little is known of it.

import "io/fs"

func identityOf(info fs.FileInfo) identity {
	return identity{size: info.Size(), mtime: info.ModTime().UnixNano()}
}
