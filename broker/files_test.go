//go:build unix

package broker_test

// Files that are read and written for a holder.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assent"
	"assent/broker"
)

func (w *world) link(to, name string) string {
	w.t.Helper()
	full := filepath.Join(w.dir, name)
	_ = os.Remove(full)
	if err := os.Symlink(to, full); err != nil {
		w.t.Fatal(err)
	}
	return full
}

func (w *world) holds(file, want string) {
	w.t.Helper()
	if raw, err := os.ReadFile(filepath.Join(w.dir, file)); err != nil || string(raw) != want {
		w.t.Errorf("%s holds %q, %v; want %q", file, raw, err, want)
	}
}

func TestAFileIsReadAndWrittenAndItIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	old := w.file("old", "before", 0o640)
	if err := os.Link(old, filepath.Join(w.dir, "other-name")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old", "new"} {
		if err := w.b.Write(t.Context(), filepath.Join(w.dir, name), []byte("after")); err != nil {
			t.Fatal(err)
		}
		if raw, err := w.b.Read(t.Context(), filepath.Join(w.dir, name), 5); err != nil || string(raw) != "after" {
			t.Errorf("%q %v", raw, err)
		}
	}
	w.holds("other-name", "before") // what another name leads to is another file
	if info, _ := os.Stat(old); info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %s", info.Mode())
	}
	if entries, _ := os.ReadDir(w.dir); len(entries) != 3 || len(w.g.begun) != 4 || len(w.g.ended) != 4 || w.g.ended[0].Out != 5 {
		t.Errorf("%v %+v", entries, w.g.ended)
	}
	if _, err := w.b.Read(t.Context(), old, 4); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	if in := string(w.g.uses[0].Input); in != `{"content":"after","path":"`+old+`"}` || w.g.uses[0].Tool != assent.ToolWrite {
		t.Error(in)
	}
}

func TestWhatIsAskedAboutIsWhereTheLinksLead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	secret := w.file("far/secret", "x", 0o600)
	w.link("far", "near")
	if _, err := w.b.Read(t.Context(), filepath.Join(w.dir, "near", "secret"), 9); err != nil {
		t.Fatal(err)
	}
	if err := w.b.Write(t.Context(), filepath.Join(w.dir, "near", "new"), nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{secret, filepath.Join(w.dir, "far", "new")} {
		if in := string(w.g.uses[i].Input); !strings.Contains(in, `"path":"`+want+`"`) {
			t.Errorf("%s, want %s", in, want)
		}
	}
	link := w.link(secret, "link")
	if err := w.b.Write(t.Context(), link, []byte("over")); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	w.holds("far/secret", "x")
}

func TestWhatIsNoFileIsRefusedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{w.dir, filepath.Join(w.dir, "pipe"), "/dev/null", filepath.Join(w.dir, "none", "x")} {
		if err := w.b.Write(t.Context(), path, nil); err == nil {
			t.Error("wrote to " + path)
		}
		if _, err := w.b.Read(t.Context(), path, 9); err == nil {
			t.Error("read " + path)
		}
	}
	if err := w.b.Write(t.Context(), filepath.Join(w.dir, "new"), []byte("\xff")); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	if len(w.g.uses) > 0 {
		t.Errorf("%+v", w.g.uses)
	}
}

// What is swapped for a link between the approval and the act is neither read nor
// written, and the use is given back.
func TestAdversarial06AFileIsSwappedBetween(t *testing.T) {
	t.Parallel()
	for name, swap := range map[string]func(*world){
		"the file": func(w *world) { w.link("secret", "dir/file") },
		"another file": func(w *world) {
			w.file("dir/file.new", "other", 0o600)
			_ = os.Rename(filepath.Join(w.dir, "dir/file.new"), filepath.Join(w.dir, "dir/file"))
		},
		"its directory": func(w *world) {
			_ = os.Rename(filepath.Join(w.dir, "dir"), filepath.Join(w.dir, "gone"))
			w.file("evil/file", "secret", 0o600)
			w.link("evil", "dir")
		},
	} {
		for _, act := range []string{"read", "write"} {
			w := newWorld(t)
			w.g.all = true
			full := w.file("dir/file", "plain", 0o600)
			w.file("dir/secret", "secret", 0o600)
			w.g.before = func() { swap(w) }
			var raw []byte
			var err error
			if act == "read" {
				raw, err = w.b.Read(t.Context(), full, 99)
			} else {
				err = w.b.Write(t.Context(), full, []byte("over"))
			}
			if !errors.Is(err, broker.ErrChanged) || raw != nil || len(w.g.begun) > 0 || len(w.g.ended) != 1 || w.g.ended[0].Started {
				t.Errorf("%s, %s: %q %v %+v", name, act, raw, err, w.g.ended)
			}
			if raw, _ := os.ReadFile(full); string(raw) == "over" {
				t.Errorf("%s: written", name)
			}
		}
	}
}
