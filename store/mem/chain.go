package mem

// The record chain, and the sessions that drafts note.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"assent"
)

// Append writes a record of its own.
func (s *Store) Append(ctx context.Context, d assent.Draft) (assent.Record, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Record{}, err
	}
	defer s.mu.Unlock()
	recs, err := s.write(d)
	if err != nil {
		return assent.Record{}, err
	}
	return recs[0], nil
}

// write chains the drafts and keeps them, all or none.
func (s *Store) write(drafts ...assent.Draft) ([]assent.Record, error) {
	head, recs, lines := s.head, []assent.Record(nil), []assent.Line(nil)
	for _, d := range drafts {
		rec, line, next, err := s.link(head, d)
		if err != nil {
			return nil, err
		}
		head, recs, lines = next, append(recs, rec), append(lines, line)
	}
	s.head, s.lines = head, append(s.lines, lines...)
	for _, d := range drafts {
		s.note(d.Session)
	}
	return recs, nil
}

// link makes the record after head of a draft.
func (s *Store) link(head assent.Head, d assent.Draft) (assent.Record, assent.Line, assent.Head, error) {
	var line assent.Line
	if d.Record.At.IsZero() {
		return assent.Record{}, line, head, fmt.Errorf("a record needs its time: %w", assent.ErrInvalid)
	}
	d.Record.Payload = ""
	if len(d.Payload) > 0 {
		line.Salt = make([]byte, 16)
		rand.Read(line.Salt) // never fails
		line.Payload = slices.Clone(d.Payload)
		d.Record.Payload = assent.PayloadHash(line.Salt, line.Payload)
	}
	rec, leaf, next, err := head.Next(d.Record, s.witness)
	line.N, line.Leaf, line.Hash = rec.N, leaf, next.Hash
	return rec, line, next, err
}

// speaker is a process that has spoken for a session.
type speaker struct {
	session, boot string
	pid           int
	start         uint64
}

// note keeps that a process speaks for a session. A session that it is noted for
// again goes on from where it started; one that had ended starts anew.
func (s *Store) note(now *assent.Session) {
	if now == nil || now.ID == "" {
		return
	}
	next := *now
	next.Started, next.Ended = stamp(next.Started), time.Time{}
	p := now.Process
	by := speaker{now.ID, p.Boot, p.PID, p.Start}
	old, known := s.sessions[by]
	if known && old.Ended.IsZero() {
		next.Started = old.Started
	}
	if !known && p.Boot != "" {
		maps.DeleteFunc(s.sessions, func(k speaker, _ assent.Session) bool { return k.boot != "" && k.boot != p.Boot })
	}
	s.sessions[by] = next
}

// Lines returns the records after n, in order, at most limit.
func (s *Store) Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if after >= s.head.N || limit <= 0 {
		return nil, nil
	}
	rest := s.lines[after:]
	out := slices.Clone(rest[:min(limit, len(rest))])
	for i := range out {
		out[i].Leaf, out[i].Salt, out[i].Payload = slices.Clone(out[i].Leaf), slices.Clone(out[i].Salt), slices.Clone(out[i].Payload)
	}
	return out, nil
}

// Keys returns the genuine records of kind KindKey, oldest first.
func (s *Store) Keys(ctx context.Context) ([]assent.Record, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var keys []assent.Record
	for _, l := range s.lines {
		var rec assent.Record
		if err := json.Unmarshal(l.Leaf, &rec); err != nil {
			return nil, err
		}
		if rec.Kind != assent.KindKey {
			continue
		}
		ok, err := s.genuine(rec)
		if err != nil {
			return nil, err
		}
		if ok {
			keys = append(keys, rec)
		}
	}
	return keys, nil
}

// genuine reports whether the witness signed a record. A record never changes, and
// neither does the answer.
func (s *Store) genuine(rec assent.Record) (bool, error) {
	ok, known := s.signed[rec.N]
	if known {
		return ok, nil
	}
	ok, err := assent.Genuine(rec, s.witness)
	if err == nil {
		s.signed[rec.N] = ok
	}
	return ok, err
}

// Head returns the end of the chain.
func (s *Store) Head(ctx context.Context) (assent.Head, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Head{}, err
	}
	defer s.mu.Unlock()
	return s.head, nil
}

// stamp is a time as it is kept: UTC, without a monotonic reading.
func stamp(t time.Time) time.Time { return t.UTC().Round(0) }
