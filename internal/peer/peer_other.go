//go:build !linux && !darwin

package peer

// Other platforms: nothing can be told of a peer, and that is an error.

import (
	"errors"
	"fmt"

	"assent"
)

func ofSocket(int) (assent.Process, error) {
	return assent.Process{UID: -1}, fmt.Errorf("peer: %w", errors.ErrUnsupported)
}

func look(pid int) (entry, error) {
	return entry{}, fmt.Errorf("process %d: %w", pid, errors.ErrUnsupported)
}

func environ(int) []string { return nil }

func program(int) string { return "" }

func bootID() string { return "" }
