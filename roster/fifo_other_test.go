//go:build !unix

package roster

// No named pipes in directories here.

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
