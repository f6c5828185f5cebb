package assent

// Uses: what assent executes itself, and what its holder shows for it.

import (
	"encoding/json"
	"time"
)

// HandlePrefix begins every handle, so that scanners and the redactor know one.
const HandlePrefix = "assent_h1_"

// Exec is the Input of ToolExec: a program and all that decides what it does. It is
// canonical JSON, and so part of the digest: a change of any of it is another action.
type Exec struct {
	Argv    []string          `json:"argv"`            // Argv[0] as it was written
	Program Operand           `json:"program"`         // what Argv[0] leads to, links resolved
	Files   []Operand         `json:"files,omitempty"` // script operands and interpreters, sorted by path
	Env     map[string]string `json:"env,omitempty"`   // beside the fixed ones: "sha256:…" of each value
	Stdin   string            `json:"stdin,omitempty"` // "sha256:…" of what it is fed; OpenStdin = whatever comes; empty = nothing
	Umask   string            `json:"umask"`           // octal, "0022"
}

// Use is a wish to do something under a grant, where assent itself will do it.
type Use struct {
	Event  Event  `json:"event"`            // a pre_tool_call; its session, agent and principal are the door's to say
	Grant  string `json:"grant,omitempty"`  // the only grant to spend from; empty = any that covers it
	Handle string `json:"handle,omitempty"` // a secret handle, which names the grant and proves the holder
	Ask    bool   `json:"ask,omitempty"`    // where no grant covers it, people are asked
	Peer   *Peer  `json:"-"`                // who uses it; set by the door alone
}

// Start is the word of assent's broker on a call that it was allowed: that it runs now.
type Start struct {
	Session string   `json:"session"`
	Call    string   `json:"call"`
	Digest  string   `json:"digest"`
	Child   *Process `json:"child,omitempty"` // the leader of the process group that was started
	Peer    *Peer    `json:"-"`
}

// End is its word that the call is over.
type End struct {
	Session string    `json:"session"`
	Call    string    `json:"call"`
	Digest  string    `json:"digest"`
	Started bool      `json:"started"` // false: nothing was started, and nothing will be; the use is given back
	Exit    int       `json:"exit"`    // exit status; -1 for a signal
	Out     int64     `json:"out"`     // bytes that it wrote, where they were seen
	Note    string    `json:"note,omitempty"`
	Word    string    `json:"word,omitempty"` // the door's, where it wanted to hear this again
	At      time.Time `json:"at"`
	Peer    *Peer     `json:"-"`
	Ours    bool      `json:"-"` // the door is sure that assent's own program says so
}

// Holder is who may use a handle: a session, a process, or both. Processes that
// descend from one count as it, for as long as it lives.
type Holder struct {
	Session string   `json:"session,omitempty"`
	Process *Process `json:"process,omitempty"`
}

// Held is a handle as it is kept: never the handle itself.
type Held struct {
	ID     string    `json:"id"`    // public: "hd_1"
	Nonce  []byte    `json:"nonce"` // of which the home's key makes the handle anew
	Hash   string    `json:"hash"`  // hex SHA-256 of the handle
	Grant  string    `json:"grant"`
	Holder Holder    `json:"holder"`
	By     Identity  `json:"by"`
	At     time.Time `json:"at"`
	Record uint64    `json:"record,omitempty"` // the record that vouches for it
}

// Seal is the hash of everything of the handle that never changes; its record has it.
func (h Held) Seal() string {
	h.ID, h.Record, h.At = "", 0, h.At.UTC()
	return canonicalHash(h)
}

// VouchedBy reports whether rec is the whole and unaltered record that made h.
func (h Held) VouchedBy(rec Record) bool {
	return rec.Kind == KindHandle && rec.N == h.Record && rec.Grant == h.Grant && rec.Seal != "" && rec.Seal == h.Seal()
}

// Handling is one person's word that a grant gets a handle, for a holder.
type Handling struct {
	Grant  string    `json:"grant"`
	Holder Holder    `json:"holder"`
	Note   string    `json:"note,omitempty"`
	At     time.Time `json:"at"`
	Proof  Proof     `json:"proof,omitzero"`
}

// Signed returns the bytes that an approver key signs.
func (h Handling) Signed() ([]byte, error) {
	h.Proof, h.At = Proof{}, h.At.UTC()
	return signed("assent-handling-1", h)
}

// Renewal is one person's word that a standing grant is to stand on.
type Renewal struct {
	Grant string    `json:"grant"`
	For   Duration  `json:"for,omitempty"` // from now; 0 = the most there is
	Note  string    `json:"note,omitempty"`
	At    time.Time `json:"at"`
	Proof Proof     `json:"proof,omitzero"`
}

// Signed returns the bytes that an approver key signs.
func (r Renewal) Signed() ([]byte, error) {
	r.Proof, r.At = Proof{}, r.At.UTC()
	return signed("assent-renewal-1", r)
}

// ReceiptWish is what a holder wants an outsider to be told of a grant.
type ReceiptWish struct {
	Grant    string          `json:"grant"`
	Call     string          `json:"call,omitempty"` // of a use that was spent; empty = of the grant itself
	Audience string          `json:"audience"`       // who is told
	Nonce    string          `json:"nonce"`          // the outsider's own, so that it is heard once
	Key      json.RawMessage `json:"key,omitempty"`  // the holder's public key (JWK), for whoever wants a proof of it
	Peer     *Peer           `json:"-"`
}

// Revoked is what a revocation ended.
type Revoked struct {
	Grants []Grant `json:"grants"`
	Killed []Call  `json:"killed,omitempty"` // what ran under them and was ended
}
