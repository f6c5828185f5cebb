package sqlite_test

// A grant that its record does not vouch for does not exist.

import (
	"errors"
	"fmt"
	"testing"

	"assent"
	"assent/store/sqlite"
)

func TestAGrantThatNobodyGaveDoesNotExist(t *testing.T) {
	t.Parallel()
	forged := `INSERT INTO grants SELECT 2, parent, %s, digest, tool, principal, session, width, until, uses, body, 0, '', '', '', 0, 0, NULL FROM grants WHERE n = 1`
	for name, edit := range map[string][]string{
		"more uses":                 {`UPDATE grants SET uses = 9, body = CAST(replace(CAST(body AS TEXT), '"uses":1', '"uses":9') AS BLOB)`},
		"a later deadline":          {`UPDATE grants SET body = CAST(replace(CAST(body AS TEXT), '2026-03-01T13', '2027-03-01T13') AS BLOB)`},
		"a copy":                    {`DELETE FROM calls`, fmt.Sprintf(forged, "record"), `UPDATE grants SET used = uses WHERE n = 1`},
		"another record":            {`UPDATE grants SET record = 1`},
		"a changed record":          {`UPDATE records SET leaf = CAST(replace(CAST(leaf AS TEXT), '"kind"', '"kinD"') AS BLOB) WHERE n = 2`},
		"a changed note":            {`UPDATE records SET leaf = CAST(replace(CAST(leaf AS TEXT), 'yes', 'yEs') AS BLOB) WHERE n = 2`},
		"a record that is gone":     {`PRAGMA foreign_keys = 0`, `DELETE FROM records WHERE n = 2`},
		"a parent that is not":      {`UPDATE grants SET body = CAST(replace(CAST(body AS TEXT), '"request"', '"parent":"gr_7","request"') AS BLOB)`},
		"a parent that is no older": {`UPDATE grants SET body = CAST(replace(CAST(body AS TEXT), '"request"', '"parent":"gr_1","request"') AS BLOB)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := file(t)
			s := open(t, path, sqlite.Options{})
			give(t, s, "x", 1)
			db := raw(t, path)
			db.SetMaxOpenConns(1)
			for _, query := range edit {
				execute(t, db, query)
			}
			c, call := command("x", "1")
			_, err := s.Spend(t.Context(), c, call, now, "", event("spend"))
			if !errors.Is(err, assent.ErrNoSuchGrant) && !(name == "a copy" && errors.Is(err, assent.ErrExhausted)) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

// Whoever edits the file cannot make one of the owner's grants, nor make more of one
// that there is, nor spend out of the one that only mints.
func TestAGrantThatTheOwnerDidNotGiveDoesNotExist(t *testing.T) {
	t.Parallel()
	replace := func(n int, old, new string) string {
		return fmt.Sprintf(`UPDATE grants SET body = CAST(replace(CAST(body AS TEXT), '%s', '%s') AS BLOB) WHERE n = %d`, old, new, n)
	}
	for name, edit := range map[string][]string{
		"as it is":              nil,
		"one that mints, spent": {replace(1, `,"mints":true`, ``)},
		"for everybody":         {replace(2, `"session":"s2",`, ``), `UPDATE grants SET session = '' WHERE n = 2`},
		"of any tool":           {replace(3, `"tool":"write"`, `"tool":"*"`), `UPDATE grants SET tool = '*' WHERE n = 3`},
		"a person's":            {`UPDATE grants SET tool = '*', digest = '' WHERE n = 4`, `UPDATE grants SET body = (SELECT body FROM grants WHERE n = 1) WHERE n = 4`, replace(4, `,"mints":true`, ``)},
		"put in": {`INSERT INTO grants SELECT 5, parent, record, digest, tool, principal, '', width, until, uses, body, 0, '', '', '', 0, 0, NULL FROM grants WHERE n = 2`,
			replace(5, `"session":"s2",`, ``)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := file(t)
			s := open(t, path, sqlite.Options{})
			own(t, s, assent.Scope{Tool: assent.AnyTool, Uses: 9}, true)
			own(t, s, assent.Scope{Tool: assent.AnyTool, Session: "s2", Uses: 9}, false)
			own(t, s, assent.Scope{Tool: "write", Uses: 9}, false)
			give(t, s, "y", 9)
			db := raw(t, path)
			for _, query := range edit {
				execute(t, db, query)
			}
			var changed int
			if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM grants WHERE tool = '*' AND session = '' AND digest = '' AND instr(CAST(body AS TEXT), '"mints"') = 0`).Scan(&changed); err != nil || changed != min(len(edit), 1) {
				t.Fatalf("%d grants seem to cover the case: %v", changed, err)
			}
			c, call := command("x", "1")
			if g, err := s.Spend(t.Context(), c, call, now, "", event("spend")); !errors.Is(err, assent.ErrNoSuchGrant) {
				t.Fatal(g, err)
			}
		})
	}
}

func TestAKeyThatWasPutInDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, edit := range []string{
		`UPDATE records SET kind = 'key' WHERE n = 1`,
		`UPDATE records SET leaf = CAST(replace(CAST(leaf AS TEXT), 'ann', 'eve') AS BLOB) WHERE n = 2`,
	} {
		path := file(t)
		s := open(t, path, sqlite.Options{})
		d := event("ann")
		_, err := s.Append(t.Context(), d)
		d.Record.Kind = assent.KindKey
		if err == nil {
			_, err = s.Append(t.Context(), d)
		}
		if err != nil {
			t.Fatal(err)
		}
		execute(t, raw(t, path), edit)
		if got, err := s.Keys(t.Context()); !errors.Is(err, assent.ErrChain) || len(got) != 0 {
			t.Fatal(got, err)
		}
	}
}
