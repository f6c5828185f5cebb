package sqlite

// What assent runs itself under a grant: begun, given back, listed.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"assent"
	"assent/store/sqlite/db"
)

// Begin notes on an open call that has spent a use that what it was for runs now.
func (s *Store) Begin(ctx context.Context, c assent.Call, d assent.Draft) error {
	return s.write(ctx, func(t tx) error {
		kept, line, err := t.spent(ctx, c)
		switch {
		case err != nil:
		case kept.Began != "":
			err = assent.ErrSettled
		case revoked(line):
			err = assent.ErrRevoked
		}
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		if kept.Child, err = processOf(c.Child); err != nil {
			return err
		}
		kept.Began = cmp.Or(stamp(c.Began), stamp(d.Record.At))
		d.Record.Grant = kept.GrantID
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		return t.keep(ctx, kept, false)
	})
}

// Refund gives back the use that an open call has taken, as long as it did not begin.
func (s *Store) Refund(ctx context.Context, c assent.Call, d assent.Draft) (g assent.Grant, err error) {
	if d.Record.Kind != assent.KindRefund {
		return g, fmt.Errorf("refund: its record is of the kind %q: %w", d.Record.Kind, assent.ErrInvalid)
	}
	err = s.write(ctx, func(t tx) error {
		kept, line, err := t.spent(ctx, c)
		if err == nil && kept.Began != "" {
			err = fmt.Errorf("it began: %w", assent.ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("refund: %w", err)
		}
		d.Record.Grant, d.Record.Use = kept.GrantID, int(kept.Use)
		rec, err := t.append(ctx, d)
		if err != nil {
			return err
		}
		if g, err = t.restore(ctx, line, rec); err != nil {
			return err
		}
		kept.Closed = stamp(rec.At)
		return t.keep(ctx, kept, false)
	})
	if err != nil {
		return assent.Grant{}, err
	}
	return g, nil
}

// restore gives one use back to the grant and its ancestors, and returns the grant.
func (t tx) restore(ctx context.Context, line []entry, by assent.Record) (back assent.Grant, err error) {
	for i, e := range line {
		e.row.Used--
		g, err := t.change(ctx, e.row, by)
		if err != nil {
			return back, err
		}
		if i == 0 {
			back = g
		}
	}
	return back, nil
}

// spent returns the open call of this name that has spent a use, and the line of its
// grant. ErrNotFound when there is none.
func (t tx) spent(ctx context.Context, c assent.Call) (db.Call, []entry, error) {
	kept, fresh, err := t.open(ctx, c)
	if err == nil && (fresh || kept.GrantID == "") {
		err = fmt.Errorf("call %q of session %q has spent nothing: %w", c.ID, c.Session, assent.ErrNotFound)
	}
	if err != nil {
		return kept, nil, err
	}
	line, err := t.named(ctx, kept.GrantID)
	return kept, line, err
}

// Running lists the open calls that began under one of these grants or what descends
// of them, oldest first; without grants, all that began. ErrDamaged when somebody else
// wrote on one, with those that are as they were written.
func (s *Store) Running(ctx context.Context, grants []string) (out []assent.Call, err error) {
	err = s.look(ctx, func(t tx) error {
		rows, err := t.RunningCalls(ctx)
		if err != nil {
			return err
		}
		var damage error
		for _, row := range rows {
			under, err := t.under(ctx, row, grants)
			if err != nil {
				damage = errors.Join(damage, err)
				continue
			}
			c, err := call(row)
			if err != nil {
				damage = errors.Join(damage, err)
			} else if under {
				out = append(out, c)
			}
		}
		return damage
	})
	return out, err
}

// under reports whether a call began under one of the grants; under any, without.
func (t tx) under(ctx context.Context, c db.Call, grants []string) (bool, error) {
	ok, err := t.right(c.Mark, callBytes(c))
	if err != nil || !ok {
		return false, errors.Join(err, fmt.Errorf("call %q of session %q is not what assent wrote there; see assent log verify: %w", c.ID, c.Session, assent.ErrDamaged))
	}
	if len(grants) == 0 {
		return true, nil
	}
	line, err := t.named(ctx, c.GrantID)
	if err != nil {
		return false, damaged(fmt.Sprintf("call %q of session %q", c.ID, c.Session), err)
	}
	return slices.ContainsFunc(line, func(e entry) bool { return slices.Contains(grants, e.ID) }), nil
}
