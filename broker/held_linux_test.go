package broker

// Files that stay what they are, until what they are is started.

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func heldFile(t *testing.T, text string) *held {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	h, err := hold(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h
}

// rewritten writes other words of the same length in place, until the file's own clock
// shows it.
func rewritten(t *testing.T, h *held, before stamp) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		if err := os.WriteFile(h.path, []byte("other"), 0o755); err != nil {
			t.Fatal(err)
		}
		var st unix.Stat_t
		if err := unix.Fstat(int(h.f.Fd()), &st); err != nil || time.Now().After(end) {
			t.Fatal("the file's clock stands still", err)
		}
		if st.Ctim != before {
			return
		}
	}
}

// What was hashed long after it was changed last needs no second hash; a change after
// that is noticed, and so is one that was too young to tell.
func TestAdversarial06AChangeOfAnOldProgramIsNoticed(t *testing.T) {
	t.Parallel()
	h := heldFile(t, "first")
	if h.stamp != (stamp{}) || !h.touched() {
		t.Error("a young file is believed")
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(h.f.Fd()), &st); err != nil {
		t.Fatal(err)
	}
	h.stamp = st.Ctim // as of one that was old enough
	if h.touched() {
		t.Error("nobody has touched it")
	}
	path, release, err := h.steady()
	if err != nil || path == "" {
		t.Fatal(err)
	}
	release()
	rewritten(t, h, st.Ctim)
	if _, _, err := h.steady(); !errors.Is(err, ErrChanged) {
		t.Errorf("it would run: %v", err)
	}
}

// While it is made ready nobody can open it for writing; where somebody has, it is a
// copy that runs.
func TestAdversarial06WhoWouldWriteHasToWait(t *testing.T) {
	t.Parallel()
	h := heldFile(t, "first")
	release, ok := h.still()
	if !ok {
		t.Skip("no leases on this file system")
	}
	if f, err := os.OpenFile(h.path, os.O_WRONLY|unix.O_NONBLOCK, 0); !errors.Is(err, unix.EWOULDBLOCK) {
		f.Close()
		t.Errorf("it was opened: %v", err)
	}
	release()
	f, err := os.OpenFile(h.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := h.still(); ok {
		t.Error("there is a writer")
	}
	h.firm()
	if h.stamp != (stamp{}) {
		t.Error("with a writer about, the file's clock was believed")
	}
	path, release, err := h.steady()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := f.WriteAt([]byte("later"), 0); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "first" {
		t.Errorf("%q %v", raw, err)
	}
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		if _, err := f.Write([]byte("x")); !errors.Is(err, unix.EPERM) {
			t.Errorf("the copy can be written: %v", err)
		}
		f.Close()
	}
}
