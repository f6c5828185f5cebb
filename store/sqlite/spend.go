package sqlite

// Spending: one use of a live grant for one call.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// page is how many grants are looked at at a time.
const page = 32

// Spend takes one use of a live grant that covers the case.
func (s *Store) Spend(ctx context.Context, c assent.Case, k assent.Call, now time.Time, boot string, d assent.Draft) (g assent.Grant, err error) {
	err = s.write(ctx, func(t tx) error {
		kept, fresh, err := t.open(ctx, k)
		if err == nil && kept.Began != "" {
			err = fmt.Errorf("spend: call %q has begun: %w", k.ID, assent.ErrSettled)
		}
		if err != nil {
			return err
		}
		line, err := t.again(ctx, c, kept, k.From)
		again := line != nil
		if err == nil && !again {
			line, err = t.pick(ctx, c, k.From, now, boot)
		}
		if err != nil {
			return fmt.Errorf("spend: %w", err)
		}
		g = line[0].Grant
		if !again {
			kept.GrantID, kept.Use = g.ID, line[0].row.Taken+1
		}
		d.Record.Grant, d.Record.Use = g.ID, int(kept.Use)
		rec, err := t.append(ctx, d)
		if err != nil || again {
			return err
		}
		if g, err = t.take(ctx, line, now, rec); err != nil {
			return err
		}
		return t.keep(ctx, kept, fresh)
	})
	if err != nil {
		return assent.Grant{}, err
	}
	return g, nil
}

// take counts the use on the grant and its ancestors, and returns the grant.
func (t tx) take(ctx context.Context, line []entry, now time.Time, by assent.Record) (spent assent.Grant, err error) {
	for i, e := range line {
		e.row.Used++
		e.row.Taken++
		e.row.LastUsed = stamp(now)
		g, err := t.change(ctx, e.row, by)
		if err != nil {
			return spent, err
		}
		if i == 0 {
			spent = g
		}
	}
	return spent, nil
}

// again returns the line of the grant that this open call has spent already, or nil
// when there is none that is still unrevoked, or another is wanted.
func (t tx) again(ctx context.Context, c assent.Case, kept db.Call, from string) ([]entry, error) {
	if kept.GrantID == "" || from != "" && from != kept.GrantID {
		return nil, nil
	}
	line, err := t.named(ctx, kept.GrantID)
	if errors.Is(err, assent.ErrNoSuchGrant) || err == nil && (!line[0].Covers(c) || revoked(line)) {
		return nil, nil
	}
	return line, err
}

// only returns the line of the one grant that a use is wanted of.
func (t tx) only(ctx context.Context, id string, c assent.Case, now time.Time, boot string) ([]entry, error) {
	line, err := t.named(ctx, id)
	if err == nil {
		err = checkLine(line, now, boot)
	}
	if err == nil && !line[0].Covers(c) {
		err = assent.ErrScope
	}
	return line, err
}

// pick returns the line of the grant to spend from: the one that is wanted, or exact
// before class, class before any tool, older before newer. When none is live: the
// error of the newest that covers the case.
func (t tx) pick(ctx context.Context, c assent.Case, from string, now time.Time, boot string) ([]entry, error) {
	if from != "" {
		return t.only(ctx, from, c, now, boot)
	}
	digest, at := c.Digest(), nanos(now)
	live := func(line []entry) bool { return checkLine(line, now, boot) == nil }
	line, err := t.first(ctx, c, live, func(after int64) ([]db.Grant, error) {
		return t.ExactLive(ctx, db.ExactLiveParams{Digest: digest, Now: at, After: after, Most: page})
	}, 0)
	if err == nil && line == nil {
		line, err = t.class(ctx, c, live, at)
	}
	if err != nil || line != nil {
		return line, err
	}
	if line, err = t.newest(ctx, c, digest); err != nil {
		return nil, err
	}
	return nil, cmp.Or(checkLine(line, now, boot), assent.ErrNoSuchGrant)
}

// class returns the line of the oldest class that covers the case and is live, or of
// the oldest grant of any tool where there is none.
func (t tx) class(ctx context.Context, c assent.Case, live func([]entry) bool, now int64) ([]entry, error) {
	var wide []entry
	class := func(line []entry) bool {
		if line[0].Scope.Tool != assent.AnyTool {
			return live(line)
		}
		if wide == nil && live(line) {
			wide = line
		}
		return false
	}
	line, err := t.first(ctx, c, class, func(after int64) ([]db.Grant, error) {
		return t.ClassLive(ctx, db.ClassLiveParams{Tool: c.Tool, Session: c.Session, Principal: c.Principal, Now: now, After: after, Most: page})
	}, 0)
	if line == nil {
		line = wide
	}
	return line, err
}

// newest returns the line of the newest grant that covers the case, live or not.
func (t tx) newest(ctx context.Context, c assent.Case, digest string) ([]entry, error) {
	all := func([]entry) bool { return true }
	exact, err := t.first(ctx, c, all, func(before int64) ([]db.Grant, error) {
		return t.ExactBefore(ctx, db.ExactBeforeParams{Digest: digest, Before: before, Most: page})
	}, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	class, err := t.first(ctx, c, all, func(before int64) ([]db.Grant, error) {
		return t.ClassBefore(ctx, db.ClassBeforeParams{Tool: c.Tool, Session: c.Session, Principal: c.Principal, Before: before, Most: page})
	}, math.MaxInt64)
	if exact == nil || class != nil && class[0].Record > exact[0].Record {
		return class, err
	}
	return exact, err
}

// first returns the line of the first grant that covers the case and is wanted,
// out of pages that go on from the last number of the page before.
func (t tx) first(ctx context.Context, c assent.Case, want func([]entry) bool, next func(int64) ([]db.Grant, error), at int64) ([]entry, error) {
	for {
		rows, err := next(at)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		for _, row := range rows {
			line, err := t.covering(ctx, row, c)
			if err != nil {
				return nil, err
			}
			if line != nil && want(line) {
				return line, nil
			}
		}
		at = rows[len(rows)-1].N
	}
}

// covering returns a grant with its ancestors, the grant first; nil when it does
// not cover the case, and when one of them does not count.
func (t tx) covering(ctx context.Context, row db.Grant, c assent.Case) ([]entry, error) {
	e, err := entryOf(row)
	if err != nil || !e.Covers(c) {
		return nil, err
	}
	return t.line(ctx, e)
}
