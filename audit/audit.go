// Package audit proves that the log is whole: that every record is the one that
// was written, in its place, and that what the store says of requests and grants
// is what the log says.
//
// It reads; it never repairs, and never writes a record: stores do that, inside
// the transaction that the record is about. What it cannot see alone is a log
// that was cut off at its end, or rewritten whole: compare Report.Head with one
// that was kept elsewhere.
//
//	report, err := audit.Verify(ctx, store, key)
//	if errors.Is(err, assent.ErrChain) {
//		fmt.Println(err) // "record 17: its hash is not the hash of its bytes: …"
//	}
//	fmt.Println(report.Records, report.Head.Hash)
package audit

// Verify: the walk along the chain.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assent"
)

// Source is where lines come from: a store, or a file of exported ones. Lines
// returns the records after n, in order, at most limit, and none at the end.
type Source interface {
	Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error)
}

// Report is what was found to be whole: all of the log, or its part before the
// first broken place.
type Report struct {
	Records         uint64      `json:"records"`
	Head            assent.Head `json:"head"` // of the last whole record
	From            time.Time   `json:"from,omitzero"`
	To              time.Time   `json:"to,omitzero"`
	PayloadsMissing int         `json:"payloads_missing"` // deleted, as they may be
}

// page is how many lines are read at a time.
const page = 500

// Verify walks all lines and computes everything anew: the canonical form, the
// numbers, the links, the hashes, and those of payloads that are still there; and
// that w signed every record that gives authority or takes it back (assent.Attested),
// unless w is nil. ErrChain names the first broken place in one sentence.
func Verify(ctx context.Context, src Source, w assent.Witness) (Report, error) {
	return walk(ctx, src, w, func(assent.Record) {})
}

// walk verifies the lines and shows each whole record to see.
func walk(ctx context.Context, src Source, w assent.Witness, see func(assent.Record)) (Report, error) {
	var r Report
	for {
		lines, err := src.Lines(ctx, r.Head.N, page)
		if err != nil {
			return r, fmt.Errorf("verify after record %d: %w", r.Head.N, err)
		}
		if len(lines) == 0 {
			return r, nil
		}
		for _, l := range lines {
			rec, wrong := whole(r.Head, l)
			if wrong == "" {
				if wrong, err = unsigned(rec, w); err != nil {
					return r, fmt.Errorf("verify record %d: %w", l.N, err)
				}
			}
			if wrong != "" {
				return r, fmt.Errorf("record %d: %s: %w", r.Head.N+1, wrong, assent.ErrChain)
			}
			r.add(rec, l)
			see(rec)
		}
	}
}

func (r *Report) add(rec assent.Record, l assent.Line) {
	r.Records++
	r.Head = assent.Head{N: rec.N, Hash: l.Hash}
	if r.From.IsZero() {
		r.From = rec.At
	}
	r.To = rec.At
	if rec.Payload != "" && l.Payload == nil {
		r.PayloadsMissing++
	}
}

// whole reads the line after head and says what is wrong with it, in the order
// that tells most: a line that is not there before one that does not link.
func whole(head assent.Head, l assent.Line) (rec assent.Record, wrong string) {
	prev := head.Hash
	if head.N == 0 {
		prev = assent.NoPrev
	}
	canon, err := assent.Canonical(l.Leaf)
	switch {
	case l.N != head.N+1:
		return rec, fmt.Sprintf("it is missing, record %d follows", l.N)
	case assent.LeafHash(l.Leaf) != l.Hash:
		return rec, "its hash is not the hash of its bytes"
	case err != nil || !bytes.Equal(canon, l.Leaf):
		return rec, "its bytes are not canonical JSON"
	}
	if err := json.Unmarshal(l.Leaf, &rec); err != nil { // fields of a newer program are not wrong
		return rec, fmt.Sprintf("its bytes are not a record (%v)", err)
	}
	switch {
	case rec.N != l.N:
		return rec, fmt.Sprintf("it calls itself record %d", rec.N)
	case rec.Prev != prev:
		return rec, fmt.Sprintf("it does not follow record %d", head.N)
	}
	return rec, payload(rec, l)
}

// unsigned says what is wrong with the signature of a record that should have one.
func unsigned(rec assent.Record, w assent.Witness) (string, error) {
	if w == nil || !assent.Attested(rec.Kind) {
		return "", nil
	}
	ok, err := assent.Genuine(rec, w)
	switch {
	case err != nil || ok:
		return "", err
	case len(rec.Sig) == 0:
		return fmt.Sprintf("it is of the kind %q, and this home's key did not sign it: somebody else wrote it, or it is from before there was a key", rec.Kind), nil
	}
	return "its signature is not that of this home's key", nil
}

// payload says what is wrong with the payload of a record. One that is gone is
// not wrong.
func payload(rec assent.Record, l assent.Line) string {
	switch {
	case l.Payload == nil:
		return ""
	case rec.Payload == "":
		return "it has a payload that it does not know of"
	case assent.PayloadHash(l.Salt, l.Payload) != rec.Payload:
		return "its payload is not the one that was recorded"
	}
	return ""
}
