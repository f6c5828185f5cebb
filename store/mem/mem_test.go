package mem_test

// The store in memory, held to the promises of every store.

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"assent"
	"assent/store/mem"
	"assent/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) assent.Store { return mem.New() })
}

func TestStoreWithAWitness(t *testing.T) {
	w := storetest.NewWitness()
	storetest.Run(t, func(*testing.T) assent.Store { return mem.Witnessed(w) })
}

func TestAdversarial02RevokeRacesUse(t *testing.T) {
	storetest.RevokeRacesUse(t, 10_000, func(*testing.T) assent.Store { return mem.New() })
}

// dumb is a witness whose key cannot be had.
type dumb struct{ storetest.Witness }

var errDumb = errors.New("the key is gone")

func (dumb) Sign([]byte) ([]byte, error) { return nil, errDumb }

func TestTheWitnessSignsWhatGivesAuthority(t *testing.T) {
	t.Parallel()
	w, now := storetest.NewWitness(), time.Unix(1, 0)
	give := func(s *mem.Store) error {
		g := assent.Grant{Width: assent.Owner, Scope: assent.Scope{Tool: assent.AnyTool, Uses: 1}, From: now, Until: now.Add(time.Hour)}
		_, err := s.Give(t.Context(), g, assent.Draft{Record: assent.Record{At: now, Kind: assent.KindAnswer, Decision: assent.Allow}})
		return err
	}
	s := mem.Witnessed(w)
	if err := give(s); err != nil {
		t.Fatal(err)
	}
	lines, err := s.Lines(t.Context(), 0, 1)
	var rec assent.Record
	if err := errors.Join(err, json.Unmarshal(lines[0].Leaf, &rec)); err != nil {
		t.Fatal(err)
	}
	if ok, err := assent.Genuine(rec, w); err != nil || !ok || rec.Sig == nil {
		t.Fatal(rec, err)
	}
	s = mem.Witnessed(dumb{w})
	if err := give(s); !errors.Is(err, errDumb) {
		t.Fatal(err)
	}
	if h, err := s.Head(t.Context()); err != nil || h.N != 0 {
		t.Fatal(h, err)
	}
}
