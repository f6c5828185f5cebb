package sqlite

// Handles: kept by their hash, each with the record that vouches for it.

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
	"assent/store/sqlite/db"
)

// Hold keeps a handle of a grant and gives it its ID and its record.
func (s *Store) Hold(ctx context.Context, h assent.Held, d assent.Draft) (out assent.Held, err error) {
	if h.Hash == "" || len(h.Nonce) == 0 || h.Holder == (assent.Holder{}) || d.Record.Kind != assent.KindHandle {
		return assent.Held{}, fmt.Errorf("a handle needs a hash, a nonce, a holder and a record of its kind: %w", assent.ErrInvalid)
	}
	err = s.write(ctx, func(t tx) error {
		if _, err := t.named(ctx, h.Grant); err != nil {
			return fmt.Errorf("hold: %w", err)
		}
		if _, err := t.HandleByHash(ctx, h.Hash); !errors.Is(err, sql.ErrNoRows) {
			return errors.Join(err, fmt.Errorf("hold: there is such a handle: %w", assent.ErrSettled))
		}
		last, err := t.LastHandle(ctx)
		if err != nil {
			return err
		}
		h.At = h.At.UTC().Round(0)
		d.Record.Grant, d.Record.Seal = h.Grant, h.Seal()
		rec, err := t.append(ctx, d)
		if err != nil {
			return err
		}
		row, err := t.insert(ctx, db.Handle{N: last + 1, Hash: h.Hash, Record: int64(rec.N)}, h)
		if err == nil {
			out, err = held(row)
		}
		return err
	})
	if err != nil {
		return assent.Held{}, err
	}
	return out, nil
}

// insert keeps a new handle.
func (t tx) insert(ctx context.Context, row db.Handle, h assent.Held) (db.Handle, error) {
	var err error
	if row.Body, err = encode(h); err != nil {
		return row, fmt.Errorf("handle: %w", err)
	}
	if row.Mark, err = t.mark(handleBytes(row)); err != nil {
		return row, err
	}
	return row, t.InsertHandle(ctx, db.InsertHandleParams(row))
}

// held reads a handle.
func held(row db.Handle) (h assent.Held, err error) {
	if err := json.Unmarshal(row.Body, &h); err != nil {
		return h, damaged(handleID(row.N), err)
	}
	h.ID, h.Record = handleID(row.N), uint64(row.Record)
	return h, nil
}

// Held returns the handle with this hash or ID, if its record vouches for it.
func (s *Store) Held(ctx context.Context, hashOrID string) (h assent.Held, err error) {
	none := fmt.Errorf("handle: %w", assent.ErrNoSuchGrant) // and not which: it may be a secret, by mistake
	err = s.look(ctx, func(t tx) error {
		row, err := t.handle(ctx, hashOrID)
		if errors.Is(err, sql.ErrNoRows) || errors.Is(err, assent.ErrInvalid) {
			return none
		}
		if err != nil {
			return err
		}
		ok := false
		if h, ok, err = t.ours(ctx, row); err == nil && !ok {
			err = none
		}
		return err
	})
	if err != nil {
		return assent.Held{}, err
	}
	return h, nil
}

func (t tx) handle(ctx context.Context, hashOrID string) (db.Handle, error) {
	if !strings.HasPrefix(hashOrID, "hd_") {
		return t.HandleByHash(ctx, hashOrID)
	}
	n, err := number(hashOrID, "hd_")
	if err != nil {
		return db.Handle{}, err
	}
	return t.Handle(ctx, n)
}

// ours reads a handle, and reports whether it is assent's own.
func (t tx) ours(ctx context.Context, row db.Handle) (h assent.Held, ok bool, err error) {
	if ok, err = t.right(row.Mark, handleBytes(row)); err != nil || !ok {
		return h, false, err
	}
	if h, err = held(row); err != nil {
		return h, false, err
	}
	kept, err := t.Record(ctx, row.Record)
	if err != nil {
		return h, false, missing(err)
	}
	rec, ok := whole(kept.Leaf, kept.Hash)
	if !ok || h.Hash != row.Hash || !h.VouchedBy(rec) {
		return h, false, nil
	}
	ok, err = t.genuine(rec, kept.Hash)
	return h, ok, err
}
