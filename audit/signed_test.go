package audit_test

// Signatures, uses that were given back, and what runs: in the log as in the store.

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/audit"
	"assent/store/mem"
	"assent/store/storetest"
)

func draft(kind string, d assent.Decision) assent.Draft {
	return assent.Draft{Record: assent.Record{At: t0, Kind: kind, Decision: d}}
}

// tree is a store with a root, gr_1, and a child of it, gr_2.
func tree(t *testing.T, w assent.Witness) *mem.Store {
	t.Helper()
	s := mem.Witnessed(w)
	for _, parent := range []string{"", "gr_1"} {
		_, err := s.Give(t.Context(), assent.Grant{
			Parent: parent, Width: assent.Owner, Scope: assent.Scope{Tool: assent.AnyTool, Uses: 9}, From: t0, Until: t0.Add(time.Hour),
		}, draft(assent.KindAnswer, assent.Allow))
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// use spends a use of a grant for a call.
func use(t *testing.T, s *mem.Store, from, id string) assent.Call {
	t.Helper()
	c := assent.Case{Event: assent.Event{At: t0, Session: "s", Tool: "shell", Input: []byte(`{}`)}}
	call := assent.Call{Session: "s", ID: id, Digest: c.Digest(), Opened: t0, From: from}
	d := draft(assent.KindEvent, assent.Allow)
	d.Record.Session, d.Record.Call, d.Record.Digest = "s", id, call.Digest
	if _, err := s.Spend(t.Context(), c, call, t0, "", d); err != nil {
		t.Fatal(err)
	}
	return call
}

// of is a draft about a call.
func of(kind string, c assent.Call) assent.Draft {
	d := draft(kind, assent.None)
	d.Record.Session, d.Record.Call, d.Record.Digest = c.Session, c.ID, c.Digest
	return d
}

func TestWhatGivesAuthorityIsSigned(t *testing.T) {
	t.Parallel()
	w := storetest.NewWitness()
	for name, x := range map[string]struct {
		store  *mem.Store
		asked  assent.Witness
		broken string
	}{
		"signed":                {tree(t, w), w, ""},
		"signed, nobody asks":   {tree(t, w), nil, ""},
		"unsigned, nobody asks": {tree(t, nil), nil, ""},
		"unsigned":              {tree(t, nil), w, `record 1: it is of the kind "answer", and this home's key did not sign it`},
		"signed by another":     {tree(t, storetest.NewWitness()), w, "record 1: its signature is not that of this home's key"},
	} {
		_, verify := audit.Verify(t.Context(), x.store, x.asked)
		_, reconcile := audit.Reconcile(t.Context(), x.store, x.asked)
		for _, err := range []error{verify, reconcile} {
			if x.broken == "" && err != nil || x.broken != "" && (!errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), x.broken)) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	s := tree(t, w) // a record that needs no signature, and one that does, by whoever has none
	if _, err := s.Append(t.Context(), draft(assent.KindEvent, assent.Allow)); err != nil {
		t.Fatal(err)
	}
	if r, err := audit.Verify(t.Context(), s, w); err != nil || r.Records != 3 {
		t.Fatal(r, err)
	}
}

func TestReconcileCountsWhatWasGivenBackAndWhatChildrenTook(t *testing.T) {
	t.Parallel()
	type change = func(*testing.T, *mem.Store, []assent.Call)
	appends := func(kind string, use int, call int) change {
		return func(t *testing.T, s *mem.Store, calls []assent.Call) {
			d := of(kind, calls[call])
			d.Record.Grant, d.Record.Use = "gr_2", use
			if _, err := s.Append(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
	}
	revoke := func(id string) change {
		return func(t *testing.T, s *mem.Store, _ []assent.Call) {
			if _, err := s.Revoke(t.Context(), assent.Selection{ID: id}, "ann", t0, draft(assent.KindRevoke, assent.None)); err != nil {
				t.Fatal(err)
			}
		}
	}
	used := func(of int, n int) func([]assent.Grant) []assent.Grant {
		return func(g []assent.Grant) []assent.Grant { g[of].Used = n; return g }
	}
	for name, x := range map[string]struct {
		then []change
		lie  func([]assent.Grant) []assent.Grant
		want string
	}{
		"honest":                          {},
		"fewer of its own":                {lie: used(1, 1), want: "grant gr_2: the log has 2 uses of it, and it says it was used 1 times"},
		"fewer of its child's":            {lie: used(0, 2), want: "grant gr_1: the log has 3 uses of it, and it says it was used 2 times"},
		"given back twice":                {then: []change{appends(assent.KindRefund, 2, 1)}, want: "grant gr_2: record 8 is of its use 2, which its call cannot give back"},
		"given back by another":           {then: []change{appends(assent.KindRefund, 1, 1)}, want: "grant gr_2: record 8 is of its use 1, which its call cannot give back"},
		"given back, never taken":         {then: []change{appends(assent.KindRefund, 9, 1)}, want: "grant gr_2: record 8 is of its use 9, which its call cannot give back"},
		"used after it was given back":    {then: []change{appends(assent.KindEvent, 2, 1)}, want: "grant gr_2: record 8 is of its use 2, which was given back"},
		"begun":                           {then: []change{appends(assent.KindBegin, 0, 0)}},
		"begun after it was revoked":      {then: []change{revoke("gr_2"), appends(assent.KindBegin, 0, 0)}, want: "grant gr_2: in record 9 something begins under it, after record 8 revoked it"},
		"begun after its parent's end":    {then: []change{revoke("gr_1"), appends(assent.KindBegin, 0, 0)}, want: "grant gr_2: in record 9 something begins under it, after record 8 revoked it"},
		"used after its parent's end":     {then: []change{revoke("gr_1"), appends(assent.KindEvent, 1, 0)}, want: "grant gr_2: record 9 is of its use 1, after record 8 revoked it"},
		"ended after it was revoked":      {then: []change{revoke("gr_1"), appends(assent.KindEnd, 0, 0)}},
		"given back after it was revoked": {then: []change{revoke("gr_1"), appends(assent.KindRefund, 1, 0)}, lie: used(1, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tree(t, nil)
			calls := []assent.Call{use(t, s, "gr_2", "a"), use(t, s, "gr_2", "b"), use(t, s, "gr_1", "c")}
			if _, err := s.Refund(t.Context(), calls[1], of(assent.KindRefund, calls[1])); err != nil {
				t.Fatal(err)
			}
			use(t, s, "gr_2", "d")
			for _, do := range x.then {
				do(t, s, calls)
			}
			_, err := audit.Reconcile(t.Context(), books{Store: s, grants: x.lie}, nil)
			if x.want == "" && err != nil || x.want != "" && (!errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), x.want)) {
				t.Fatalf("got %v, want %q", err, x.want)
			}
		})
	}
}

// marked is a store that knows of a row that somebody else wrote.
type marked struct {
	*mem.Store
	forged []string
	err    error
}

func (m marked) Forged(context.Context) ([]string, error) { return m.forged, m.err }

// unreadable is one whose rows can therefore not be listed.
type unreadable struct{ marked }

func (unreadable) Requests(context.Context, assent.RequestFilter) ([]assent.Request, error) {
	return nil, assent.ErrDamaged
}

func TestReconcileNamesARowThatSomebodyElseWrote(t *testing.T) {
	t.Parallel()
	w := storetest.NewWitness()
	forged := []string{"grant gr_7: its row is not what assent wrote", "grant gr_8"}
	for want, b := range map[string]audit.Books{
		"":                               marked{Store: tree(t, w)},
		forged[0] + ": ":                 unreadable{marked{Store: tree(t, w), forged: forged}},
		"record 1: ":                     marked{Store: tree(t, nil), forged: forged}, // the log says more
		"reconcile: no space is left on": marked{Store: tree(t, w), err: errors.New("no space is left on it")},
	} {
		_, err := audit.Reconcile(t.Context(), b, w)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
