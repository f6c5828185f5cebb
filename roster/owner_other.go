//go:build !unix

package roster

// Who a file belongs to: not known here.

import "io/fs"

const nonblock = 0

func ownerOf(fs.FileInfo) (int, bool) { return 0, false }
