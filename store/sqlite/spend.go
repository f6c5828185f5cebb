package sqlite

// Spending: one use of a live grant for one call.

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
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
		if err != nil {
			return err
		}
		line, err := t.again(ctx, c, kept)
		again := line != nil
		if err == nil && !again {
			line, err = t.pick(ctx, c, now, boot)
		}
		if err != nil {
			return fmt.Errorf("spend: %w", err)
		}
		if !again {
			line[0].Used++
			line[0].LastUsed = now.UTC().Round(0)
			kept.GrantID, kept.Use = line[0].ID, int64(line[0].Used)
		}
		g = line[0]
		d.Record.Grant, d.Record.Use = g.ID, int(kept.Use)
		if _, err := t.append(ctx, d); err != nil || again {
			return err
		}
		return errors.Join(t.take(ctx, line, now), t.keep(ctx, kept, fresh))
	})
	if err != nil {
		return assent.Grant{}, err
	}
	return g, nil
}

// take counts the use on the grant and its ancestors.
func (t tx) take(ctx context.Context, line []assent.Grant, now time.Time) error {
	for _, g := range line {
		n, err := number(g.ID, "gr_")
		if err != nil {
			return err
		}
		if err := t.TakeUse(ctx, db.TakeUseParams{N: n, At: stamp(now)}); err != nil {
			return err
		}
	}
	return nil
}

// again returns the line of the grant that this open call has spent already, or
// nil when there is none that is still unrevoked.
func (t tx) again(ctx context.Context, c assent.Case, kept db.Call) ([]assent.Grant, error) {
	if kept.GrantID == "" {
		return nil, nil
	}
	n, err := number(kept.GrantID, "gr_")
	if err != nil {
		return nil, damaged("call "+kept.ID, err)
	}
	row, err := t.Grant(ctx, n)
	if err != nil {
		return nil, err
	}
	line, err := t.covering(ctx, row, c)
	if slices.ContainsFunc(line, func(g assent.Grant) bool { return !g.Revoked.IsZero() }) {
		return nil, nil
	}
	return line, err
}

// pick returns the line of the grant to spend from: exact before class, class
// before any tool, older before newer. When none is live: the error of the newest
// that covers the case.
func (t tx) pick(ctx context.Context, c assent.Case, now time.Time, boot string) ([]assent.Grant, error) {
	digest, at := c.Digest(), nanos(now)
	live := func(line []assent.Grant) bool { return assent.CheckLine(line, now, boot) == nil }
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
	return nil, cmp.Or(assent.CheckLine(line, now, boot), assent.ErrNoSuchGrant)
}

// class returns the line of the oldest class that covers the case and is live, or of
// the oldest grant of any tool where there is none.
func (t tx) class(ctx context.Context, c assent.Case, live func([]assent.Grant) bool, now int64) ([]assent.Grant, error) {
	var wide []assent.Grant
	class := func(line []assent.Grant) bool {
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
func (t tx) newest(ctx context.Context, c assent.Case, digest string) ([]assent.Grant, error) {
	all := func([]assent.Grant) bool { return true }
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
func (t tx) first(ctx context.Context, c assent.Case, want func([]assent.Grant) bool, next func(int64) ([]db.Grant, error), at int64) ([]assent.Grant, error) {
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
// not cover the case, and when the record of one of them does not vouch for it.
func (t tx) covering(ctx context.Context, row db.Grant, c assent.Case) ([]assent.Grant, error) {
	g, err := grant(row)
	if err != nil || !g.Covers(c) {
		return nil, err
	}
	return t.line(ctx, g, row.N)
}

// line follows a grant to its root.
func (t tx) line(ctx context.Context, g assent.Grant, n int64) (line []assent.Grant, err error) {
	for {
		if ok, err := t.vouched(ctx, g); err != nil || !ok {
			return nil, err
		}
		line = append(line, g)
		if g.Parent == "" {
			return line, nil
		}
		p, err := number(g.Parent, "gr_")
		if err != nil || p >= n { // a parent is older than its child
			return nil, nil
		}
		row, err := t.Grant(ctx, p)
		if err != nil {
			return nil, missing(err)
		}
		if g, err = grant(row); err != nil {
			return nil, err
		}
		n = p
	}
}

// missing is nil for a row that is not there.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// vouched reports whether the record that gave the grant is whole, and says so.
func (t tx) vouched(ctx context.Context, g assent.Grant) (bool, error) {
	row, err := t.Record(ctx, int64(g.Record))
	if err != nil {
		return false, missing(err)
	}
	var rec assent.Record
	if assent.LeafHash(row.Leaf) != row.Hash || json.Unmarshal(row.Leaf, &rec) != nil {
		return false, nil
	}
	return g.VouchedBy(rec), nil
}
