package sqlite_test

// Revocation runs into uses, ten thousand times.

import (
	"testing"

	"assent"
	"assent/store/sqlite"
	"assent/store/storetest"
)

func TestAdversarial02RevokeRacesUse(t *testing.T) {
	storetest.RevokeRacesUse(t, 10_000, func(t *testing.T) assent.Store {
		s := open(t, file(t), sqlite.Options{Witness: witness})
		if err := s.Unsynced(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	})
}
