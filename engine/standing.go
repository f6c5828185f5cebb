package engine

// The owner's standing grants: what the configuration gives, as a grant like any
// other: listed, expiring, revocable.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
)

const (
	standsFor = 30 * 24 * time.Hour // then it is given anew, as long as the configuration says so
	ownerUses = 100_000
	renewAt   = time.Hour // before its end
)

// Standing is one grant of the owner's configuration. By names the words of the
// configuration that give it: other words are another grant. One that was revoked
// is not given again for the same words.
type Standing struct {
	By      assent.Identity
	Profile string // of the agents that it is for; empty = all
	Mints   bool   // it is the approver's, to give grants out of; else agents' calls spend it
}

// standing sees to it that the owner's grants that calls may spend are there, and that
// those which the configuration gives no longer are not.
func (e *Engine) standing(ctx context.Context, profile string) error {
	if err := e.retire(ctx); err != nil {
		return err
	}
	for _, s := range e.o.Owner {
		if s.Mints || s.Profile != "" && s.Profile != profile {
			continue
		}
		if _, err := e.stand(ctx, s); err != nil && !errors.Is(err, assent.ErrForbidden) {
			return err
		}
	}
	return nil
}

// retired is who revokes what the configuration gives no longer.
const retired = "config"

// retire revokes the owner's grants whose words are no longer in the configuration,
// once in the life of an engine: nobody else gives any meanwhile.
func (e *Engine) retire(ctx context.Context) error {
	e.stands.Lock()
	defer e.stands.Unlock()
	if e.retired {
		return nil
	}
	now := e.o.Now()
	live, err := e.o.Store.Grants(ctx, assent.GrantFilter{Live: true, Now: now, Boot: e.o.Boot})
	if err != nil {
		return err
	}
	for _, g := range live {
		if g.Width != assent.Owner || slices.ContainsFunc(e.o.Owner, func(s Standing) bool { return s.By.ID == g.By.ID }) {
			continue
		}
		d := assent.Draft{Record: assent.Record{At: now, Kind: assent.KindRevoke, By: retired, Note: "the configuration gives it no longer"}}
		if _, err := e.o.Store.Revoke(ctx, assent.Selection{ID: g.ID}, retired, now, d); err != nil {
			return err
		}
	}
	e.retired = true
	return nil
}

// authority is the grant out of which the approver gives. ErrForbidden when it has
// none, or that was revoked.
func (e *Engine) authority(ctx context.Context, profile string) (assent.Grant, error) {
	if err := e.retire(ctx); err != nil {
		return assent.Grant{}, err
	}
	for _, s := range e.o.Owner {
		if s.Mints && (s.Profile == "" || s.Profile == profile) {
			return e.stand(ctx, s)
		}
	}
	return assent.Grant{}, fmt.Errorf("the approver may not say yes: its owner gave it no authority: %w", assent.ErrForbidden)
}

// stand returns the live grant of a standing word, and gives it where there is none.
func (e *Engine) stand(ctx context.Context, s Standing) (assent.Grant, error) {
	e.stands.Lock()
	defer e.stands.Unlock()
	now := e.o.Now()
	if g, ok := e.given[s.By.ID]; ok && !s.Mints && now.Before(g.Until.Add(-renewAt)) && !now.Before(g.From) {
		return g, nil // whether it was revoked or used up, the store knows when it is spent
	}
	all, err := e.o.Store.Grants(ctx, assent.GrantFilter{Now: now, Boot: e.o.Boot})
	if err != nil {
		return assent.Grant{}, err
	}
	for _, g := range all {
		switch {
		case g.Width != assent.Owner || g.By.ID != s.By.ID:
		case g.RevokedBy == retired:
		case !g.Revoked.IsZero():
			return assent.Grant{}, fmt.Errorf("%s was revoked by %s: change approvals.renewed to give it again: %w", g.ID, g.RevokedBy, assent.ErrForbidden)
		case g.Used >= g.Scope.Uses:
			return assent.Grant{}, fmt.Errorf("%s is used up: change approvals.renewed to give it again: %w", g.ID, assent.ErrForbidden)
		case g.Check(now.Add(renewAt), e.o.Boot) == nil:
			e.given[s.By.ID] = g
			return g, nil
		}
	}
	return e.give(ctx, s, now)
}

func (e *Engine) give(ctx context.Context, s Standing, now time.Time) (assent.Grant, error) {
	g := assent.Grant{
		Width: assent.Owner, By: s.By, From: now, Until: now.Add(standsFor), Mints: s.Mints,
		Scope: assent.Scope{Tool: assent.AnyTool, Profile: s.Profile, Uses: ownerUses, For: assent.Duration(standsFor)},
	}
	g, err := e.o.Store.Give(ctx, g, assent.Draft{Record: assent.Record{
		At: now, Kind: assent.KindAnswer, Decision: assent.Allow, By: s.By.String(), Note: s.By.Name, Seal: g.Seal(),
	}})
	if err == nil {
		e.given[s.By.ID] = g
	}
	e.notify()
	return g, err
}
