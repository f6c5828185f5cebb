package peer

// Own, where the kernel notes with everything that is written which process wrote it.

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"assent"
)

// Attest has the kernel note who writes on the connections that the listener is yet to
// give out.
func Attest(l *net.UnixListener) error {
	raw, err := l.SyscallConn()
	if err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	var set error
	err = raw.Control(func(fd uintptr) { set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_PASSCRED, 1) })
	if err = errors.Join(err, set); err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	return nil
}

// Own returns a connection of an attested listener, of which nothing can be read but
// what the process that made it has written itself: one that inherited it, or took it,
// speaks for nobody. foreign is told of that process; the read is ErrForbidden.
func Own(conn *net.UnixConn, foreign func(pid int)) net.Conn {
	return &ownConn{UnixConn: conn, pid: opener(conn), foreign: foreign}
}

type ownConn struct {
	*net.UnixConn
	pid     int
	foreign func(pid int)
}

// opener is who made a connection, by number; -1 when that cannot be told.
func opener(conn *net.UnixConn) int {
	pid := -1
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			if cred, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
				pid = int(cred.Pid)
			}
		})
	}
	return pid
}

// Read gives out what one process has written at a time: the kernel joins nothing of
// two. There is room for who wrote it, and for nothing that would be passed beside.
func (c *ownConn) Read(b []byte) (int, error) {
	beside := make([]byte, syscall.CmsgSpace(syscall.SizeofUcred))
	n, m, _, _, err := c.ReadMsgUnix(b, beside)
	switch {
	case errors.Is(err, io.EOF):
		return 0, io.EOF // bare, as readers expect it
	case err != nil || n == 0:
		return n, err
	}
	if pid := writer(beside[:m]); pid != c.pid {
		c.foreign(pid)
		return 0, fmt.Errorf("process %d writes on a connection of process %d: %w", pid, c.pid, assent.ErrForbidden)
	}
	return n, nil
}

// writer is the process that control messages name; -2 for none.
func writer(beside []byte) int {
	all, err := syscall.ParseSocketControlMessage(beside)
	if err != nil || len(all) == 0 {
		return -2
	}
	cred, err := syscall.ParseUnixCredentials(&all[0])
	if err != nil {
		return -2
	}
	return int(cred.Pid)
}
