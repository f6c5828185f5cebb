package storetest

// The moves of the model test: each does one verb to the store and to the model.

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"

	"pgregory.net/rapid"
)

type play struct {
	k *kit
	w *world
}

var (
	anySession = rapid.SampledFrom([]string{"s1", "s2", "s1/a"})
	anyPath    = rapid.SampledFrom([]string{"/w/a", "/w/a/b"})
	anyWidth   = rapid.SampledFrom([]assent.Width{assent.Once, assent.ForTurns, assent.InSess, assent.Always})
)

// act draws an action: its case and its call. A session has two call IDs a path.
func act(r *rapid.T) (assent.Case, assent.Call, string) {
	path := anyPath.Draw(r, "path")
	c := removes(path)
	c.Session = anySession.Draw(r, "session")
	id := fmt.Sprint(c.Session, path, rapid.IntRange(1, 2).Draw(r, "call"))
	return c, callOf(c, id), path
}

// same fails unless the store returned what the model did.
func same(r *rapid.T, what string, got, want any) {
	r.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		r.Fatalf("%s: store says %v, model says %v", what, got, want)
	}
}

// sameErr fails unless err is what the model returned.
func sameErr(r *rapid.T, what string, err, want error) {
	r.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		r.Fatalf("%s: store says %v, model says %v", what, err, want)
	}
}

func (p *play) ask(r *rapid.T) {
	c, call, path := act(r)
	n, want := p.w.ask(p.w.call(call.ID), c.Session, path, 4)
	got, err := p.k.Ask(p.k.Context(), p.k.request(c), call, assent.Bounds{Session: 4, All: 4}, p.k.draft(assent.KindEvent))
	sameErr(r, "ask", err, want)
	if want == nil {
		same(r, "asked", got.ID, fmt.Sprintf("req_%d", n))
	}
}

// advise claims a request, or completes a claim, by one of two approvers at one of
// two times.
func (p *play) advise(r *rapid.T) {
	n := rapid.IntRange(1, len(p.w.requests)+1).Draw(r, "request")
	a := wAdvice{
		by: rapid.SampledFrom([]string{"a", "b"}).Draw(r, "approver"), done: rapid.Bool().Draw(r, "done"),
		at: start.Add(time.Duration(rapid.IntRange(0, 1).Draw(r, "time"))),
	}
	want := p.w.advise(n, a)
	got, err := p.k.Advise(p.k.Context(), fmt.Sprintf("req_%d", n), assent.Advice{By: assent.Identity{ID: a.by}, At: a.at, Done: a.done}, p.k.draft(assent.KindAdvice))
	sameErr(r, "advise", err, want)
	if n <= len(p.w.requests) {
		same(r, "advised", adviceOf(got), p.w.requests[n-1].advice)
	}
}

// adviceOf is the advice of a request in the model's words.
func adviceOf(q assent.Request) wAdvice {
	if q.Advice == nil {
		return wAdvice{}
	}
	return wAdvice{q.Advice.By.ID, q.Advice.At.In(start.Location()), q.Advice.Done}
}

// give gives a grant of the owner's own, or of another width, which only a child of
// another may have; or one that was given before.
func (p *play) give(r *rapid.T) {
	g := p.drawGrant(r)
	g.width = rapid.SampledFrom([]assent.Width{assent.Owner, assent.Once, assent.InSess}).Draw(r, "width without a request")
	if n := len(p.w.grants); n > 0 && rapid.Bool().Draw(r, "again") {
		g = p.w.grants[rapid.IntRange(1, n).Draw(r, "which")-1]
		g.used, g.taken, g.revoked, g.asked = 0, 0, false, false
	}
	asked := p.settlement("", g).Grant
	asked.From = g.from
	want := p.w.give(g)
	got, err := p.k.Give(p.k.Context(), *asked, p.k.answer(assent.Allow))
	sameErr(r, "give", err, want)
	if want == nil {
		same(r, "given", got.ID, fmt.Sprintf("gr_%d", len(p.w.grants)))
	}
}

// yes settles the newest pending request with a yes, if there is one.
func (p *play) yes(r *rapid.T) {
	p.ask(r)
	for n := len(p.w.requests); n > 0; n-- {
		if p.w.requests[n-1].state == assent.Pending {
			p.settleOne(r, n, true)
			return
		}
	}
}

func (p *play) settle(r *rapid.T) {
	p.settleOne(r, rapid.IntRange(1, len(p.w.requests)+1).Draw(r, "request"), rapid.Bool().Draw(r, "yes"))
}

func (p *play) settleOne(r *rapid.T, n int, yes bool) {
	id := fmt.Sprintf("req_%d", n)
	s, d := assent.Settlement{Request: id, State: assent.Denied, At: p.k.now}, p.k.answer(assent.Deny)
	var g wGrant
	if yes {
		g = p.drawGrant(r)
		s, d = p.settlement(id, g), p.k.answer(assent.Allow)
	}
	_, given, err := p.k.Settle(p.k.Context(), s, d)
	if n > len(p.w.requests) {
		sameErr(r, "settle", err, assent.ErrNotFound)
		return
	}
	if p.w.requests[n-1].state != assent.Pending {
		sameErr(r, "settle", err, assent.ErrSettled)
		return
	}
	sameErr(r, "settle", err, nil)
	p.w.requests[n-1].state = s.State
	p.w.records++
	if yes {
		g.asked = true
		p.w.grants = append(p.w.grants, g)
		same(r, "given", given.ID, fmt.Sprintf("gr_%d", len(p.w.grants)))
	}
}

func (p *play) drawGrant(r *rapid.T) wGrant {
	g := wGrant{
		from:  p.k.now,
		width: anyWidth.Draw(r, "width"), session: rapid.SampledFrom([]string{"", "s1", "s2", "s1/a"}).Draw(r, "holder"),
		uses: rapid.IntRange(0, 3).Draw(r, "uses"), parent: max(0, rapid.IntRange(-len(p.w.grants), len(p.w.grants)).Draw(r, "parent")),
		until: p.k.now.Add(time.Duration(rapid.IntRange(0, 90).Draw(r, "minutes")) * time.Minute),
	}
	g.mints = rapid.IntRange(1, 4).Draw(r, "mints") == 1
	switch path := anyPath.Draw(r, "path"); rapid.IntRange(0, 2).Draw(r, "rank") {
	case 0:
		g.command = path
	case 1:
		g.under = path
	}
	return g
}

// settlement turns the model's grant into one for the store. An exact grant
// without a session is exact in what it removes, for every session.
func (p *play) settlement(id string, g wGrant) assent.Settlement {
	scope := anything(g.uses)
	switch g.rank() {
	case 0:
		scope = exact(removes(g.command), g.uses)
	case 1:
		scope = class(g.under, g.uses)
	}
	scope.Session = g.session
	s := p.k.yes(id, scope)
	s.Grant.Width, s.Grant.Until, s.Grant.Mints = g.width, g.until, g.mints
	if g.parent > 0 {
		s.Grant.Parent = fmt.Sprintf("gr_%d", g.parent)
	}
	return s
}

func (p *play) spend(r *rapid.T) {
	c, call, path := act(r)
	before := p.k.head()
	from := max(0, rapid.IntRange(-4*len(p.w.grants), len(p.w.grants)+1).Draw(r, "from"))
	if from > 0 {
		call.From = fmt.Sprintf("gr_%d", from)
	}
	grant, use, want := p.w.spend(p.w.call(call.ID), c.Session, path, from)
	got, err := p.k.Spend(p.k.Context(), c, call, p.k.now, "", p.k.draft(assent.KindEvent))
	sameErr(r, "spend", err, want)
	if want != nil {
		return
	}
	same(r, "spent", got.ID, fmt.Sprintf("gr_%d", grant))
	rec := p.k.since(before)[0]
	same(r, "record", fmt.Sprint(rec.Grant, rec.Use), fmt.Sprint(got.ID, use))
}

func (p *play) begin(r *rapid.T) {
	_, call, _ := act(r)
	sameErr(r, "begin", p.k.begin(call), p.w.begin(p.w.call(call.ID)))
}

func (p *play) refund(r *rapid.T) {
	_, call, _ := act(r)
	want := p.w.refund(p.w.call(call.ID))
	_, err := p.k.refund(call)
	sameErr(r, "refund", err, want)
}

func (p *play) finish(r *rapid.T) {
	_, call, _ := act(r)
	all, kind := rapid.Bool().Draw(r, "all"), rapid.SampledFrom([]string{assent.KindEvent, assent.KindEnd, assent.KindKilled}).Draw(r, "kind")
	for id, c := range p.w.calls {
		if c.session == call.Session && (all || id == call.ID) && (!c.began || !all && kind != assent.KindEvent) {
			c.open = false
		}
	}
	if all {
		call.ID = ""
	}
	p.w.records++
	sameErr(r, "finish", p.k.Finish(p.k.Context(), call.Session, call.ID, p.k.draft(kind)), nil)
}

func (p *play) end(r *rapid.T) {
	session := anySession.Draw(r, "session")
	p.w.records++
	want := p.w.revoke(func(_ int, g wGrant) bool { return g.width == assent.InSess && assent.Within(g.session, session) })
	for _, c := range p.w.calls {
		if assent.Within(c.session, session) && !c.began {
			c.open = false
		}
	}
	gone, err := p.k.EndSession(p.k.Context(), session, p.k.now, p.k.draft(assent.KindEvent))
	sameErr(r, "end", err, nil)
	same(r, "ended", idsOf(gone), want)
}

func (p *play) revoke(r *rapid.T) {
	n, session := rapid.IntRange(1, len(p.w.grants)+1).Draw(r, "grant"), anySession.Draw(r, "session")
	sel, which := assent.Selection{ID: fmt.Sprintf("gr_%d", n)}, func(i int, _ wGrant) bool { return i == n }
	if rapid.IntRange(1, 4).Draw(r, "of a session") == 1 {
		sel, which = assent.Selection{Session: session}, func(_ int, g wGrant) bool { return assent.Within(g.session, session) }
	}
	gone, err := p.k.Revoke(p.k.Context(), sel, "ann", p.k.now, p.k.draft(assent.KindRevoke))
	if sel.ID != "" && n > len(p.w.grants) {
		sameErr(r, "revoke", err, assent.ErrNoSuchGrant)
		return
	}
	sameErr(r, "revoke", err, nil)
	same(r, "revoked", idsOf(gone), p.w.revoke(which))
}

func (p *play) expire(r *rapid.T) {
	limit := rapid.IntRange(0, 3).Draw(r, "limit")
	gone, err := p.k.Expire(p.k.Context(), p.k.now, limit)
	sameErr(r, "expire", err, nil)
	var ids []string
	for _, q := range gone {
		ids = append(ids, q.ID)
	}
	same(r, "expired", ids, p.w.expire(limit))
}

func (p *play) time(r *rapid.T) {
	p.k.now = p.k.now.Add(time.Duration(rapid.IntRange(0, 30).Draw(r, "minutes")) * time.Minute)
	p.w.now = p.k.now
}

// look compares everything that the store shows with the model.
func (p *play) look(r *rapid.T) {
	same(r, "records", p.k.head(), p.w.records)
	requests, err := p.k.Requests(p.k.Context(), assent.RequestFilter{Limit: 1000})
	sameErr(r, "requests", err, nil)
	same(r, "requests", len(requests), len(p.w.requests))
	for i, q := range p.w.requests {
		same(r, requests[i].ID, []any{requests[i].State, requests[i].Asked, adviceOf(requests[i])}, []any{q.state, q.asked, q.advice})
	}
	grants, err := p.k.Grants(p.k.Context(), assent.GrantFilter{})
	sameErr(r, "grants", err, nil)
	same(r, "grants", len(grants), len(p.w.grants))
	var live []string
	for i, g := range p.w.grants {
		same(r, grants[i].ID, []any{grants[i].Used, !grants[i].Revoked.IsZero()}, []any{g.used, g.revoked})
		if p.w.dead(i+1) == nil {
			live = append(live, grants[i].ID)
		}
	}
	grants, err = p.k.Grants(p.k.Context(), assent.GrantFilter{Live: true, Now: p.k.now})
	sameErr(r, "live grants", err, nil)
	same(r, "live grants", slices.Clip(idsOf(grants)), live)
	for n := range len(p.w.grants) + 1 {
		under := []string{fmt.Sprintf("gr_%d", n)}[:min(n, 1)]
		calls, err := p.k.Running(p.k.Context(), under)
		sameErr(r, "running", err, nil)
		var ids []string
		for _, c := range calls {
			ids = append(ids, c.ID)
		}
		slices.Sort(ids)
		same(r, "running", ids, p.w.running(n))
	}
}

func idsOf(grants []assent.Grant) []string {
	var ids []string
	for _, g := range grants {
		ids = append(ids, g.ID)
	}
	return ids
}
