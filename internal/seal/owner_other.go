//go:build !unix

package seal

// Files where the access list of the home keeps others out.

import "io/fs"

const owners = false

func owned(fs.FileInfo) bool { return true }

func settle(string) error { return nil }
