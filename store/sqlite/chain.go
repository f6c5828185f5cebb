package sqlite

// The record chain.

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"assent"
	"assent/store/sqlite/db"
)

// Append writes a record of its own.
func (s *Store) Append(ctx context.Context, d assent.Draft) (rec assent.Record, err error) {
	err = s.write(ctx, func(t tx) error {
		rec, err = t.append(ctx, d)
		return err
	})
	if err != nil {
		return assent.Record{}, err
	}
	return rec, nil
}

// head is the end of the chain as this transaction sees it: other processes may
// have written since the last one.
func (t tx) head(ctx context.Context) (assent.Head, error) {
	row, err := t.Head(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return assent.Head{}, nil
	}
	return assent.Head{N: uint64(row.N), Hash: row.Hash}, err
}

// append writes a draft as the next record, with its payload and its session.
func (t tx) append(ctx context.Context, d assent.Draft) (assent.Record, error) {
	head, err := t.head(ctx)
	if err != nil {
		return assent.Record{}, err
	}
	if d.Record.At.IsZero() {
		return assent.Record{}, fmt.Errorf("a record needs its time: %w", assent.ErrInvalid)
	}
	var salt []byte
	d.Record.Payload = ""
	if len(d.Payload) > 0 {
		salt = make([]byte, 16)
		rand.Read(salt) // never fails
		d.Record.Payload = assent.PayloadHash(salt, d.Payload)
	}
	rec, leaf, next, err := head.Next(d.Record, t.witness)
	if err != nil {
		return assent.Record{}, err
	}
	if rec.Sig != nil {
		t.remember(next.Hash, true)
	}
	n := int64(rec.N)
	if err := t.InsertRecord(ctx, db.InsertRecordParams{N: n, Leaf: leaf, Hash: next.Hash, Kind: rec.Kind, Session: rec.Session}); err != nil {
		return assent.Record{}, err
	}
	if salt != nil {
		if err := t.InsertPayload(ctx, db.InsertPayloadParams{N: n, Salt: salt, Body: d.Payload}); err != nil {
			return assent.Record{}, err
		}
	}
	return rec, t.note(ctx, d.Session)
}

// Lines returns the records after n, in order, at most limit.
func (s *Store) Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error) {
	rows, err := s.read().Lines(ctx, db.LinesParams{After: int64(min(after, 1<<62)), Most: int64(max(limit, 0))})
	out, err := each(rows, err, func(r db.LinesRow) (assent.Line, error) {
		return assent.Line{N: uint64(r.N), Leaf: r.Leaf, Hash: r.Hash, Salt: r.Salt, Payload: r.Body}, nil
	})
	return out, s.explain(err)
}

// Keys returns the records of kind KindKey, oldest first. One that the witness did not
// sign was put in by somebody else, and makes no key count.
func (s *Store) Keys(ctx context.Context) ([]assent.Record, error) {
	rows, err := s.read().KeyRecords(ctx)
	if err != nil {
		return nil, s.explain(err)
	}
	var out []assent.Record
	for _, row := range rows {
		rec, ok := whole(row.Leaf, row.Hash)
		if !ok || rec.Kind != assent.KindKey {
			return nil, fmt.Errorf("record %d is not as it was written: %w", row.N, assent.ErrChain)
		}
		if ok, err = s.trust.genuine(rec, row.Hash); err != nil {
			return nil, err
		}
		if ok {
			out = append(out, rec)
		}
	}
	return out, nil
}

// Head returns the end of the chain.
func (s *Store) Head(ctx context.Context) (assent.Head, error) {
	h, err := s.read().head(ctx)
	return h, s.explain(err)
}
