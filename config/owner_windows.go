package config

// Who owns a directory: on Windows the profile directory's own access list
// keeps others out.

import "io/fs"

const windows = true

func owned(string, fs.FileInfo) error { return nil }
