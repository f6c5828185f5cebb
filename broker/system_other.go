//go:build !linux

package broker

// Other systems: programs and directories are started by their paths, which are compared
// immediately before. What happens between the two is not noticed.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

// stamp is not used: what was hashed is hashed again.
type stamp struct{}

func (h *held) firm() {}

func (p *place) start() string { return p.path }

// steady is the path to start the program by, if what lies there is what was approved.
func (h *held) steady() (path string, release func(), err error) {
	closeOthers()
	if err := errors.Join(h.inPlace(), h.sameContent()); err != nil {
		return "", nil, err
	}
	return h.path, func() {}, nil
}

// kept is a copy of what a program is to read, in a file without a name where the system
// has such.
func kept(r io.Reader) (*os.File, string, error) {
	f, err := os.CreateTemp("", "assent-stdin-")
	if err != nil {
		return nil, "", err
	}
	_ = os.Remove(f.Name())
	h := sha256.New()
	if _, err = io.Copy(io.MultiWriter(f, h), r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, "", err
	}
	return f, hex.EncodeToString(h.Sum(nil)), nil
}
