package serve_test

// Who may be the server.

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"assent"
	"assent/serve"
)

// TestAnotherUserIsNoServer needs the superuser, who alone can be another.
func TestAnotherUserIsNoServer(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only the superuser can listen as another user")
	}
	path := filepath.Join(t.TempDir(), "s")
	made := make(chan net.Listener)
	go func() { // on a thread of its own, which ends with it
		runtime.LockOSThread()
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Error(err)
		}
		raw, err := l.(*net.UnixListener).SyscallConn()
		if err != nil {
			t.Error(err)
		}
		_ = raw.Control(func(fd uintptr) {
			_, _, _ = unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), 4711, ^uintptr(0))
			_ = unix.Listen(int(fd), 8) // a socket is of who listened last
		})
		made <- l
	}()
	l := <-made
	defer l.Close()
	if err := serve.Dial(serve.PerFacet{serve.Requester: path}, nil).Ping(t.Context()); !errors.Is(err, assent.ErrForbidden) {
		t.Fatalf("spoke to another user: %v", err)
	}
}
