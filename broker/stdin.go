package broker

// Standard input that is bound: read whole before it is asked about.

import (
	"fmt"
	"io"
	"os"

	"assent"
)

// MaxStdin is how much a program may be fed that is bound.
const MaxStdin = 64 << 20

// keep reads all of r, and returns a file with it that the program reads, and its hash.
func keep(r io.Reader) (*os.File, string, error) {
	most := &io.LimitedReader{R: r, N: MaxStdin + 1}
	f, sum, err := kept(most)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("standard input: %w", err)
	case most.N == 0:
		f.Close()
		return nil, "", fmt.Errorf("standard input has more than %d MiB: %w", MaxStdin>>20, assent.ErrInvalid)
	}
	return f, "sha256:" + sum, nil
}
