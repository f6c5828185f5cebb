package sqlite

// Which grants count: those whose record, row and ancestors are all assent's own.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// entry is a grant and the row that it stands in.
type entry struct {
	assent.Grant
	row db.Grant
}

// entryOf reads a row.
func entryOf(row db.Grant) (entry, error) {
	g, err := grant(row)
	return entry{g, row}, err
}

// checkLine is assent.CheckLine over a line.
func checkLine(line []entry, now time.Time, boot string) error {
	var grants []assent.Grant
	for _, e := range line {
		grants = append(grants, e.Grant)
	}
	return assent.CheckLine(grants, now, boot)
}

// revoked reports whether any grant of a line was revoked.
func revoked(line []entry) bool {
	return slices.ContainsFunc(line, func(e entry) bool { return !e.Revoked.IsZero() })
}

// named returns the line of the grant with this ID. ErrNoSuchGrant when there is none
// that counts.
func (t tx) named(ctx context.Context, id string) ([]entry, error) {
	none := fmt.Errorf("grant %q: %w", id, assent.ErrNoSuchGrant)
	n, err := number(id, "gr_")
	if err != nil {
		return nil, none
	}
	row, err := t.Grant(ctx, n)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	e, err := entryOf(row)
	if err != nil {
		return nil, err
	}
	line, err := t.line(ctx, e)
	if err == nil && line == nil {
		return nil, none
	}
	return line, err
}

// line is a grant with its ancestors, the grant first; nil when one of them does not
// count.
func (t tx) line(ctx context.Context, e entry) (line []entry, err error) {
	for {
		if ok, err := t.counts(ctx, e); err != nil || !ok {
			return nil, err
		}
		line = append(line, e)
		if e.Parent == "" {
			return line, nil
		}
		p, err := number(e.Parent, "gr_")
		if err != nil || p >= e.row.N { // a parent is older than its child
			return nil, nil
		}
		row, err := t.Grant(ctx, p)
		if err != nil {
			return nil, missing(err)
		}
		if e, err = entryOf(row); err != nil {
			return nil, err
		}
	}
}

// counts reports whether a grant is what assent wrote: its row has its mark and is the
// newest that was written, and the record that gave it is whole, genuine, and says so.
func (t tx) counts(ctx context.Context, e entry) (bool, error) {
	if ok, err := t.right(e.row.Mark, grantBytes(e.row)); err != nil || !ok {
		return false, err
	}
	kept, err := t.Vouching(ctx, db.VouchingParams{Grant: e.row.N, N: e.row.Record})
	if err != nil {
		return false, missing(err)
	}
	rec, ok := whole(kept.Leaf, kept.Hash)
	newest := kept.Newest
	if t.changed != nil { // who only reads may see what was true a moment ago
		newest = max(newest, t.last(e.row.N), t.changed[e.row.N])
	}
	if !ok || !e.VouchedBy(rec) || t.witness != nil && newest != e.row.Changed {
		return false, nil
	}
	return t.genuine(rec, kept.Hash)
}

// missing is nil for a row that is not there.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// change writes what a record changed of a grant. Who calls it has seen that the row is
// right: a row of somebody else's must not get a mark.
func (t tx) change(ctx context.Context, row db.Grant, by assent.Record) (assent.Grant, error) {
	row.Changed = int64(by.N)
	mark, err := t.mark(grantBytes(row))
	if err != nil {
		return assent.Grant{}, err
	}
	row.Mark = mark
	if err := t.put(ctx, row, by); err != nil {
		return assent.Grant{}, err
	}
	return grant(row)
}

// put writes a grant's row as it is, and that the record changed it.
func (t tx) put(ctx context.Context, row db.Grant, by assent.Record) error {
	err := t.ChangeGrant(ctx, db.ChangeGrantParams{
		N: row.N, Used: row.Used, LastUsed: row.LastUsed, Revoked: row.Revoked, RevokedBy: row.RevokedBy,
		Taken: row.Taken, Changed: row.Changed, Mark: row.Mark,
	})
	if err != nil {
		return err
	}
	t.changed[row.N] = int64(by.N)
	return t.NoteChange(ctx, db.NoteChangeParams{GrantN: row.N, Record: int64(by.N)})
}
