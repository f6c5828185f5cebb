package engine

// Answer and Revoke: the two verbs of people. Who stands behind them is proved
// first; the one who asks can never answer.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/review"
)

// Answer settles a request with one person's word and returns it as it then
// stands. The first answer wins.
//
// ErrForbidden, ErrSelfApproval: the proof shows nobody who may answer; this is
// recorded. ErrNotFound, ErrInvalid, ErrStale. ErrSettled: with the request as
// somebody else settled it.
func (e *Engine) Answer(ctx context.Context, a assent.Answer) (assent.Request, error) {
	signed, err := a.Signed()
	if err != nil {
		return assent.Request{}, err
	}
	if a.By, err = e.identify(ctx, a.Proof, signed); err != nil {
		return assent.Request{}, e.refuse(ctx, "answer "+a.Request, a.Proof.Peer, err)
	}
	r, err := e.Request(ctx, a.Request)
	if err == nil && a.By.String() == r.Case.Principal {
		return r, e.refuse(ctx, "answer "+a.Request, a.Proof.Peer, fmt.Errorf("%s has asked for it: %w", a.By.Called(), assent.ErrSelfApproval))
	}
	if err == nil && overruled(r, a) {
		r, a, err = e.reopen(ctx, r, a)
	}
	if err != nil {
		return r, err
	}
	s, err := review.Settle(r, a, e.o.Now(), e.o.Boot)
	if err != nil {
		return r, err
	}
	if s.Grant != nil && len(a.Proof.Signature) == 0 {
		if err := e.seen(ctx, r, a.Proof.Peer); err != nil {
			return r, e.refuse(ctx, "answer "+a.Request, a.Proof.Peer, err)
		}
	}
	r, _, err = e.o.Store.Settle(ctx, s, e.answered(r, s))
	e.notify()
	if err == nil {
		e.resolved(ctx, r)
	}
	return r, err
}

// seen returns nil where it is known which process asked a request, so that nobody who
// leads to it is taken for a person, or where the answer is no process's; else only a key
// proves one: ErrForbidden. What the store cannot vouch for is no knowledge.
func (e *Engine) seen(ctx context.Context, r assent.Request, by *assent.Peer) error {
	if r.Case.Principal != assent.PrincipalToken {
		all, err := e.o.Store.Sessions(ctx)
		known := func(s assent.Session) bool { return s.ID == r.Case.Session && !s.Doubtful }
		if err != nil || by == nil || slices.ContainsFunc(all, known) {
			return err
		}
	}
	return fmt.Errorf("which process asks is not known, so it may be this one: answer with an approver key (--key FILE): %w", assent.ErrForbidden)
}

func (e *Engine) identify(ctx context.Context, p assent.Proof, signed []byte) (assent.Identity, error) {
	if e.o.Roster == nil {
		return assent.Identity{}, fmt.Errorf("nobody is on the roster: %w", assent.ErrForbidden)
	}
	return e.o.Roster.Identify(ctx, p, signed)
}

// answered is the record of an answer: what was said, by whom, with what proof.
func (e *Engine) answered(r assent.Request, s assent.Settlement) assent.Draft {
	data, _ := json.Marshal(s.Answer)
	d := assent.Draft{Record: assent.Record{
		At: s.At, Kind: assent.KindAnswer, Agent: r.Case.Agent, Session: r.Case.Session, Tool: r.Case.Tool,
		Digest: r.Digest, Decision: s.Answer.Decision, Request: r.ID, By: s.Answer.By.String(),
		Note: s.Answer.Note, Data: data,
	}}
	if s.Grant != nil {
		d.Record.Seal = s.Grant.Seal()
	}
	return d
}

// signedFor is how long a signed revocation or forwarding can be used: it stands in the
// log, and nobody is to use it again later.
const signedFor = 10 * time.Minute

// person returns who stands behind a word that was said just now. What is refused is
// recorded.
func (e *Engine) person(ctx context.Context, what string, p assent.Proof, at time.Time, signed func() ([]byte, error)) (assent.Identity, error) {
	msg, err := signed()
	if err == nil {
		err = e.fresh(what, p, at)
	}
	if err != nil {
		return assent.Identity{}, err
	}
	who, err := e.identify(ctx, p, msg)
	if err != nil {
		err = e.refuse(ctx, what, p.Peer, err)
	}
	return who, err
}

// saidAt is when somebody said something: when they signed it, or now.
func (e *Engine) saidAt(p assent.Proof, at time.Time) time.Time {
	if p.Key == "" {
		return e.o.Now() // nobody signed when it was
	}
	return at
}

// fresh refuses what was signed too long ago.
func (e *Engine) fresh(what string, p assent.Proof, at time.Time) error {
	if age := e.o.Now().Sub(at).Abs(); p.Key != "" && age > signedFor {
		return fmt.Errorf("%s: it was signed %s ago, or the clocks differ: %w", what, age.Round(time.Second), assent.ErrStale)
	}
	return nil
}

// Revoke ends the selected grants on one person's word and returns them. When it
// has returned, nothing more is spent from them or from what descends of them.
//
// With r.Kill, what assent itself runs under them is ended too, before it returns.
//
// ErrForbidden, ErrSelfApproval: recorded. ErrNoSuchGrant. ErrInvalid: nothing
// is selected. ErrStale: it was signed too long ago. With another error the grants
// that are returned are revoked all the same.
func (e *Engine) Revoke(ctx context.Context, r assent.Revocation) (out assent.Revoked, err error) {
	if r.ID == "" && r.Session == "" && !r.All {
		return out, fmt.Errorf("revoke: name a grant, a session or all: %w", assent.ErrInvalid)
	}
	who, err := e.person(ctx, "revoke", r.Proof, r.At, r.Signed)
	if err != nil {
		return out, err
	}
	data, _ := json.Marshal(r)
	d := assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindRevoke, By: who.String(), Note: r.Note, Data: data,
	}}
	out.Grants, err = e.o.Store.Revoke(ctx, r.Selection, who.String(), e.o.Now(), d)
	e.notify()
	if err == nil && r.Kill {
		out.Killed, err = e.killSelected(ctx, r.Selection, who.String())
	}
	return out, err
}

// Enroll makes an approver key count, on the word of somebody who may answer. The
// first key of all has nobody to vouch for it: any process of this machine that
// leads to no agent, and to nobody who had people asked, may enroll that one, and the
// log shows which did.
//
// ErrForbidden, ErrSelfApproval: recorded. ErrInvalid: a part is missing.
func (e *Engine) Enroll(ctx context.Context, n assent.Enrollment) error {
	if n.Name == "" || n.Key == "" || len(n.Public) == 0 {
		return fmt.Errorf("enroll: a name, a fingerprint and a public key are needed: %w", assent.ErrInvalid)
	}
	keys, err := e.o.Store.Keys(ctx)
	if err != nil {
		return err
	}
	who := assent.Identity{Surface: unvouched}
	if p := n.Proof.Peer; len(keys) == 0 && p != nil && p.Agent == "" && p.Asker == "" {
		who.ID = fmt.Sprintf("%d of uid %d", p.PID, p.UID)
	} else if who, err = e.voucher(ctx, n); err != nil {
		return e.refuse(ctx, "enroll key "+n.Key, n.Proof.Peer, err)
	}
	data, _ := json.Marshal(n)
	_, err = e.o.Store.Append(ctx, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindKey, By: who.String(), Note: n.Name, Data: data,
	}})
	e.notify()
	if err != nil {
		return err
	}
	return Enrolled(ctx, e.o.Store, n.Key, n.Public) // somebody else may have been the first
}

// unvouched is the surface of whoever enrolled the first key.
const unvouched = "process"

func (e *Engine) voucher(ctx context.Context, n assent.Enrollment) (assent.Identity, error) {
	signed, err := n.Signed()
	if err != nil {
		return assent.Identity{}, err
	}
	return e.identify(ctx, n.Proof, signed)
}

// Enrolled reports whether the log vouches for an approver key: nil, or
// ErrForbidden. A roster asks it before a key's signature counts.
func Enrolled(ctx context.Context, s assent.Store, key string, public []byte) error {
	records, err := s.Keys(ctx)
	if err != nil {
		return err
	}
	for i, r := range records {
		if i > 0 && strings.HasPrefix(r.By, unvouched+":") {
			continue // only the first of all needs nobody to vouch for it
		}
		var n assent.Enrollment
		if json.Unmarshal(r.Data, &n) == nil && n.Key == key && bytes.Equal(n.Public, public) {
			return nil
		}
	}
	return fmt.Errorf("the log knows no key %s (assent keys create): %w", key, assent.ErrForbidden)
}

// Refuse records an attempt that a door turned away. It returns a failure of
// the store.
func (e *Engine) Refuse(ctx context.Context, note string, p *assent.Peer) error {
	data, _ := json.Marshal(p)
	_, err := e.o.Store.Append(ctx, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindRefused, Decision: assent.Deny, Note: note, Data: data,
	}})
	e.notify()
	return err
}

// refuse records why somebody may not do what they tried, and returns why.
func (e *Engine) refuse(ctx context.Context, what string, p *assent.Peer, why error) error {
	if err := e.Refuse(ctx, what+": "+why.Error(), p); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", what, why)
}
