package roster

// Keys on disk: made once, private, sealed, and whole or not at all.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

func TestCreateMakesPrivateFiles(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	for path, want := range map[string]fs.FileMode{m.file: 0o600, m.dir: 0o700, filepath.Join(m.dir, "anna.pub"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	all, err := m.Approvers()
	if err != nil || len(all) != 1 || !verifies(m.key, all[0].Public) || m.key.Name() != "anna" {
		t.Fatalf("%+v, %v", all, err)
	}
}

func TestCreateOverwritesNothing(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	before, _ := os.ReadFile(m.file)
	other := filepath.Join(filepath.Dir(m.file), "other.key")
	for _, c := range []struct{ name, path string }{{"anna", other}, {"bob", m.file}} {
		if _, err := Create(m.dir, c.name, c.path, nil); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	after, _ := os.ReadFile(m.file)
	if _, err := os.Stat(other); !bytes.Equal(before, after) || !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("a key was overwritten, or one was left that nobody knows")
	}
	if all, err := m.Approvers(); err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
}

func TestNamesAreFileNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"", ".", "..", "a/b", "A", "a b", "-a", "a.pub", "ä", strings.Repeat("a", maxName+1), "a\x00"} {
		if _, err := Create(filepath.Join(dir, "ap"), name, filepath.Join(dir, "k"), nil); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestASealedKeyOpensWithItsPassphraseAlone(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "correct horse")
	raw, _ := os.ReadFile(m.file)
	if bytes.Contains(raw, m.key.private.Seed()) {
		t.Fatal("the seed is in the file")
	}
	for _, wrong := range []string{"", "correct hors", "correct horse ", "Correct horse"} {
		if _, err := Load(m.file, say(wrong)); !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := Load(m.file, nil); !errors.Is(err, assent.ErrForbidden) {
		t.Error("nobody was asked, and it opened:", err)
	}
	stop := errors.New("stop")
	if _, err := Load(m.file, func() ([]byte, error) { return nil, stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestAnOpenKeyAsksForNoPassphrase(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	if _, err := Load(m.file, func() ([]byte, error) { t.Error("asked"); return nil, nil }); err != nil {
		t.Fatal(err)
	}
}

// TestAChangedSealedFileNeverBecomesAnotherKey flips bytes of a sealed file: it
// opens as the same key, or not at all.
func TestAChangedSealedFileNeverBecomesAnotherKey(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "pw")
	raw, _ := os.ReadFile(m.file)
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; n > 12 {
			return // each costs a whole key derivation
		}
		b := bytes.Clone(raw)
		b[rapid.IntRange(0, len(b)-1).Draw(rt, "at")] ^= byte(1 << rapid.IntRange(0, 6).Draw(rt, "bit"))
		path := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(path, b, 0o600); err != nil {
			rt.Fatal(err)
		}
		if k, err := Load(path, say("pw")); err == nil && k.Fingerprint() != m.print {
			rt.Fatal("another key")
		}
	})
}

func TestPrintingAKeyShowsNoSecret(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, m.key); got != "anna "+m.print {
			t.Errorf("%s prints %q", verb, got)
		}
	}
}

func TestLoadRefusesWhatIsNoKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"empty": "", "text": "hello", "other": "-----BEGIN X-----\nAAAA\n-----END X-----\n",
		"short":  "-----BEGIN ASSENT APPROVER KEY-----\nAAAA\n-----END ASSENT APPROVER KEY-----\n",
		"kdf":    "-----BEGIN ASSENT APPROVER KEY-----\nKdf: rot13\n\nAAAA\n-----END ASSENT APPROVER KEY-----\n",
		"nosalt": "-----BEGIN ASSENT APPROVER KEY-----\nKdf: " + kdfName + "\n\nAAAA\n-----END ASSENT APPROVER KEY-----\n",
		"large":  strings.Repeat("x", maxFile+1),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, say("x")); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Load(dir, nil); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
}
