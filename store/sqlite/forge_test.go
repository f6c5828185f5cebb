package sqlite_test

// Whoever writes into the file without the home's key makes nothing that counts, and is
// found.

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/audit"
	"assent/store/sqlite"
	"assent/store/storetest"
)

// scene is a store with a witness and what there is to be forged in it: gr_1, two uses
// of "x", of which one is spent; gr_2, its child for the session s1; gr_3, revoked; hd_1, a
// handle of gr_1; req_3, which waits; and a key.
type scene struct {
	*sqlite.Store
	t  *testing.T
	db *sql.DB
}

func newScene(t *testing.T) scene {
	t.Helper()
	path := file(t)
	s := scene{open(t, path, sqlite.Options{Witness: witness}), t, raw(t, path)}
	s.db.SetMaxOpenConns(1)
	root := give(t, s, "x", 2)
	_, err := s.Give(t.Context(), assent.Grant{
		Parent: root.ID, Width: assent.Once, Scope: assent.Scope{Digest: root.Scope.Digest, Session: "s1", Uses: 9}, From: now, Until: now.Add(time.Hour),
	}, yes("child"))
	s.must(err)
	s.must(s.spend("gr_1", "first"))
	gone := give(t, s, "z", 9)
	_, err = s.Revoke(t.Context(), assent.Selection{ID: gone.ID}, "ann", now, kind(assent.KindRevoke))
	s.must(err)
	_, err = s.Hold(t.Context(), assent.Held{Nonce: []byte("n"), Hash: "abc", Grant: "gr_1", Holder: assent.Holder{Session: "s1"}, At: now}, kind(assent.KindHandle))
	s.must(err)
	c, call := command("y", "waits")
	_, err = s.Ask(t.Context(), assent.Request{
		Case: c, Digest: c.Digest(), Opened: now, Expires: now.Add(time.Hour),
		Offers: []assent.Offer{{Scope: assent.Scope{Digest: c.Digest(), Uses: 1}, Text: "exactly this"}},
	}, call, assent.Bounds{Session: 9, All: 9}, event("ask"))
	s.must(err)
	_, err = s.Append(t.Context(), kind(assent.KindKey))
	s.must(err)
	_, err = audit.Reconcile(t.Context(), s.Store, witness)
	s.must(err)
	return s
}

func kind(k string) assent.Draft {
	d := event(k)
	d.Record.Kind = k
	return d
}

func (s scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s scene) do(queries ...string) {
	s.t.Helper()
	for _, q := range queries {
		execute(s.t, s.db, q)
	}
}

// spend spends a use of one grant for a call of its own.
func (s scene) spend(grant, id string) error {
	text := "x"
	if grant == "gr_3" {
		text = "z"
	}
	c, call := command(text, id)
	call.From = grant
	_, err := s.Spend(s.t.Context(), c, call, now, "", event("spend"))
	return err
}

// chain appends a record as the store would, but for the signature.
func (s scene) chain(rec assent.Record, sig []byte) assent.Record {
	s.t.Helper()
	head, err := s.Head(s.t.Context())
	s.must(err)
	rec.At, rec.Sig = now, sig
	rec.N, rec.Prev = head.N+1, head.Hash
	leaf, err := rec.Leaf()
	s.must(err)
	execute(s.t, s.db, `INSERT INTO records (n, leaf, hash, kind, session) VALUES (?, ?, ?, ?, '')`, rec.N, leaf, assent.LeafHash(leaf), rec.Kind)
	return rec
}

// putIn puts a grant in, with a record for it that is chained as it should be.
func (s scene) putIn(sig []byte) {
	s.t.Helper()
	c, _ := command("x", "")
	g := assent.Grant{Width: assent.Always, Scope: assent.Scope{Digest: c.Digest(), Uses: 99}, From: now, Until: now.Add(time.Hour)}
	rec := s.chain(assent.Record{Kind: assent.KindAnswer, Decision: assent.Allow, Grant: "gr_4", Seal: g.Seal()}, sig)
	body := fmt.Sprintf(`{"width":"always","scope":{"digest":"%s","uses":99},"by":{"surface":"","id":""},"from":"2026-03-01T12:00:00Z","until":"2026-03-01T13:00:00Z","used":0}`, c.Digest())
	execute(s.t, s.db, `INSERT INTO grants SELECT 4, NULL, ?, digest, tool, principal, session, 'always', until, 99, CAST(? AS BLOB), 0, '', '', '', 0, ?, mark FROM grants WHERE n = 1`, rec.N, body, rec.N)
	execute(s.t, s.db, `INSERT INTO changes VALUES (4, ?)`, rec.N)
	plain := open(s.t, s.path(), sqlite.Options{}) // it lacks nothing but the key
	call := assent.Call{Session: "s9", ID: "plain", Digest: c.Digest(), From: "gr_4"}
	if lines, err := plain.Grants(s.t.Context(), assent.GrantFilter{Live: true, Now: now}); err != nil || len(lines) != 3 || lines[2].ID != call.From {
		s.t.Fatal(lines, err)
	}
}

func (s scene) path() (path string) {
	s.must(s.db.QueryRowContext(s.t.Context(), `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path))
	return path
}

// signature is that of a record.
func (s scene) signature(n uint64) []byte {
	s.t.Helper()
	lines, err := s.Lines(s.t.Context(), n-1, 1)
	s.must(err)
	var rec assent.Record
	s.must(json.Unmarshal(lines[0].Leaf, &rec))
	return rec.Sig
}

func body(table string, n int, old, new string) string {
	return fmt.Sprintf(`UPDATE %s SET body = CAST(replace(CAST(body AS TEXT), '%s', '%s') AS BLOB) WHERE n = %d`, table, old, new, n)
}

// Each is a forgery, with the grant that does not count for it any more, or the other
// way to look at what was forged, and what the log's verification says.
func TestWhatWasForgedDoesNotCountAndIsNamed(t *testing.T) {
	t.Parallel()
	grant := func(id string) func(scene) error { return func(s scene) error { return s.spend(id, "late") } }
	request := func(s scene) error { _, err := s.Request(s.t.Context(), "req_3"); return err }
	handle := func(name string) func(scene) error {
		return func(s scene) error { _, err := s.Held(s.t.Context(), name); return err }
	}
	for name, x := range map[string]struct {
		forge func(scene)
		look  func(scene) error
		want  error
		named string
	}{
		"a grant put in, its record chained, unsigned": {func(s scene) { s.putIn(nil) }, grant("gr_4"), assent.ErrNoSuchGrant, `record 11: it is of the kind "answer"`},
		"with the signature of another record":         {func(s scene) { s.putIn(s.signature(2)) }, grant("gr_4"), assent.ErrNoSuchGrant, "record 11: its signature"},
		"a grant copied": {func(s scene) {
			s.do(`INSERT INTO grants SELECT 4, parent, record, digest, tool, principal, session, width, until, uses, body, 0, '', '', '', 0, changed, mark FROM grants WHERE n = 1`)
		}, grant("gr_4"), assent.ErrNoSuchGrant, "grant gr_4: its row"},
		"used, set back":       {func(s scene) { s.do(`UPDATE grants SET used = 0 WHERE n = 1`) }, grant("gr_1"), assent.ErrNoSuchGrant, "grant gr_1: its row"},
		"an ancestor's":        {func(s scene) { s.do(`UPDATE grants SET used = 0 WHERE n = 1`) }, grant("gr_2"), assent.ErrNoSuchGrant, "grant gr_1: its row"},
		"revoked, taken back":  {func(s scene) { s.do(`UPDATE grants SET revoked = '', revoked_by = '' WHERE n = 3`) }, grant("gr_3"), assent.ErrNoSuchGrant, "grant gr_3: its row"},
		"a later end":          {func(s scene) { s.do(`UPDATE grants SET until = until + 1 WHERE n = 1`) }, grant("gr_1"), assent.ErrNoSuchGrant, "grant gr_1: its row"},
		"more uses":            {func(s scene) { s.do(body("grants", 1, `"uses":2`, `"uses":9`)) }, grant("gr_1"), assent.ErrNoSuchGrant, "grant gr_1: its row"},
		"no parent":            {func(s scene) { s.do(body("grants", 2, `"parent":"gr_1",`, ``)) }, grant("gr_2"), assent.ErrNoSuchGrant, "grant gr_2: its row"},
		"no mark":              {func(s scene) { s.do(`UPDATE grants SET mark = NULL WHERE n = 1`) }, grant("gr_1"), assent.ErrNoSuchGrant, "grant gr_1: its row"},
		"another grant's mark": {func(s scene) { s.do(`UPDATE grants SET mark = (SELECT mark FROM grants WHERE n = 1) WHERE n = 2`) }, grant("gr_2"), assent.ErrNoSuchGrant, "grant gr_2: its row"},
		"other offers":         {func(s scene) { s.do(body("requests", 3, `"uses":1`, `"uses":99`)) }, request, assent.ErrDamaged, "request req_3: its row"},
		"an old no":            {func(s scene) { s.do(`UPDATE requests SET state = 'pending' WHERE n = 1`) }, request1, assent.ErrDamaged, "request req_1: its row"},
		"a request unmarked":   {func(s scene) { s.do(`UPDATE requests SET mark = NULL WHERE n = 3`) }, request, assent.ErrDamaged, "request req_3: its row"},
		"another answer":       {func(s scene) { s.do(body("answers", 1, `"allow"`, `"deny"`)) }, request1, assent.ErrDamaged, "request req_1: its row"},
		"another holder":       {func(s scene) { s.do(body("handles", 1, `"session":"s1"`, `"session":"s2"`)) }, handle("abc"), assent.ErrNoSuchGrant, "handle hd_1"},
		"another grant's":      {func(s scene) { s.do(body("handles", 1, `gr_1`, `gr_2`)) }, handle("hd_1"), assent.ErrNoSuchGrant, "handle hd_1"},
		"another hash":         {func(s scene) { s.do(`UPDATE handles SET hash = 'def'`) }, handle("def"), assent.ErrNoSuchGrant, "handle hd_1"},
		"a handle copied": {func(s scene) {
			s.do(`INSERT INTO handles SELECT 2, 'def', record, body, mark FROM handles`)
		}, handle("hd_2"), assent.ErrNoSuchGrant, "handle hd_2"},
		"a key put in":         {func(s scene) { s.chain(assent.Record{Kind: assent.KindKey, Note: "eve"}, nil) }, keys, nil, `record 11: it is of the kind "key"`},
		"a key put in, signed": {func(s scene) { s.chain(assent.Record{Kind: assent.KindKey, Note: "eve"}, s.signature(10)) }, keys, nil, "record 11: its signature"},
		"a revocation put in":  {func(s scene) { s.chain(assent.Record{Kind: assent.KindRevoke, Grant: "gr_1"}, nil) }, nil, nil, `record 11: it is of the kind "revoke"`},
		"a call that had spent": {func(s scene) {
			s.do(`INSERT INTO calls SELECT 99, session, 'late', digest, request, grant_id, use, opened, '', broker, child, began, mark FROM calls WHERE id = 'first'`)
		}, spentAll, assent.ErrExhausted, `call "late" of session "s1"`},
		"a call opened again": {func(s scene) {
			s.must(s.Finish(s.t.Context(), "s1", "first", event("end")))
			s.do(`UPDATE calls SET closed = '', id = 'late' WHERE id = 'first'`)
		}, spentAll, assent.ErrExhausted, `call "late" of session "s1"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			x.forge(s)
			if x.look != nil {
				if err := x.look(s); !errors.Is(err, x.want) {
					t.Errorf("got %v, want %v", err, x.want)
				}
			}
			s.named(x.named)
		})
	}
}

// named fails unless the log's verification names this.
func (s scene) named(what string) {
	s.t.Helper()
	_, err := audit.Reconcile(s.t.Context(), s.Store, witness)
	if !errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), what) {
		s.t.Errorf("verify says %v, want %q", err, what)
	}
}

func request1(s scene) error { _, err := s.Request(s.t.Context(), "req_1"); return err }

// keys is an error unless the one key that was enrolled counts, and no other.
func keys(s scene) error {
	got, err := s.Keys(s.t.Context())
	if err == nil && (len(got) != 1 || got[0].N != 10) {
		return fmt.Errorf("keys %v", got)
	}
	return err
}

// spentAll takes the last use there is, and then what a forged call says it has.
func spentAll(s scene) error {
	s.must(s.spend("gr_1", "last"))
	return s.spend("gr_1", "late")
}

// What is asked stands before people as it was written, or not at all.
func TestARequestThatWasEditedIsAnsweredByNobody(t *testing.T) {
	t.Parallel()
	s, ctx := newScene(t), t.Context()
	s.do(body("requests", 3, `"uses":1`, `"uses":99`))
	_, listed := s.Requests(ctx, assent.RequestFilter{State: assent.Pending})
	_, _, settled := s.Settle(ctx, assent.Settlement{Request: "req_3", State: assent.Denied, At: now}, kind(assent.KindAnswer))
	_, advised := s.Advise(ctx, "req_3", assent.Advice{At: now}, event("ask"))
	c, call := command("y", "joins")
	_, joined := s.Ask(ctx, assent.Request{Case: c, Digest: c.Digest()}, call, assent.Bounds{Session: 9, All: 9}, event("ask"))
	for verb, err := range map[string]error{"list": listed, "settle": settled, "advise": advised, "join": joined} {
		if !errors.Is(err, assent.ErrDamaged) || !strings.Contains(err.Error(), "req_3 is not what assent wrote") || !strings.Contains(err.Error(), "assent log verify") {
			t.Errorf("%s: %v", verb, err)
		}
	}
	gone, err := s.Expire(ctx, now.Add(2*time.Hour), 9) // it ends all the same, and nobody makes it good
	if err != nil || len(gone) != 1 || gone[0].State != assent.Expired {
		t.Fatal(gone, err)
	}
	s.named("request req_3: its row")
	s.do(`UPDATE requests SET body = CAST('{' AS BLOB), state = 'pending' WHERE n = 3`)
	if gone, err = s.Expire(ctx, now.Add(2*time.Hour), 9); err != nil || len(gone) != 1 || gone[0].ID != "req_3" {
		t.Fatal(gone, err)
	}
}

// No verb that writes gives a mark to what somebody else wrote.
func TestWhatWasForgedIsNotMadeGood(t *testing.T) {
	t.Parallel()
	s, ctx := newScene(t), t.Context()
	s.do(`UPDATE grants SET used = 0 WHERE n = 1`)
	gone, err := s.Revoke(ctx, assent.Selection{All: true}, "ann", now, kind(assent.KindRevoke))
	if err != nil || len(gone) != 2 || gone[0].Revoked.IsZero() {
		t.Fatal(gone, err)
	}
	s.named("grant gr_1: its row")
}

// A grant that only seems revoked is revoked: what hid it could be taken away again.
func TestHidingAGrantFromItsRevocationIsNoUse(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.do(`CREATE TABLE kept AS SELECT * FROM grants WHERE n = 1`, `UPDATE grants SET revoked = '2026-03-01T12:00:00Z' WHERE n = 1`)
	gone, err := s.Revoke(t.Context(), assent.Selection{ID: "gr_1"}, "ann", now, kind(assent.KindRevoke))
	if err != nil || len(gone) != 1 {
		t.Fatal(gone, err)
	}
	s.do(`DELETE FROM grants WHERE n = 1`, `INSERT INTO grants SELECT * FROM kept`)
	if err := s.spend("gr_1", "late"); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Fatal(err)
	}
	s.named("grant gr_1: its row is of record 4, and record 11 changed it since")
}

// An older row that is put back, with the mark that it had, is not the newest. If what
// says so is edited too, the log still has the use.
func TestAUseCountThatIsPutBack(t *testing.T) {
	t.Parallel()
	for from, forged := range map[string]int{"gr_1": 1, "gr_2": 1} { // its own use, and one that a child took
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.do(fmt.Sprintf(`CREATE TABLE kept AS SELECT * FROM grants WHERE n = %d`, forged))
			s.must(s.spend(from, "last"))
			s.do(`DELETE FROM grants WHERE n = 1`, `INSERT INTO grants SELECT * FROM kept`)
			for _, id := range []string{"gr_1", "gr_2"} {
				if err := s.spend(id, "late"); !errors.Is(err, assent.ErrNoSuchGrant) {
					t.Fatal(id, err)
				}
			}
			s.named("grant gr_1: its row is of record 4, and record 11 changed it since")
			s.do(`DELETE FROM changes WHERE record = 11`)
			if err := s.spend("gr_1", "late"); !errors.Is(err, assent.ErrNoSuchGrant) { // whoever took the use knows better
				t.Fatal(err)
			}
			if from == "gr_1" {
				s.named("grant gr_1: the log has 2 uses of it, and it says it was used 1 times")
			} else {
				s.named("grant gr_2: its row is of record 11")
			}
		})
	}
}

// Under another key nothing counts that was written before; without any, all does.
func TestUnderAnotherKeyNothingCounts(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	other := storetest.NewWitness()
	stranger := open(t, s.path(), sqlite.Options{Witness: other})
	c, call := command("x", "late")
	if _, err := stranger.Spend(t.Context(), c, call, now, "", event("spend")); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
	if keys, err := stranger.Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Error(keys, err)
	}
	if live, err := stranger.Grants(t.Context(), assent.GrantFilter{Live: true, Now: now}); err != nil || len(live) != 0 {
		t.Error(live, err)
	}
	if _, err := audit.Verify(t.Context(), stranger, other); !errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), "record 2: its signature") {
		t.Error(err)
	}
	plain := open(t, s.path(), sqlite.Options{})
	if _, err := plain.Spend(t.Context(), c, call, now, "", event("spend")); err != nil {
		t.Error(err)
	}
}

// half is a witness that marks as another does, and signs by itself.
type half struct{ storetest.Witness }

func (half) Mark(row []byte) ([]byte, error) { return witness.Mark(row) }

// A mark alone is not enough: the record that vouches is signed.
func TestWithoutASignedRecordAMarkIsNoUse(t *testing.T) {
	t.Parallel()
	path := file(t)
	give(t, open(t, path, sqlite.Options{Witness: half{storetest.NewWitness()}}), "x", 9)
	_, err := open(t, path, sqlite.Options{}).Hold(t.Context(), assent.Held{Nonce: []byte("n"), Hash: "abc", Grant: "gr_1", Holder: assent.Holder{Session: "s1"}, At: now}, kind(assent.KindHandle))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, sqlite.Options{Witness: witness})
	c, call := command("x", "late")
	if _, err := s.Spend(t.Context(), c, call, now, "", event("spend")); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
	if _, err := s.Give(t.Context(), assent.Grant{Parent: "gr_1", Width: assent.Once}, yes("child")); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
	if _, err := s.Held(t.Context(), "abc"); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
	if forged, err := s.Forged(t.Context()); err != nil || len(forged) != 1 || !strings.HasPrefix(forged[0], "handle hd_1: its row has no mark") {
		t.Error(forged, err)
	}
}

// mute is a witness whose key cannot be had.
type mute struct{ storetest.Witness }

var errMute = errors.New("the key is gone")

func (mute) Sign([]byte) ([]byte, error)         { return nil, errMute }
func (mute) Signed([]byte, []byte) (bool, error) { return false, errMute }
func (mute) Mark([]byte) ([]byte, error)         { return nil, errMute }

// Without the key nothing that gives authority is written, and nothing is spent.
func TestWithoutTheKeyNothingHappens(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before, err := s.Head(t.Context())
	s.must(err)
	m := open(t, s.path(), sqlite.Options{Witness: mute{}})
	c, call := command("x", "late")
	for verb, do := range map[string]func(context.Context) error{
		"spend": func(ctx context.Context) error { _, err := m.Spend(ctx, c, call, now, "", event("spend")); return err },
		"give": func(ctx context.Context) error {
			_, err := m.Give(ctx, assent.Grant{Width: assent.Owner}, yes("x"))
			return err
		},
		"revoke": func(ctx context.Context) error {
			_, err := m.Revoke(ctx, assent.Selection{All: true}, "ann", now, kind(assent.KindRevoke))
			return err
		},
		"keys":   func(ctx context.Context) error { _, err := m.Keys(ctx); return err },
		"held":   func(ctx context.Context) error { _, err := m.Held(ctx, "hd_1"); return err },
		"list":   func(ctx context.Context) error { _, err := m.Requests(ctx, assent.RequestFilter{}); return err },
		"verify": func(ctx context.Context) error { _, err := audit.Reconcile(ctx, m, mute{}); return err },
	} {
		if err := do(t.Context()); !errors.Is(err, errMute) {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if after, err := s.Head(t.Context()); err != nil || after != before {
		t.Fatal(before, after, err)
	}
}

// What is from before there was a key has no mark: it counts as long as there is none.
func TestAnOlderFileGivesNoAuthorityWhereThereIsAKey(t *testing.T) {
	t.Parallel()
	c, call := command("x", "late")
	g := assent.Grant{Width: assent.Owner, Scope: assent.Scope{Digest: c.Digest(), Uses: 9}, From: now, Until: now.Add(time.Hour)}
	_, leaf, head, err := assent.Head{}.Next(assent.Record{At: now, Kind: assent.KindAnswer, Decision: assent.Allow, Grant: "gr_1", Seal: g.Seal()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := old(t,
		fmt.Sprintf(`INSERT INTO records VALUES (1, CAST('%s' AS BLOB), '%s', 'answer', '')`, leaf, head.Hash),
		fmt.Sprintf(`INSERT INTO grants VALUES (1, NULL, 1, '%s', '', '', '', 'owner', %d, 9, CAST('{"width":"owner","scope":{"digest":"%[1]s","uses":9},"by":{"surface":"","id":""},"from":"2026-03-01T12:00:00Z","until":"2026-03-01T13:00:00Z"}' AS BLOB), 3, '', '', '')`, c.Digest(), g.Until.UnixNano()),
		`INSERT INTO requests VALUES (1, 'approval', 'uid:1', 's1', 'd', 1, CAST('{"kind":"approval"}' AS BLOB), 'denied', '2026-03-01T12:00:00Z', '', 1)`)
	s := open(t, path, sqlite.Options{Witness: witness})
	if _, err := s.Spend(t.Context(), c, call, now, "", event("spend")); !errors.Is(err, assent.ErrNoSuchGrant) {
		t.Error(err)
	}
	if list, err := s.Requests(t.Context(), assent.RequestFilter{}); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	if _, err := audit.Reconcile(t.Context(), s, witness); !errors.Is(err, assent.ErrChain) {
		t.Error(err)
	}
	before := open(t, path, sqlite.Options{})
	if got, err := before.Spend(t.Context(), c, call, now, "", event("spend")); err != nil || got.Used != 4 {
		t.Error(got, err)
	}
	if list, err := before.Requests(t.Context(), assent.RequestFilter{}); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

// What runs and was written on by somebody else is said; the rest is listed.
func TestACallThatWasEditedIsSaid(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c, call := command("x", "first")
	s.must(s.Begin(t.Context(), call, kind(assent.KindBegin)))
	call.ID, call.From = "second", "gr_1"
	_, err := s.Spend(t.Context(), c, call, now, "", event("spend"))
	s.must(err)
	call.Child = &assent.Process{PID: 7}
	s.must(s.Begin(t.Context(), call, kind(assent.KindBegin)))
	s.do(`UPDATE calls SET child = CAST('{"pid":1,"uid":0}' AS BLOB) WHERE id = 'second'`)
	calls, err := s.Running(t.Context(), []string{"gr_1"})
	if !errors.Is(err, assent.ErrDamaged) || !strings.Contains(err.Error(), `call "second"`) || len(calls) != 1 || calls[0].ID != "first" {
		t.Fatal(calls, err)
	}
	s.named(`call "second" of session "s1"`)
}
