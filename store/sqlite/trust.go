package sqlite

// What a store believes: records that its witness signed, and rows that carry its mark.

import (
	"crypto/hmac"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"assent"
	"assent/store/sqlite/db"
)

// remembered is how many records a store knows the signatures of, before it forgets.
const remembered = 4096

// trust is a store's witness, and what that said of records already: it costs much to
// check a signature, and it never changes.
type trust struct {
	witness assent.Witness // nil: everything is believed, and nothing is marked

	mu     sync.Mutex
	signed map[string]bool // by the record's hash
	newest map[int64]int64 // the record by which this store itself changed each grant last
}

// genuine reports whether the record with this hash is the witness's own.
func (t *trust) genuine(rec assent.Record, hash string) (bool, error) {
	if t.witness == nil {
		return true, nil
	}
	t.mu.Lock()
	ok, known := t.signed[hash]
	t.mu.Unlock()
	if known {
		return ok, nil
	}
	ok, err := assent.Genuine(rec, t.witness)
	if err == nil {
		t.remember(hash, ok)
	}
	return ok, err
}

// remember keeps what was found of the record with this hash.
func (t *trust) remember(hash string, genuine bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.signed == nil || len(t.signed) >= remembered {
		t.signed = map[string]bool{}
	}
	t.signed[hash] = genuine
}

// note keeps what was changed by a transaction that is on the disk: an older row that is
// put back does not count while this store is open, even if the table that says which is
// the newest is edited with it.
func (t *trust) note(changed map[int64]int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.newest == nil || len(t.newest) >= 16*remembered {
		t.newest = map[int64]int64{}
	}
	maps.Copy(t.newest, changed)
}

// last is the record by which this store changed a grant last; 0 for none.
func (t *trust) last(grant int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.newest[grant]
}

// mark is the mark of a row with these bytes; nil without a witness.
func (t *trust) mark(row []byte) ([]byte, error) {
	if t.witness == nil {
		return nil, nil
	}
	m, err := t.witness.Mark(row)
	if err != nil {
		return nil, fmt.Errorf("a row cannot be marked: %w", err)
	}
	return m, nil
}

// right reports whether a row with these bytes carries its mark.
func (t *trust) right(mark, row []byte) (bool, error) {
	if t.witness == nil {
		return true, nil
	}
	if len(mark) == 0 {
		return false, nil
	}
	want, err := t.mark(row)
	return err == nil && hmac.Equal(mark, want), err
}

// whole reads a record that is as it was written: its bytes have its hash.
func whole(leaf []byte, hash string) (rec assent.Record, ok bool) {
	return rec, assent.LeafHash(leaf) == hash && json.Unmarshal(leaf, &rec) == nil
}

// bytesOf is what a row's mark is over: its table, and its values with their lengths, so
// that no two rows have the same.
func bytesOf(table string, values ...any) []byte {
	b := append([]byte(table), 0)
	text := func(v string) { b = append(binary.AppendUvarint(b, uint64(len(v))), v...) }
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			b = binary.BigEndian.AppendUint64(b, uint64(v))
		case string:
			text(v)
		case []byte:
			text(string(v))
		}
	}
	return b
}

func grantBytes(g db.Grant) []byte {
	return bytesOf("grant", g.N, g.Parent.Int64, g.Record, g.Digest, g.Tool, g.Principal, g.Session, g.Width, g.Until, g.Uses, g.Body,
		g.Used, g.LastUsed, g.Revoked, g.RevokedBy, g.Taken, g.Changed)
}

func requestBytes(r db.Answered) []byte {
	return bytesOf("request", r.N, r.Kind, r.Principal, r.Session, r.Digest, r.Expires, r.State, r.Body, r.Settled, r.GrantID,
		r.Asked, r.Advice, r.Answer)
}

func callBytes(c db.Call) []byte {
	return bytesOf("call", c.Session, c.ID, c.Digest, c.Request, c.GrantID, c.Use, c.Opened, c.Broker, c.Child, c.Began)
}

func handleBytes(h db.Handle) []byte {
	return bytesOf("handle", h.N, h.Hash, h.Record, h.Body)
}

func sessionBytes(s db.Session) []byte {
	return bytesOf("session", s.ID, s.Boot, s.Pid, s.Start, s.Started, s.Ended, s.Body)
}
