package sqlite_test

// The promises of every store, and what the tests of this one have in common.

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assent"
	"assent/store/sqlite"
	"assent/store/storetest"
)

func TestMain(m *testing.M) {
	if job := os.Getenv("ASSENT_TEST_CHILD"); job != "" {
		os.Exit(child(job, os.Args[1], os.Args[2]))
	}
	storetest.Runs("30")
	os.Exit(m.Run())
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) assent.Store {
		return open(t, file(t), sqlite.Options{})
	})
}

func TestStoreWithAWitness(t *testing.T) {
	storetest.Run(t, func(t *testing.T) assent.Store {
		return open(t, file(t), sqlite.Options{Witness: witness})
	})
}

var witness = storetest.NewWitness()

// file is the path of a database that does not exist yet.
func file(t testing.TB) string { return filepath.Join(t.TempDir(), "assent.db") }

func open(t testing.TB, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// raw opens the file beside the store, as a vandal would.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func event(note string) assent.Draft {
	return assent.Draft{Record: assent.Record{At: now, Kind: assent.KindEvent, Note: note}}
}

// command is the case of one shell command, and a call of it.
func command(text, id string) (assent.Case, assent.Call) {
	c := assent.Case{Event: assent.Event{
		Name: assent.PreToolCall, At: now, Agent: "test", Session: "s1", Principal: "uid:1",
		Tool: assent.ToolShell, Dir: "/w", Input: []byte(`{"command":"` + text + `"}`),
	}}
	return c, assent.Call{Session: "s1", ID: id, Digest: c.Digest(), Opened: now}
}

// give asks for the command and grants that many uses of it.
func give(t testing.TB, s assent.Store, text string, uses int) assent.Grant {
	t.Helper()
	c, call := command(text, "asking "+text)
	r, err := s.Ask(t.Context(), assent.Request{Kind: assent.KindApproval, Case: c, Digest: c.Digest(), Opened: now, Expires: now.Add(time.Hour)},
		call, assent.Bounds{Session: 1e6, All: 1e6}, event("ask"))
	if err != nil {
		t.Fatal(err)
	}
	_, g, err := s.Settle(t.Context(), assent.Settlement{
		Request: r.ID, State: assent.Approved, At: now,
		Answer: &assent.Answer{Request: r.ID, Decision: assent.Allow, At: now},
		Grant:  &assent.Grant{Request: r.ID, Width: assent.ForTurns, Scope: assent.Scope{Digest: c.Digest(), Uses: uses}, From: now, Until: now.Add(time.Hour)},
	}, yes("yes"))
	if err != nil {
		t.Fatal(err)
	}
	return *g
}

// own gives a grant of the owner's own.
func own(t testing.TB, s assent.Store, scope assent.Scope, mints bool) assent.Grant {
	t.Helper()
	g, err := s.Give(t.Context(), assent.Grant{Width: assent.Owner, Scope: scope, From: now, Until: now.Add(time.Hour), Mints: mints}, yes("owner"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func yes(note string) assent.Draft {
	d := event(note)
	d.Record.Kind, d.Record.Decision = assent.KindAnswer, assent.Allow
	return d
}
