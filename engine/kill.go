package engine

// Kill: the end of what assent itself runs under grants that were revoked.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"assent"
)

// killSelected ends what runs under the grants of a selection and what came of them,
// also where they were revoked before, and returns what it ended. What was allowed just
// before the revocation, and says only now that it runs, is refused that and ends itself:
// it waits for that a moment.
func (e *Engine) killSelected(ctx context.Context, s assent.Selection, by string) ([]assent.Call, error) {
	var ids []string
	if !s.All {
		var err error
		if ids, err = e.family(ctx, s); err != nil || len(ids) == 0 {
			return nil, err
		}
	}
	killed, err := e.kill(ctx, ids, by)
	return killed, errors.Join(err, e.settle(ctx, func(grant string) bool { return s.All || slices.Contains(ids, grant) }))
}

// family are the grants of a selection that is not all, with what came of them.
func (e *Engine) family(ctx context.Context, s assent.Selection) (ids []string, err error) {
	all, err := e.o.Store.Grants(ctx, assent.GrantFilter{})
	for _, g := range all { // the older stand first
		if g.ID == s.ID || s.Session != "" && assent.Within(g.Scope.Session, s.Session) || slices.Contains(ids, g.Parent) {
			ids = append(ids, g.ID)
		}
	}
	return ids, err
}

const (
	settling  = time.Second // how long what was just allowed may take to begin or to end
	allowedIn = 5 * time.Second
	peek      = 20 * time.Millisecond
)

// settle waits until nothing is left that a grant was spent for of late and that neither
// runs nor is over.
func (e *Engine) settle(ctx context.Context, of func(grant string) bool) error {
	for range settling / peek {
		left, err := e.unbegun(ctx, of)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(peek):
		}
	}
	return nil
}

// unbegun counts the calls that a use was spent for of late, of which neither a beginning
// nor an end is recorded.
func (e *Engine) unbegun(ctx context.Context, of func(grant string) bool) (left int, err error) {
	records, err := e.newest(ctx)
	if err != nil {
		return 0, err
	}
	since, told := e.o.Now().Add(-allowedIn), map[string]bool{}
	for r := range records {
		switch {
		case r.At.Before(since):
			return left, nil
		case r.Kind == assent.KindBegin, r.Kind == assent.KindEnd, r.Kind == assent.KindRefund, r.Kind == assent.KindKilled:
			told[r.Call] = true
		case r.Kind == assent.KindEvent && r.Agent == assent.AgentBroker && r.Use > 0 && of(r.Grant) && !told[r.Call]:
			told[r.Call] = true
			left++
		}
	}
	return left, nil
}

// kill ends what runs under grants that are revoked, all at once, and records it. Without
// grants it is all that runs under any. What the store cannot vouch for is an error, and
// no reason to let the rest run.
func (e *Engine) kill(ctx context.Context, grants []string, by string) (killed []assent.Call, err error) {
	running, unread := e.o.Store.Running(ctx, grants)
	if e.o.Kill == nil {
		return nil, unread
	}
	failed := make([]error, len(running))
	var all sync.WaitGroup
	for i, c := range running {
		all.Go(func() { failed[i] = e.o.Kill(ctx, c) })
	}
	all.Wait()
	for i, c := range running {
		d := assent.Draft{Record: assent.Record{
			At: e.o.Now(), Kind: assent.KindKilled, Session: c.Session, Call: c.ID, Digest: c.Digest, Grant: c.Grant, By: by,
		}}
		if failed[i] != nil {
			d.Record.Note = failed[i].Error()
			_, wrote := e.o.Store.Append(ctx, d)
			failed[i] = errors.Join(fmt.Errorf("%s of %s could not be ended: %w", c.ID, c.Grant, failed[i]), wrote)
			continue
		}
		killed = append(killed, c)
		failed[i] = e.o.Store.Finish(ctx, c.Session, c.ID, d) // whoever ran it may be gone
	}
	return killed, errors.Join(append(failed, unread)...)
}
