package audit_test

// The store's word is held against the log's.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/audit"
	"assent/store/mem"
)

// books are a store whose lists lie.
type books struct {
	*mem.Store
	grants   func([]assent.Grant) []assent.Grant
	requests func([]assent.Request) []assent.Request
}

func (b books) Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error) {
	g, err := b.Store.Grants(ctx, f)
	if b.grants != nil {
		g = b.grants(g)
	}
	return g, err
}

func (b books) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	f.Limit = 1 // so that paging is tried
	r, err := b.Store.Requests(ctx, f)
	if b.requests != nil && len(r) > 0 {
		r = b.requests(r)
	}
	return r, err
}

// life is a store after a grant that was used and revoked, one that lives, a
// denial, an expiry, and a request that still waits.
func life(t *testing.T) *mem.Store {
	t.Helper()
	s := mem.New()
	draft := func(kind string, d assent.Decision) assent.Draft {
		return assent.Draft{Record: assent.Record{At: t0, Kind: kind, Decision: d}}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, end := range []assent.State{assent.Approved, assent.Approved, assent.Denied, assent.Expired, assent.Withdrawn, assent.Pending} {
		c := assent.Case{Event: assent.Event{At: t0, Session: "s", Tool: "shell", Input: []byte{'0' + byte(i)}}}
		call := assent.Call{Session: "s", ID: string(end), Digest: c.Digest(), Opened: t0}
		expires := t0.Add(time.Hour)
		if end == assent.Expired {
			expires = t0
		}
		r, err := s.Ask(t.Context(), assent.Request{Case: c, Digest: c.Digest(), Opened: t0, Expires: expires}, call,
			assent.Bounds{Session: 9, All: 9}, draft(assent.KindEvent, assent.Ask))
		must(err)
		set := assent.Settlement{Request: r.ID, State: end, At: t0}
		switch end {
		case assent.Approved:
			set.Grant = &assent.Grant{Scope: assent.Scope{Digest: c.Digest(), Uses: 3}, From: t0, Until: t0.Add(time.Hour)}
			_, _, err = s.Settle(t.Context(), set, draft(assent.KindAnswer, assent.Allow))
			must(err)
			_, err = s.Spend(t.Context(), c, call, t0, "", draft(assent.KindEvent, assent.Allow))
			must(err)
		case assent.Denied:
			_, _, err = s.Settle(t.Context(), set, draft(assent.KindAnswer, assent.Deny))
			must(err)
		case assent.Withdrawn:
			_, _, err = s.Settle(t.Context(), set, draft(assent.KindEvent, assent.None))
			must(err)
		case assent.Expired:
			_, err = s.Expire(t.Context(), t0, 9)
			must(err)
		}
	}
	_, err := s.Revoke(t.Context(), assent.Selection{ID: "gr_1"}, "ann", t0, draft(assent.KindRevoke, assent.None))
	must(err)
	return s
}

func TestReconcileAgreesWithAnHonestStore(t *testing.T) {
	t.Parallel()
	r, err := audit.Reconcile(t.Context(), books{Store: life(t)}, nil)
	if err != nil || r.Records != 14 {
		t.Fatal(r, err)
	}
}

func TestReconcileNamesWhatDoesNotAgree(t *testing.T) {
	t.Parallel()
	grant := func(change func(*assent.Grant)) books {
		return books{grants: func(g []assent.Grant) []assent.Grant { change(&g[0]); return g }}
	}
	request := func(id string, change func(*assent.Request)) books {
		return books{requests: func(r []assent.Request) []assent.Request {
			if r[0].ID == id {
				change(&r[0])
			}
			return r
		}}
	}
	for words, b := range map[string]books{
		"grant gr_1: it is not the grant that record 2 gave":  grant(func(g *assent.Grant) { g.Scope.Uses = 99 }),
		"grant gr_1: record 1 did not give it":                grant(func(g *assent.Grant) { g.Record = 1 }),
		"grant gr_1: record 14 revoked it":                    grant(func(g *assent.Grant) { g.Revoked = time.Time{} }),
		"grant gr_1: the log has 1 uses of it":                grant(func(g *assent.Grant) { g.Used = 0 }),
		"grant gr_9: it is not the grant":                     grant(func(g *assent.Grant) { g.ID = "gr_9" }),
		"grant gr_1: record 2 gave it, and it is gone":        {grants: func(g []assent.Grant) []assent.Grant { return g[1:] }},
		"request req_1: record 2 settled it":                  request("req_1", func(r *assent.Request) { r.State = assent.Pending }),
		"request req_4: it is expired, and no record says so": request("req_4", func(r *assent.Request) { r.ID = "req_40" }),
		"request req_3: it is approved, and record 8 says deny": request("req_3", func(r *assent.Request) {
			r.State = assent.Approved
		}),
		"request req_6: it is denied, and no record says so": request("req_6", func(r *assent.Request) { r.State = assent.Denied }),
		"request req_1: it became gr_2":                      request("req_1", func(r *assent.Request) { r.Grant = "gr_2" }),
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			b.Store = life(t)
			_, err := audit.Reconcile(t.Context(), b, nil)
			if !errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), strings.Replace(words, "req_4:", "req_40:", 1)) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

// A use that the store let be taken twice, or after its end, stands in the log.
func TestReconcileNamesAUseThatCannotHaveBeen(t *testing.T) {
	t.Parallel()
	use := func(grant, session, call, digest string) assent.Record {
		return assent.Record{At: t0, Kind: assent.KindEvent, Decision: assent.Allow, Grant: grant, Use: 7, Session: session, Call: call, Digest: digest}
	}
	for name, x := range map[string]struct {
		uses []assent.Record
		want string
	}{
		"the same call":           {[]assent.Record{use("gr_2", "s", "c", "d"), use("gr_2", "s", "c", "d")}, ""},
		"its two gates":           {[]assent.Record{use("gr_2", "s", "", "d"), use("gr_2", "s", "c", "d"), use("gr_2", "s", "", "d")}, ""},
		"another call":            {[]assent.Record{use("gr_2", "s", "c", "d"), use("gr_2", "s", "e", "d")}, "grant gr_2: record 16 is of its use 7, which another call took in record 15"},
		"another call, two gates": {[]assent.Record{use("gr_2", "s", "", "d"), use("gr_2", "s", "c", "d"), use("gr_2", "s", "e", "d")}, "grant gr_2: record 17"},
		"another session":         {[]assent.Record{use("gr_2", "s", "c", "d"), use("gr_2", "t", "c", "d")}, "grant gr_2: record 16"},
		"another action":          {[]assent.Record{use("gr_2", "s", "c", "d"), use("gr_2", "s", "", "e")}, "grant gr_2: record 16"},
		"after its revocation":    {[]assent.Record{use("gr_1", "s", "c", "d")}, "grant gr_1: record 15 is of its use 7, after record 14 revoked it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := books{Store: life(t), grants: func(g []assent.Grant) []assent.Grant { g[0].Used, g[1].Used = 7, 7; return g }}
			for _, r := range x.uses {
				if _, err := b.Append(t.Context(), assent.Draft{Record: r}); err != nil {
					t.Fatal(err)
				}
			}
			_, err := audit.Reconcile(t.Context(), b, nil)
			if x.want == "" && err != nil || x.want != "" && (!errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), x.want)) {
				t.Fatalf("got %v, want %q", err, x.want)
			}
		})
	}
}

// cut is a store whose log ends before what it says is the end.
type cut struct{ *mem.Store }

func (c cut) Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error) {
	lines, err := c.Store.Lines(ctx, after, limit)
	for len(lines) > 0 && lines[len(lines)-1].N > 5 {
		lines = lines[:len(lines)-1]
	}
	return lines, err
}

func TestALogThatEndsEarlyIsNamed(t *testing.T) {
	t.Parallel()
	_, err := audit.Reconcile(t.Context(), cut{life(t)}, nil)
	if !errors.Is(err, assent.ErrChain) || !strings.HasPrefix(err.Error(), "record 6: it is missing, the log ends") {
		t.Fatal(err)
	}
}

// busy is a store that goes on between the lists and the walk.
type busy struct {
	*mem.Store
	once *sync.Once
	goOn func()
}

func (b busy) Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error) {
	b.once.Do(b.goOn)
	return b.Store.Lines(ctx, after, limit)
}

func TestReconcileWorksOnAStoreInUse(t *testing.T) {
	t.Parallel()
	s := life(t)
	d := func(kind string, to assent.Decision) assent.Draft {
		return assent.Draft{Record: assent.Record{At: t0, Kind: kind, Decision: to, Request: "req_3"}}
	}
	goOn := func() {
		_, err := s.Revoke(t.Context(), assent.Selection{ID: "gr_2"}, "ann", t0, d(assent.KindRevoke, assent.None))
		if err == nil {
			_, _, err = s.Settle(t.Context(), assent.Settlement{Request: "req_6", State: assent.Denied, At: t0}, d(assent.KindAnswer, assent.Deny))
		}
		if err == nil { // somebody's second word on what is settled
			_, err = s.Append(t.Context(), d(assent.KindAnswer, assent.Allow))
		}
		if err != nil {
			t.Error(err)
		}
	}
	r, err := audit.Reconcile(t.Context(), busy{s, new(sync.Once), goOn}, nil)
	if err != nil || r.Records != 17 {
		t.Fatal(r, err)
	}
}

// What the owner gives comes without a request, and what an approver mints out of it
// takes uses of both.
func TestReconcileAgreesWithAnApprover(t *testing.T) {
	t.Parallel()
	s := mem.New()
	draft := func(kind string, d assent.Decision) assent.Draft {
		return assent.Draft{Record: assent.Record{At: t0, Kind: kind, Decision: d}}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	all := assent.Scope{Tool: assent.AnyTool, Uses: 9}
	root, err := s.Give(t.Context(), assent.Grant{Width: assent.Owner, Scope: all, From: t0, Until: t0.Add(time.Hour), Mints: true}, draft(assent.KindAnswer, assent.Allow))
	must(err)
	c := assent.Case{Event: assent.Event{At: t0, Session: "s", Tool: "shell", Input: []byte("1")}}
	call := assent.Call{Session: "s", ID: "1", Digest: c.Digest(), Opened: t0}
	r, err := s.Ask(t.Context(), assent.Request{Case: c, Digest: c.Digest(), Opened: t0, Expires: t0.Add(time.Hour)}, call, assent.Bounds{Session: 9, All: 9}, draft(assent.KindEvent, assent.Ask))
	must(err)
	for _, a := range []assent.Advice{{At: t0}, {At: t0, Decision: assent.Allow, Done: true}} {
		_, err = s.Advise(t.Context(), r.ID, a, draft(assent.KindAdvice, a.Decision))
		must(err)
	}
	_, _, err = s.Settle(t.Context(), assent.Settlement{Request: r.ID, State: assent.Approved, At: t0, Grant: &assent.Grant{
		Parent: root.ID, Scope: assent.Scope{Digest: c.Digest(), Uses: 1}, From: t0, Until: t0.Add(time.Hour),
	}}, draft(assent.KindAnswer, assent.Allow))
	must(err)
	_, err = s.Spend(t.Context(), c, call, t0, "", draft(assent.KindEvent, assent.Allow))
	must(err)
	if r, err := audit.Reconcile(t.Context(), books{Store: s}, nil); err != nil || r.Records != 6 {
		t.Fatal(r, err)
	}
	wider := books{Store: s, grants: func(g []assent.Grant) []assent.Grant { g[0].Mints = false; return g }}
	if _, err := audit.Reconcile(t.Context(), wider, nil); !errors.Is(err, assent.ErrChain) || !strings.Contains(err.Error(), "gr_1: it is not the grant that record 1 gave") {
		t.Fatal(err)
	}
}
