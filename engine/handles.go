package engine

// Handles: how a holder whom its connection does not prove shows that it is the one.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"assent"
	"assent/grant"
	"assent/review"
)

// handled fills in who uses from a handle. What leads nowhere is ErrNoSuchGrant, and
// who shows another's ErrForbidden: neither says more.
func (e *Engine) handled(ctx context.Context, u assent.Use, ev assent.Event, pay paid) (assent.Event, paid, error) {
	shown, err := grant.Parse(u.Handle)
	if err != nil {
		return ev, pay, err
	}
	held, err := e.o.Store.Held(ctx, shown.Hash())
	if err == nil {
		err = e.verified(shown, held)
	}
	if err != nil {
		return ev, pay, err
	}
	by := grant.Bearer{Is: func(root assent.Process) bool {
		return u.Peer != nil && e.o.Within != nil && e.o.Within(u.Peer.Process, root)
	}}
	if by.Sessions, err = e.bearing(held.Holder, u.Peer, by); err != nil {
		return ev, pay, err
	}
	line, err := e.line(ctx, held.Grant)
	if err != nil {
		return ev, pay, fmt.Errorf("%s: %w", held.Grant, err)
	}
	if u.Grant != "" && u.Grant != held.Grant {
		return ev, pay, fmt.Errorf("the handle is not of %s: %w", u.Grant, assent.ErrScope)
	}
	g := line[0]
	ev.Session, ev.Principal = held.Holder.Session, g.Scope.Principal
	if ev.Session == "" {
		ev.Session = g.Scope.Session
	}
	if ev.Session == "" {
		ev.Session = held.ID // nobody's in particular
	}
	if ev.Principal == "" {
		ev.Principal = u.Event.Principal
	}
	pay.from, pay.ask = held.Grant, false
	pay.binds = func(c assent.Case) error { return shown.Caveats().Allow(c, by, e.o.Now()) }
	return ev, pay, nil
}

func (e *Engine) verified(shown grant.Presented, held assent.Held) error {
	if e.o.Home == nil {
		return assent.ErrNoSuchGrant
	}
	secret, err := grant.Remake(e.o.Home, held.Nonce)
	if err != nil {
		return err
	}
	return shown.Verify(secret)
}

// bearing returns the sessions that whoever shows a handle counts as, if it is made for
// them: ErrForbidden if not. What comes over HTTP has no process: there the token of
// the door and the handle together are the proof of a session, and of nothing else.
func (e *Engine) bearing(h assent.Holder, p *assent.Peer, by grant.Bearer) ([]string, error) {
	other := fmt.Errorf("the handle is somebody else's: %w", assent.ErrForbidden)
	if h.Process != nil && !by.Is(*h.Process) {
		return nil, other
	}
	switch {
	case p == nil && h.Session != "":
		return []string{h.Session}, nil
	case p == nil:
		return nil, other
	case h.Session != "" && !slices.Contains(p.Sessions, h.Session):
		return nil, other
	}
	return p.Sessions, nil
}

// Hold makes a handle of a grant for a holder, on one person's word, and returns its
// text, which is kept nowhere. ErrForbidden, ErrSelfApproval: recorded. ErrNoSuchGrant;
// ErrRevoked, ErrExpired, ErrExhausted. ErrScope: it is another session's, or the
// owner's own. ErrInvalid: a part is missing. ErrNotFound: the holder is not there.
// ErrStale: it was signed too long ago. ErrUnavailable: there is no key of the home.
func (e *Engine) Hold(ctx context.Context, h assent.Handling) (string, assent.Held, error) {
	var none assent.Held
	if h.Grant == "" || h.Holder == (assent.Holder{}) || len(h.Note) > review.MaxNote {
		return "", none, fmt.Errorf("handle: a grant, a holder and a note of at most %d bytes are needed: %w", review.MaxNote, assent.ErrInvalid)
	}
	h.At = e.saidAt(h.Proof, h.At)
	what := "handle of " + h.Grant
	who, err := e.person(ctx, what, h.Proof, h.At, h.Signed)
	if err != nil {
		return "", none, err
	}
	if err := e.holds(ctx, h); err != nil {
		return "", none, fmt.Errorf("%s: %w", what, err)
	}
	return e.hold(ctx, h, who)
}

// holds reports whether the grant is there for the holder to be given.
func (e *Engine) holds(ctx context.Context, h assent.Handling) error {
	line, err := e.line(ctx, h.Grant)
	if err != nil {
		return err
	}
	g := line[0]
	switch {
	case e.o.Home == nil:
		return fmt.Errorf("the home has no key: %w", assent.ErrUnavailable)
	case g.Mints, g.Width == assent.Owner:
		return fmt.Errorf("it is what the configuration gives, and nobody's to hand on: %w", assent.ErrScope)
	case h.Holder.Session != "" && g.Scope.Session != "" && g.Scope.Session != h.Holder.Session:
		return fmt.Errorf("it is the session %s's: hand it on first (assent grants forward): %w", g.Scope.Session, assent.ErrScope)
	case h.Holder.Process != nil && (e.o.Within == nil || !e.o.Within(*h.Holder.Process, *h.Holder.Process)):
		return fmt.Errorf("the process %d does not run: %w", h.Holder.Process.PID, assent.ErrNotFound)
	}
	return nil
}

func (e *Engine) hold(ctx context.Context, h assent.Handling, who assent.Identity) (string, assent.Held, error) {
	secret, nonce, err := grant.NewHandle(e.o.Home)
	if err != nil {
		return "", assent.Held{}, err
	}
	held := assent.Held{Nonce: nonce, Hash: secret.Hash(), Grant: h.Grant, Holder: h.Holder, By: who, At: e.o.Now()}
	data, _ := json.Marshal(h)
	held, err = e.o.Store.Hold(ctx, held, assent.Draft{Record: assent.Record{
		At: held.At, Kind: assent.KindHandle, Session: h.Holder.Session, Grant: h.Grant, Decision: assent.Allow,
		By: who.String(), Note: h.Note, Seal: held.Seal(), Data: data,
	}})
	if err != nil {
		return "", assent.Held{}, err
	}
	e.notify()
	return secret.Reveal(), held, nil
}

// Receipt signs for an outsider what a live grant covers, for a minute, on the wish of
// whoever holds it, or of the owner. ErrForbidden: recorded. ErrNoSuchGrant;
// ErrRevoked, ErrExpired, ErrExhausted: of a grant; of a use, only the first two.
// ErrNotFound: there was no such use of late. ErrInvalid, ErrUnavailable.
func (e *Engine) Receipt(ctx context.Context, w assent.ReceiptWish) (string, error) {
	if e.o.Home == nil {
		return "", fmt.Errorf("receipt: the home has no key: %w", assent.ErrUnavailable)
	}
	what := "receipt of " + w.Grant
	line, tool, err := e.receiptOf(ctx, w)
	if errors.Is(err, assent.ErrForbidden) {
		return "", e.refuse(ctx, what, w.Peer, err)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	g := line[0]
	d := grant.Detail{
		Type: grant.ActionType, Actions: []string{tool}, Identifier: g.ID, Digest: g.Scope.Digest,
		Scope: &g.Scope, UsesLeft: g.Scope.Uses - g.Used,
	}
	if w.Call != "" {
		if err := e.used(ctx, w, &d); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	r := grant.Receipt{Subject: subject(g), Audience: w.Audience, Nonce: w.Nonce, Expires: g.Until.Unix(), Details: []grant.Detail{d}}
	if len(w.Key) > 0 {
		r.Confirm = &grant.Confirm{Key: w.Key}
	}
	text, err := r.Sign(e.o.Home, e.o.Now())
	if err != nil {
		return "", err
	}
	data, _ := json.Marshal(map[string]string{"audience": w.Audience, "call": w.Call})
	_, err = e.o.Store.Append(ctx, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindReceipt, Session: g.Scope.Session, Grant: g.ID, Digest: g.Scope.Digest, Decision: assent.Allow, Data: data,
	}})
	e.notify()
	if err != nil {
		return "", err // and nobody is told what is not recorded
	}
	return text, nil
}

// receiptOf is the grant of a receipt with its ancestors, and the tool that it is for, if
// it is the peer's to show.
func (e *Engine) receiptOf(ctx context.Context, w assent.ReceiptWish) ([]assent.Grant, string, error) {
	session, err := e.speaker(ctx, w.Peer, assent.Event{})
	if err != nil {
		return nil, "", err
	}
	line, err := e.shown(ctx, w)
	if err != nil {
		return nil, "", err
	}
	g := line[0]
	owner := w.Peer.Agent == "" && len(w.Peer.Sessions) == 0 && w.Peer.TTY != 0
	switch {
	case g.Mints, g.Width == assent.Owner:
		return nil, "", fmt.Errorf("it is what the configuration gives: %w", assent.ErrScope)
	case owner:
	case g.Scope.Session != "" && g.Scope.Session != session, g.Scope.Principal != "" && g.Scope.Principal != principal(w.Peer):
		return nil, "", fmt.Errorf("%s is somebody else's: %w", g.ID, assent.ErrForbidden)
	}
	tool, err := e.tool(ctx, line)
	return line, tool, err
}

// tool is what a grant is for: of an exact action, the request for it says which tool.
func (e *Engine) tool(ctx context.Context, line []assent.Grant) (string, error) {
	if t := line[0].Scope.Tool; t != "" {
		return t, nil
	}
	for _, g := range line {
		if g.Request != "" {
			r, err := e.o.Store.Request(ctx, g.Request)
			return r.Case.Tool, err
		}
	}
	return "", nil
}

// shown is a grant that is live, or used up where the receipt is of a use, with its
// ancestors.
func (e *Engine) shown(ctx context.Context, w assent.ReceiptWish) ([]assent.Grant, error) {
	line, err := e.line(ctx, w.Grant)
	if err == nil || w.Call == "" || !errors.Is(err, assent.ErrExhausted) {
		return line, err
	}
	all, err := e.o.Store.Grants(ctx, assent.GrantFilter{})
	return lineOf(w.Grant, all), err
}

// used fills in a use of late: what was done, and by which call.
func (e *Engine) used(ctx context.Context, w assent.ReceiptWish, d *grant.Detail) error {
	events, err := e.newest(ctx)
	if err != nil {
		return err
	}
	for r := range events {
		if r.Kind == assent.KindEvent && r.Call == w.Call && r.Grant == w.Grant && r.Use > 0 {
			d.Call, d.Digest, d.Actions = r.Call, r.Digest, []string{r.Tool}
			return nil
		}
	}
	return fmt.Errorf("no use of it by the call %q of late: %w", w.Call, assent.ErrNotFound)
}

// subject names the holder of a grant.
func subject(g assent.Grant) string {
	for _, s := range []string{g.Scope.Session, g.Scope.Agent, g.Scope.Principal} {
		if s != "" {
			return s
		}
	}
	return "anybody"
}
