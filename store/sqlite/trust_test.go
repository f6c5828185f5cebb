package sqlite

// Signatures are checked once, and not before they are needed.

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"assent"
	"assent/store/storetest"
)

// counting counts what is asked of a witness.
type counting struct {
	storetest.Witness
	signed, all *atomic.Int64
}

func newCounting() counting {
	return counting{storetest.NewWitness(), new(atomic.Int64), new(atomic.Int64)}
}

func (c counting) Signed(msg, sig []byte) (bool, error) {
	c.signed.Add(1)
	c.all.Add(1)
	return c.Witness.Signed(msg, sig)
}

func (c counting) Mark(msg []byte) ([]byte, error) {
	c.all.Add(1)
	return c.Witness.Mark(msg)
}

func TestASignatureIsCheckedOnce(t *testing.T) {
	t.Parallel()
	path, w := filepath.Join(t.TempDir(), "assent.db"), newCounting()
	at := time.Unix(1, 0)
	open := func() *Store {
		s, err := Open(t.Context(), path, Options{Witness: w})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	first := open()
	g := assent.Grant{Width: assent.Owner, Scope: assent.Scope{Tool: assent.AnyTool, Uses: 9}, From: at, Until: at.Add(time.Hour)}
	d := assent.Draft{Record: assent.Record{At: at, Kind: assent.KindAnswer, Decision: assent.Allow}}
	if _, err := first.Give(t.Context(), g, d); err != nil {
		t.Fatal(err)
	}
	spend := func(s *Store, n int) {
		d.Record.Kind = assent.KindEvent
		for range n {
			c := assent.Case{Event: assent.Event{Session: "s", Tool: "x"}}
			call := assent.Call{Session: "s", ID: fmt.Sprint(w.all.Load()), Digest: c.Digest()}
			if _, err := s.Spend(t.Context(), c, call, at, "", d); err != nil {
				t.Fatal(err)
			}
		}
	}
	spend(first, 2)
	if n := w.signed.Load(); n != 0 {
		t.Errorf("its own signatures were checked %d times", n)
	}
	before := w.all.Load()
	second := open()
	if n := w.all.Load() - before; n != 0 {
		t.Errorf("opening asked the witness %d times", n)
	}
	spend(second, 3)
	if n := w.signed.Load(); n != 1 {
		t.Errorf("a signature was checked %d times", n)
	}
}

func TestWhatIsKnownOfSignaturesIsBounded(t *testing.T) {
	t.Parallel()
	trusted := trust{witness: newCounting()}
	for i := range remembered*2 + 1 {
		if ok, err := trusted.genuine(assent.Record{N: uint64(i)}, fmt.Sprint(i)); err != nil || ok {
			t.Fatal(ok, err)
		}
	}
	if n := len(trusted.signed); n == 0 || n > remembered {
		t.Errorf("%d are known", n)
	}
}
