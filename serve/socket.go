package serve

// The unix sockets: made for one user, cleaned up only when nobody answers.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"

	"assent"
	"assent/internal/peer"
)

// maxPath is the longest path every system takes for a socket.
const maxPath = 103

// silent swallows what net/http says of broken connections.
var silent = log.New(io.Discard, "", 0)

// listenAll opens every socket, or none.
func listenAll(at PerFacet) (all []net.Listener, err error) {
	for _, path := range at {
		l, err := listenUnix(path)
		if err != nil {
			for _, l := range all {
				l.Close()
			}
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

func listenUnix(path string) (net.Listener, error) {
	if path == "" || len(path) > maxPath {
		return nil, fmt.Errorf("the socket's path %q is empty or longer than %d bytes: set ASSENT_HOME to a shorter one: %w", path, maxPath, assent.ErrInvalid)
	}
	if err := sweep(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	err = peer.Attest(l.(*net.UnixListener))
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("socket: %w", err)
	}
	return l, nil
}

// sweep removes a socket that nobody answers on. What is not a socket stays.
func sweep(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is in the way, and is no socket: %w", path, assent.ErrInvalid)
	}
	if c, err := net.Dial("unix", path); err == nil {
		defer c.Close()
		who, _ := peer.Of(c.(*net.UnixConn)) // on failure it names nobody
		return fmt.Errorf("somebody answers on %s (process %d of user %d): %w", path, who.PID, who.UID, assent.ErrLocked)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("stale socket: %w", err)
	}
	return nil
}
