package peer

// Connections that change hands.

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assent"
)

func attested(t *testing.T) (dial func() *net.UnixConn, next func(foreign func(int)) net.Conn) {
	t.Helper()
	dir, err := os.MkdirTemp("", "peer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := Attest(l.(*net.UnixListener)); err != nil {
		t.Fatal(err)
	}
	dial = func() *net.UnixConn {
		c, err := net.Dial("unix", filepath.Join(dir, "s"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c.(*net.UnixConn)
	}
	return dial, func(foreign func(int)) net.Conn {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return Own(c.(*net.UnixConn), foreign)
	}
}

func TestWhatItsOwnerWritesIsRead(t *testing.T) {
	t.Parallel()
	dial, next := attested(t)
	c := dial()
	if _, err := io.WriteString(c, "before "); err != nil { // it was accepted
		t.Fatal(err)
	}
	in := next(func(pid int) { t.Errorf("process %d is foreign", pid) })
	if _, err := io.WriteString(c, "after"); err != nil {
		t.Fatal(err)
	}
	c.CloseWrite()
	if got, err := io.ReadAll(in); err != nil || string(got) != "before after" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestWhatAnHeirWritesIsNotRead(t *testing.T) {
	t.Parallel()
	dial, next := attested(t)
	c := dial()
	var heir int
	in := next(func(pid int) { heir = pid })
	file, err := c.File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := io.WriteString(c, "mine"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "echo his >&3")
	cmd.ExtraFiles = []*os.File{file}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(in)
	if string(got) != "mine" || !errors.Is(err, assent.ErrForbidden) || heir != cmd.Process.Pid {
		t.Fatalf("%q of %d (want %d), %v", got, heir, cmd.Process.Pid, err)
	}
	if !strings.Contains(err.Error(), "writes on a connection of process") {
		t.Fatal(err)
	}
}

// Descriptors that are passed beside what is written are not taken.
func TestNothingIsTakenBesideWhatIsWritten(t *testing.T) {
	t.Parallel()
	dial, next := attested(t)
	c := dial()
	in := next(func(pid int) { t.Errorf("process %d is foreign", pid) })
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, err := c.WriteMsgUnix([]byte("x"), syscall.UnixRights(int(w.Fd())), nil); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if n, err := in.Read(make([]byte, 8)); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) { // nobody has the other end
		t.Fatal(n, err)
	}
}
