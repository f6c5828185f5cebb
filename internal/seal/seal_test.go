package seal

// The laws of the home's key.

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assent"
)

func fresh(t testing.TB) string { return filepath.Join(t.TempDir(), "key") }

func made(t testing.TB) (*Key, string) {
	t.Helper()
	path := fresh(t)
	k := Open(path)
	if _, err := k.Sign(nil); err != nil {
		t.Fatal(err)
	}
	return k, path
}

func TestWhatItSignedItKnowsAndNothingElse(t *testing.T) {
	t.Parallel()
	k, path := made(t)
	sig, err := k.Sign([]byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := made(t)
	for _, c := range []struct {
		by       *Key
		msg, sig []byte
		want     bool
	}{
		{k, []byte("a"), sig, true},
		{Open(path), []byte("a"), sig, true}, // another process
		{k, []byte("b"), sig, false},
		{k, []byte("a"), sig[:63], false},
		{k, []byte("a"), nil, false},
		{other, []byte("a"), sig, false},
		{Open(fresh(t)), []byte("a"), sig, false}, // a home without a key
	} {
		if got, err := c.by.Signed(c.msg, c.sig); got != c.want || err != nil {
			t.Errorf("%v over %q: %v, %v", c.by, c.msg, got, err)
		}
	}
	public, err := k.Public()
	if err != nil || !ed25519.Verify(public, []byte("a"), sig) {
		t.Error("the public key does not verify", err)
	}
}

// Each purpose has its own key, and everything is the same again in the next process.
func TestPurposesAreApart(t *testing.T) {
	t.Parallel()
	k, path := made(t)
	msg := []byte("the same bytes")
	all := map[string]string{}
	for _, k := range []*Key{k, Open(path)} {
		for _, purpose := range []string{"", "receipt", "record", "mark", "handle"} {
			derived, err1 := k.Derive(purpose, msg)
			public, err2 := k.PublicFor(purpose)
			sig, err3 := k.SignFor(purpose, msg)
			if err := errors.Join(err1, err2, err3); err != nil || len(derived) != 32 {
				t.Fatal(err, len(derived))
			}
			if ok, _ := k.Signed(msg, sig); ok || !ed25519.Verify(public, msg, sig) {
				t.Errorf("purpose %q: a record's %v, its own %v", purpose, ok, ed25519.Verify(public, msg, sig))
			}
			for what, v := range map[string][]byte{"derived": derived, "public": public} {
				name := what + " " + purpose
				if was, ok := all[name]; ok && was != string(v) {
					t.Errorf("%s differs from process to process", name)
				}
				all[name] = string(v)
			}
		}
		mark, err1 := k.Mark(msg)
		public, err2 := k.Public()
		if errors.Join(err1, err2) != nil {
			t.Fatal(err1, err2)
		}
		all["mark"], all["public"] = string(mark), string(public)
	}
	seen := map[string]string{}
	for name, v := range all {
		if was, ok := seen[v]; ok {
			t.Errorf("%s and %s are one", name, was)
		}
		seen[v] = name
	}
	a, _ := k.Derive("handle", []byte("1"))
	b, _ := k.Derive("handle", []byte("2"))
	if bytes.Equal(a, b) {
		t.Error("two nonces, and one secret")
	}
}

// A hook that does not need the key does not pay for it, and looking makes none.
func TestNothingIsReadOrMadeBeforeItIsNeeded(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	k := Open(path)
	if ok, err := k.Exists(); ok || err != nil {
		t.Error(ok, err)
	}
	if ok, err := k.Signed([]byte("a"), make([]byte, 64)); ok || err != nil {
		t.Error(ok, err)
	}
	for _, public := range []func() (ed25519.PublicKey, error){k.Public, func() (ed25519.PublicKey, error) { return k.PublicFor("receipt") }} {
		if _, err := public(); !errors.Is(err, assent.ErrNotFound) {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatal("looking made a key", err)
	}
	if _, err := k.Mark(nil); err != nil {
		t.Fatal(err)
	}
	if ok, err := k.Exists(); !ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := Open(filepath.Join(path, "none", "key")).Sign(nil); err == nil {
		t.Error("a key was made where there is no directory")
	}
}

func TestTheFileIsPrivateTextAndAlone(t *testing.T) {
	t.Parallel()
	_, path := made(t)
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "assent home key 1: ") || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%q, %v", text, err)
	}
	info, err := os.Lstat(path)
	if err != nil || owners && info.Mode() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("beside it lies %v", left)
	}
}

// What must not be taken for a key is an error that says what to do, of every verb,
// and it stays as it is.
func TestWhatMustNotBeTakenForAKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(path string) error
		want  error
		says  string
	}{
		"others read":  {func(p string) error { return os.Chmod(p, 0o640) }, assent.ErrForbidden, "chmod 600"},
		"others write": {func(p string) error { return os.Chmod(p, 0o602) }, assent.ErrForbidden, "chmod 600"},
		"executable":   {func(p string) error { return os.Chmod(p, 0o700) }, assent.ErrForbidden, "chmod 600"},
		"a link": {func(p string) error {
			return errors.Join(os.Rename(p, p+".real"), os.Symlink(p+".real", p))
		}, assent.ErrForbidden, "not a link"},
		"a dangling link": {func(p string) error {
			return errors.Join(os.Remove(p), os.Symlink(p+".none", p))
		}, assent.ErrForbidden, "not a link"},
		"a directory":    {func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) }, assent.ErrForbidden, "no plain file"},
		"another user's": {func(p string) error { return os.Chown(p, os.Geteuid()+1, -1) }, assent.ErrForbidden, "another user"},
		"empty":          {func(p string) error { return os.WriteFile(p, nil, 0o600) }, assent.ErrInvalid, "your copy"},
		"cut":            {func(p string) error { return os.Truncate(p, int64(len(title)+20)) }, assent.ErrInvalid, "your copy"},
		"one byte":       {func(p string) error { return edit(p, func(b []byte) []byte { b[len(title)+7] ^= 1; return b }) }, assent.ErrInvalid, "your copy"},
		"more":           {func(p string) error { return edit(p, func(b []byte) []byte { return append(b, '\n') }) }, assent.ErrInvalid, "your copy"},
		"title":          {func(p string) error { return edit(p, func(b []byte) []byte { b[16] = '2'; return b }) }, assent.ErrInvalid, "your copy"},
		"long": {func(p string) error {
			return edit(p, func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) })
		}, assent.ErrInvalid, "your copy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !owners {
				t.Skip("no modes and no links to rely on")
			}
			_, path := made(t)
			if err := c.spoil(path); errors.Is(err, os.ErrPermission) {
				t.Skip("only root gives files away")
			} else if err != nil {
				t.Fatal(err)
			}
			before, _ := os.Lstat(path)
			k := Open(path)
			_, sign := k.Sign(nil)
			_, signed := k.Signed(nil, nil)
			_, mark := k.Mark(nil)
			_, derive := k.Derive("handle", nil)
			_, public := k.Public()
			there, exists := k.Exists()
			for _, err := range []error{sign, signed, mark, derive, public, exists} {
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v", err)
				}
			}
			after, _ := os.Lstat(path)
			if !there || !os.SameFile(before, after) {
				t.Error("it was replaced")
			}
		})
	}
}

func edit(path string, change func([]byte) []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, change(text), 0o600)
}

// A key that was lost is not made good by a new one: nothing of before counts.
func TestAdversarial16ALostKeyIsNotReplacedUnseen(t *testing.T) {
	t.Parallel()
	k, path := made(t)
	sig, _ := k.Sign([]byte("a"))
	was, _ := k.Derive("handle", []byte("1"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	next := Open(path)
	if _, err := next.Sign([]byte("b")); err != nil {
		t.Fatal(err)
	}
	if ok, err := next.Signed([]byte("a"), sig); ok || err != nil {
		t.Error("what the lost key signed counts under the new one", err)
	}
	if now, _ := next.Derive("handle", []byte("1")); bytes.Equal(was, now) {
		t.Error("a handle outlived the key")
	}
}

const helper = "ASSENT_TEST_SEAL"

// TestMain is also one of the processes that race.
func TestMain(m *testing.M) {
	path := os.Getenv(helper)
	if path == "" {
		os.Exit(m.Run())
	}
	mark, err := Open(path).Mark([]byte("a"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("mark=%x\n", mark)
}

func TestManyAtOnceEndWithOneKey(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	var wg sync.WaitGroup
	marks := make(chan string, 220)
	for range 20 { // processes
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), helper+"="+path)
			out, err := cmd.CombinedOutput()
			_, mark, ok := strings.Cut(string(out), "mark=")
			if err != nil || !ok {
				t.Errorf("%v: %s", err, out)
			}
			marks <- mark[:min(64, len(mark))]
		})
	}
	shared := Open(path)
	for i := range 200 { // goroutines
		k := shared
		if i%2 == 0 {
			k = Open(path)
		}
		wg.Go(func() {
			mark, err := k.Mark([]byte("a"))
			if err != nil {
				t.Error(err)
			}
			marks <- hex.EncodeToString(mark)
		})
	}
	wg.Wait()
	close(marks)
	one := map[string]int{}
	for m := range marks {
		one[m]++
	}
	if len(one) != 1 {
		t.Errorf("%d keys: %v", len(one), one)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("they left %v", left)
	}
}

func TestAdversarial20TheKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	type hold struct{ k *Key }
	k, path := made(t)
	root := k.keys.root
	outs := []string{fmt.Sprint(k), fmt.Sprintf("%v %+v %#v %s %q %x %d", k, k, k, k, k, k, k), fmt.Sprintf("%v %+v %#v %s %q %x %d", hold{k}, hold{k}, hold{k}, hold{k}, hold{k}, hold{k}, hold{k})}
	raw, _ := json.Marshal([]any{k})
	outs = append(outs, string(raw))
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path).Sign(nil); err != nil {
		outs = append(outs, err.Error())
	}
	text := strings.Fields(string(encode(root)))
	for _, out := range outs {
		for _, secret := range []string{text[len(text)-1], hex.EncodeToString(root), fmt.Sprint(root)[1:20], string(root)} {
			if strings.Contains(strings.ToLower(out), strings.ToLower(secret)) {
				t.Errorf("%q shows the key", out)
			}
		}
	}
}

func BenchmarkKey(b *testing.B) {
	k, path := made(b)
	msg := make([]byte, 512)
	sig, _ := k.Sign(msg)
	for name, do := range map[string]func() error{
		"open":     func() error { Open(path); return nil },
		"first":    func() error { _, err := Open(path).Mark(msg); return err },
		"mark":     func() error { _, err := k.Mark(msg); return err },
		"sign":     func() error { _, err := k.Sign(msg); return err },
		"signed":   func() error { _, err := k.Signed(msg, sig); return err },
		"derive":   func() error { _, err := k.Derive("handle", msg[:16]); return err },
		"sign-for": func() error { _, err := k.SignFor("receipt", msg); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
