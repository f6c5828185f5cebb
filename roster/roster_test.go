package roster

// Laws of the roster: who is identified, and above all who is not.

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
)

// made is a roster with one key.
type made struct {
	dir, file, print string
	key              Key
	*Roster
}

func makeKey(t *testing.T, passphrase string) made {
	t.Helper()
	home := t.TempDir()
	m := made{dir: filepath.Join(home, "approvers"), file: filepath.Join(home, "anna.key")}
	public, err := Create(m.dir, "anna", m.file, []byte(passphrase))
	if err != nil {
		t.Fatal(err)
	}
	m.print = Fingerprint(public)
	if m.key, err = Load(m.file, say(passphrase)); err != nil {
		t.Fatal(err)
	}
	m.Roster = New(m.dir)
	return m
}

func say(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}

func (m made) identify(t *testing.T, p assent.Proof, signed []byte) (assent.Identity, error) {
	t.Helper()
	return m.Identify(t.Context(), p, signed)
}

func terminal() *assent.Peer {
	return &assent.Peer{Process: assent.Process{PID: 42, UID: os.Getuid(), TTY: 34816}}
}

func TestAKeysSignatureIdentifiesItsHolder(t *testing.T) {
	t.Parallel()
	for _, pass := range []string{"", "correct horse"} {
		m := makeKey(t, pass)
		who, err := m.identify(t, m.key.Prove([]byte("yes")), []byte("yes"))
		want := assent.Identity{Surface: "key", ID: m.print, Name: "anna"}
		if err != nil || who != want {
			t.Errorf("passphrase %q: %v, %v", pass, who, err)
		}
	}
}

func TestAnyChangeOfTheSignedBytesIsRefused(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	rapid.Check(t, func(rt *rapid.T) {
		signed := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(rt, "signed")
		proof := m.key.Prove(signed)
		other := bytes.Clone(signed)
		switch rapid.IntRange(0, 3).Draw(rt, "change") {
		case 0:
			other[rapid.IntRange(0, len(other)-1).Draw(rt, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		case 1:
			other = append(other, rapid.Byte().Draw(rt, "more"))
		case 2:
			other = other[:len(other)-1]
		case 3:
			proof.Signature[rapid.IntRange(0, 63).Draw(rt, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
		}
		if who, err := m.Identify(t.Context(), proof, other); !errors.Is(err, assent.ErrForbidden) {
			rt.Fatalf("%v, %v", who, err)
		}
	})
}

// TestAnyChangeOfAnAnswerIsRefused changes one field of a signed answer at a
// time: everything a person chose is bound.
func TestAnyChangeOfAnAnswerIsRefused(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	base := assent.Answer{
		Request: "req_1", Version: 2, Digest: "d", Decision: assent.Deny, Offer: 1, Width: assent.Once, Uses: 3,
		For: assent.Duration(time.Minute), Input: json.RawMessage(`{"a":1}`), Note: "n", At: time.Unix(1e9, 0),
	}
	signed, err := base.Signed()
	if err != nil {
		t.Fatal(err)
	}
	proof := m.key.Prove(signed)
	for i, change := range []func(*assent.Answer){
		func(a *assent.Answer) { a.Request = "req_2" },
		func(a *assent.Answer) { a.Version++ },
		func(a *assent.Answer) { a.Digest = "e" },
		func(a *assent.Answer) { a.Decision = assent.Allow },
		func(a *assent.Answer) { a.Offer = 0 },
		func(a *assent.Answer) { a.Width = assent.Always },
		func(a *assent.Answer) { a.Uses = 1000 },
		func(a *assent.Answer) { a.For *= 2 },
		func(a *assent.Answer) { a.Input = json.RawMessage(`{"a":2}`) },
		func(a *assent.Answer) { a.Note = "" },
		func(a *assent.Answer) { a.At = a.At.Add(time.Nanosecond) },
	} {
		a := base
		change(&a)
		other, err := a.Signed()
		if err != nil {
			t.Fatal(err)
		}
		if who, err := m.identify(t, proof, other); !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("change %d: %v, %v", i, who, err)
		}
	}
	a := base
	a.At = a.At.In(time.FixedZone("x", 3600)) // the same instant
	same, _ := a.Signed()
	if _, err := m.identify(t, proof, same); err != nil {
		t.Errorf("unchanged: %v", err)
	}
}

// Whoever had others asked by assent itself is no agent that is known: what shares its
// terminal or job does not answer, and the holder of a key does, wherever that is.
func TestAdversarial04WhoHadItAskedAnswersByKeyAlone(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	asker := terminal()
	asker.Asker = "on the terminal of assent, process 7"
	if who, err := m.identify(t, assent.Proof{Peer: asker}, []byte("yes")); !errors.Is(err, assent.ErrSelfApproval) || !strings.Contains(err.Error(), "answer in another terminal, or with --key") {
		t.Errorf("unsigned: %v, %v", who, err)
	}
	signed := m.key.Prove([]byte("yes"))
	signed.Peer = asker
	if who, err := m.identify(t, signed, []byte("yes")); err != nil || who.ID != m.print {
		t.Errorf("signed: %v, %v", who, err)
	}
	asker.Agent = "child of claude, process 8"
	if who, err := m.identify(t, signed, []byte("yes")); !errors.Is(err, assent.ErrSelfApproval) {
		t.Errorf("signed by an agent: %v, %v", who, err)
	}
}

func TestATerminalOfTheOwnerIdentifiesTheOwner(t *testing.T) {
	t.Parallel()
	r := New(filepath.Join(t.TempDir(), "none"))
	who, err := r.Identify(t.Context(), assent.Proof{Peer: terminal()}, []byte("x"))
	if want := (assent.Identity{Surface: "terminal", ID: fmt.Sprintf("uid:%d", os.Getuid())}); err != nil || who != want {
		t.Fatalf("%v, %v", who, err)
	}
}

// Law 11.
func TestTheOneWhoAsksCanNeverAnswer(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	agent := terminal()
	agent.Agent = "child of claude, process 812"
	proofs := map[string]assent.Proof{"terminal": {Peer: agent}, "key": m.key.Prove([]byte("yes"))}
	key := proofs["key"]
	key.Peer = agent
	proofs["key"] = key
	for name, p := range proofs {
		who, err := m.identify(t, p, []byte("yes"))
		if !errors.Is(err, assent.ErrSelfApproval) || !strings.Contains(err.Error(), "process 812") {
			t.Errorf("%s: %v, %v", name, who, err)
		}
	}
}

func TestWhoIsNotKnownIsRefused(t *testing.T) {
	t.Parallel()
	m, stranger := makeKey(t, ""), makeKey(t, "")
	msg := []byte("yes")
	good := m.key.Prove(msg)
	with := func(do func(*assent.Peer)) *assent.Peer { p := terminal(); do(p); return p }
	rows := map[string]assent.Proof{
		"nothing":             {},
		"no terminal":         {Peer: with(func(p *assent.Peer) { p.TTY = 0 })},
		"another user":        {Peer: with(func(p *assent.Peer) { p.UID++ })},
		"no process":          {Peer: with(func(p *assent.Peer) { p.PID = 0 })},
		"a strange key":       stranger.key.Prove(msg),
		"a key by name alone": {Key: m.print, Peer: terminal()},
		"a signature alone":   {Signature: good.Signature, Peer: terminal()},
		"a wrong key":         {Key: stranger.print, Signature: good.Signature},
		"a short signature":   {Key: m.print, Signature: good.Signature[:10]},
		"a prefix of a key":   {Key: m.print[:10], Signature: good.Signature},
	}
	for name, p := range rows {
		if who, err := m.identify(t, p, msg); !errors.Is(err, assent.ErrForbidden) || who != (assent.Identity{}) {
			t.Errorf("%s: %v, %v", name, who, err)
		}
	}
	if who, err := m.identify(t, m.key.Prove(nil), nil); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("nothing signed: %v, %v", who, err)
	}
}

func TestAKeyThatIsNotVouchedForIsRefused(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	var asked string
	m.Vouch = func(_ context.Context, key Approver) error { asked = key.Fingerprint; return assent.ErrNotFound }
	if _, err := m.identify(t, m.key.Prove([]byte("x")), []byte("x")); !errors.Is(err, assent.ErrForbidden) || asked != m.print {
		t.Fatalf("%v, asked %q", err, asked)
	}
	m.Vouch = func(context.Context, Approver) error { return nil }
	if _, err := m.identify(t, m.key.Prove([]byte("x")), []byte("x")); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveTakesAKeyOutAtOnce(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	if err := m.Remove("anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.identify(t, m.key.Prove([]byte("x")), []byte("x")); !errors.Is(err, assent.ErrForbidden) {
		t.Fatal(err)
	}
	if err := m.Remove("anna"); !errors.Is(err, assent.ErrNotFound) {
		t.Fatal(err)
	}
	if err := m.Remove("../anna"); !errors.Is(err, assent.ErrInvalid) {
		t.Fatal(err)
	}
}

func TestFilesThatOthersMayTouchAreRefused(t *testing.T) {
	t.Parallel()
	for mode := os.FileMode(1); mode < 0o100; mode++ {
		m := makeKey(t, "")
		for _, path := range []string{m.file, m.dir, filepath.Join(m.dir, "anna.pub")} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			own := info.Mode().Perm()
			if err := os.Chmod(path, own|mode); err != nil {
				t.Fatal(err)
			}
			_, err = Load(m.file, nil)
			if path != m.file {
				_, err = m.identify(t, m.key.Prove([]byte("x")), []byte("x"))
			}
			if !errors.Is(err, assent.ErrForbidden) || !strings.Contains(err.Error(), fmt.Sprintf("chmod %04o %s", own, path)) {
				t.Errorf("%s with mode %04o: %v", path, own|mode, err)
			}
			if err := os.Chmod(path, own); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestFilesThatAreNoKeysDoNotStandInTheWay(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	short := pem.EncodeToMemory(&pem.Block{Type: publicType, Bytes: make([]byte, 31)})
	for name, content := range map[string][]byte{"a.pub": nil, "b.pub": []byte("x"), "c.pub": short, "d.txt": []byte("x")} {
		if err := os.WriteFile(filepath.Join(m.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := m.Approvers()
	if err != nil || len(all) != 1 || all[0].Name != "anna" || all[0].Fingerprint != m.print {
		t.Fatalf("%+v, %v", all, err)
	}
}

func TestAFifoAmongTheKeysDoesNotHang(t *testing.T) {
	t.Parallel()
	m := makeKey(t, "")
	if err := mkfifo(filepath.Join(m.dir, "z.pub")); err != nil {
		t.Skip(err)
	}
	if _, err := m.Approvers(); !errors.Is(err, assent.ErrInvalid) {
		t.Fatal(err)
	}
}

func verifies(k Key, public ed25519.PublicKey) bool {
	return ed25519.Verify(public, []byte("m"), k.Sign([]byte("m")))
}
