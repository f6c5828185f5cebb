package assent

// The Record: what is kept, chained by hash.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// The kinds of records.
const (
	KindEvent   = "event"   // an event was judged, or observed
	KindAnswer  = "answer"  // a person answered; an allow gave a grant
	KindRevoke  = "revoke"  // a grant was revoked
	KindExpire  = "expire"  // a request ran out
	KindRefused = "refused" // somebody tried what they may not
	KindServe   = "serve"   // the server started or stopped
	KindKey     = "key"     // an approver key was made
	KindAdvice  = "advice"  // an approver was asked about a request, and what it said
	KindClock   = "clock"   // the wall clock was found set back
	KindHook    = "hook"    // what hooks that only watch did since the last such record
	KindBegin   = "begin"   // what a grant was spent for was started by assent itself
	KindEnd     = "end"     // and what came of it
	KindRefund  = "refund"  // a use was given back: nothing was started
	KindHandle  = "handle"  // a handle of a grant was made
	KindReceipt = "receipt" // an outsider was told of a grant, signed
	KindKilled  = "killed"  // what ran under a revoked grant was ended
)

// NoPrev is the Prev of the first record.
const NoPrev = "0000000000000000000000000000000000000000000000000000000000000000"

// Record is one line of the log. Its bytes are its canonical JSON (RFC 8785),
// its hash is that of an RFC 6962 leaf over those bytes, and Prev is the hash of
// the record before: so the same lines are the leaves of a Merkle tree.
//
// What an agent sent, which may hold secrets, is not in it: Payload is the
// salted hash of bytes kept beside the log, which can be deleted without
// breaking the chain.
type Record struct {
	N        uint64          `json:"n"`    // from 1, without gaps
	Prev     string          `json:"prev"` // hex hash of record N-1
	At       time.Time       `json:"at"`   // UTC
	Kind     string          `json:"kind"`
	Event    string          `json:"event,omitempty"`
	EventID  string          `json:"event_id,omitempty"`
	Agent    string          `json:"agent,omitempty"`
	Session  string          `json:"session,omitempty"`
	Call     string          `json:"call,omitempty"`
	Tool     string          `json:"tool,omitempty"`
	Digest   string          `json:"digest,omitempty"`
	Decision Decision        `json:"decision"`
	Reasons  []Reason        `json:"reasons,omitempty"`
	Request  string          `json:"request,omitempty"`
	Grant    string          `json:"grant,omitempty"`
	Use      int             `json:"use,omitempty"`  // which use of the grant this was, of all that were ever taken
	Seal     string          `json:"seal,omitempty"` // Grant.Seal of the grant given
	By       string          `json:"by,omitempty"`   // the person or principal behind it
	Note     string          `json:"note,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`    // more, by kind: the answer with its proof
	Payload  string          `json:"payload,omitempty"` // hex SHA-256 of salt and payload
	Sig      []byte          `json:"sig,omitempty"`     // Witness.Sign over the rest, for the kinds that Attested names
}

// EndsRun reports whether the record says that what assent runs itself is over. No event
// of an agent does: what runs goes on until then, and a revocation can end it.
func (r Record) EndsRun() bool { return r.Kind == KindEnd || r.Kind == KindKilled }

// Heard is what one of the user's hooks said to an event, as the event's record has
// it in its Data under "hooks".
type Heard struct {
	By       string   `json:"by"`
	Took     Duration `json:"took"`
	Decision Decision `json:"decision"`
	Changed  bool     `json:"changed,omitempty"` // it gave another input, words, a text or a directive
	Fault    string   `json:"fault,omitempty"`
}

// Leaf returns the record's canonical bytes.
func (r Record) Leaf() ([]byte, error) {
	r.At = r.At.UTC()
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", r.N, err)
	}
	return Canonical(raw)
}

// LeafHash is the hash of a record's bytes: SHA-256 over a zero byte and them
// (RFC 6962 section 2.1), in hex.
func LeafHash(leaf []byte) string {
	h := sha256.New()
	h.Write([]byte{0})
	h.Write(leaf)
	return hex.EncodeToString(h.Sum(nil))
}

// Head is the end of the chain: the number and hash of the last record.
// The zero Head is an empty log.
type Head struct {
	N    uint64 `json:"n"`
	Hash string `json:"hash"`
}

// Next makes r the record after h: it numbers and links it, has w sign what people
// and keys are behind (Attested), and returns its bytes and the new head. Stores call
// it inside their transaction. A nil w signs nothing.
func (h Head) Next(r Record, w Witness) (Record, []byte, Head, error) {
	r.N, r.Prev, r.At, r.Sig = h.N+1, h.Hash, r.At.UTC(), nil
	if h.N == 0 {
		r.Prev = NoPrev
	}
	if w != nil && Attested(r.Kind) {
		unsigned, err := r.Leaf()
		if err != nil {
			return Record{}, nil, h, err
		}
		if r.Sig, err = w.Sign(unsigned); err != nil {
			return Record{}, nil, h, fmt.Errorf("record %d: it cannot be signed: %w", r.N, err)
		}
	}
	leaf, err := r.Leaf()
	if err != nil {
		return Record{}, nil, h, err
	}
	return r, leaf, Head{r.N, LeafHash(leaf)}, nil
}

// PayloadHash binds payload bytes to a record without revealing them.
func PayloadHash(salt, payload []byte) string {
	h := sha256.New()
	h.Write(salt)
	h.Write(payload)
	return hex.EncodeToString(h.Sum(nil))
}

// Line is a record as it is kept: its exact bytes, and its payload if that was
// not deleted.
type Line struct {
	N       uint64
	Leaf    []byte
	Hash    string // as stored; a verifier computes its own
	Salt    []byte
	Payload []byte // nil: there was none, or it was deleted
}
