package assent

// The Request: what a person is asked; and the Answer that settles it.

import (
	"encoding/json"
	"time"
)

// State is where a request stands. It leaves Pending once, and never comes back.
type State string

// The states.
const (
	Pending   State = "pending"
	Approved  State = "approved"
	Denied    State = "denied"
	Expired   State = "expired"
	Withdrawn State = "withdrawn"
)

// Kind is what sort of request it is. Typed questions share the queue, the
// table and the card with approvals.
type Kind string

// The kinds.
const (
	KindApproval Kind = "approval" // may this action run?
	KindQuestion Kind = "question" // a typed question of a workflow
)

// Offer is one scope that the person may choose to grant, in words.
type Offer struct {
	Scope    Scope    `json:"scope"`
	Text     string   `json:"text"`                // "exactly this command", "rm under /home/u/p/build"
	Match    []string `json:"match,omitempty"`     // commands that the scope covers, for example
	NotMatch []string `json:"not_match,omitempty"` // and such that it does not
}

// Request is what a person is asked. The zero Quorum is one answer.
type Request struct {
	ID      string          `json:"id"`
	Kind    Kind            `json:"kind"`
	Version int             `json:"version"` // rises with each change of what is asked
	Case    Case            `json:"case"`
	Digest  string          `json:"digest"`
	Reasons []Reason        `json:"reasons,omitempty"`
	Offers  []Offer         `json:"offers,omitempty"`
	Schema  json.RawMessage `json:"schema,omitempty"` // of the answer, for questions
	Quorum  int             `json:"quorum,omitempty"`
	Opened  time.Time       `json:"opened"`
	Expires time.Time       `json:"expires"`
	State   State           `json:"state"`
	Settled time.Time       `json:"settled,omitzero"`
	Answer  *Answer         `json:"answer,omitempty"` // the one that settled it
	Grant   string          `json:"grant,omitempty"`  // the grant it became
	Asked   int             `json:"asked"`            // how many calls have joined it
	Advice  *Advice         `json:"advice,omitempty"` // what the approver said of it, or that it is being asked
}

// Advice is what an approver, which may answer before people do, said of one
// request. It is asked once: a claim is written before it runs (Done is false), and
// what it said after. A claim without an answer is no answer.
type Advice struct {
	By       Identity  `json:"by"`
	Decision Decision  `json:"decision"` // Allow, Deny, or Ask: people decide
	Reason   string    `json:"reason,omitempty"`
	Offer    int       `json:"offer,omitempty"` // for Allow: index into the request's Offers
	Width    Width     `json:"width,omitempty"` // for Allow; empty = once
	Uses     int       `json:"uses,omitempty"`  // for ForTurns
	For      Duration  `json:"for,omitempty"`   // for ForTurns; for once, how long the yes may be used if that is less
	Fault    string    `json:"fault,omitempty"` // what was wrong with the approver: then the decision is Ask
	Exit     int       `json:"exit,omitempty"`  // exit status of its process, -1 for a signal; or the HTTP status
	At       time.Time `json:"at"`
	Took     Duration  `json:"took,omitempty"`
	Done     bool      `json:"done"`
}

// Identity is a person as one surface knows them.
type Identity struct {
	Surface string `json:"surface"`        // "terminal", "key", "telegram" …
	ID      string `json:"id"`             // unique within the surface
	Name    string `json:"name,omitempty"` // for people
}

// The surfaces of approvers, which may answer before people do.
const (
	SurfaceHook  = "hook"  // the owner's approval hook
	SurfaceJudge = "judge" // a model
)

// Approver reports whether it is an approver's, and no person's.
func (i Identity) Approver() bool { return i.Surface == SurfaceHook || i.Surface == SurfaceJudge }

// String names the identity as "surface:id".
func (i Identity) String() string {
	if i.Surface == "" {
		return i.ID
	}
	return i.Surface + ":" + i.ID
}

// Called is how people call the identity: by name where it has one.
func (i Identity) Called() string {
	if i.Name != "" {
		return i.Name + " (" + i.Surface + ")"
	}
	return i.String()
}

// Proof is what shows that a person stands behind an answer.
type Proof struct {
	Key       string `json:"key,omitempty"`       // fingerprint of the approver key
	Signature []byte `json:"signature,omitempty"` // Ed25519 over Answer.Signed
	Peer      *Peer  `json:"peer,omitempty"`      // set by the door alone
}

// Answer is one person's word on one request.
type Answer struct {
	Request  string          `json:"request"`
	Version  int             `json:"version,omitempty"` // of the request that was shown; 0 = the newest
	Digest   string          `json:"digest,omitempty"`  // of what was shown; empty = not bound
	By       Identity        `json:"by"`                // set by the roster, not by the answerer
	Decision Decision        `json:"decision"`          // Allow or Deny
	Offer    int             `json:"offer,omitempty"`   // index into Offers
	Width    Width           `json:"width,omitempty"`   // for Allow; empty = once
	Uses     int             `json:"uses,omitempty"`    // for ForTurns
	For      Duration        `json:"for,omitempty"`     // for ForTurns
	Input    json.RawMessage `json:"input,omitempty"`   // an edited input
	Note     string          `json:"note,omitempty"`
	At       time.Time       `json:"at"`
	Proof    Proof           `json:"proof,omitzero"`
}

// Revocation is one person's word that grants end now.
type Revocation struct {
	Selection
	Kill  bool      `json:"kill,omitempty"` // what runs under them is ended too
	Note  string    `json:"note,omitempty"`
	At    time.Time `json:"at"`
	Proof Proof     `json:"proof,omitzero"`
}

// Forwarding is one person's word that a grant is handed on to a named session:
// that gets a child of it, never the grant itself.
type Forwarding struct {
	Grant string    `json:"grant"`
	To    string    `json:"to"`             // the session that is to hold it
	Uses  int       `json:"uses,omitempty"` // 0 = one
	For   Duration  `json:"for,omitempty"`  // 0 = as long as the grant itself
	Note  string    `json:"note,omitempty"`
	At    time.Time `json:"at"`
	Proof Proof     `json:"proof,omitzero"`
}

// Signed returns the bytes that an approver key signs: everything the person
// chose, and what they were shown, as canonical JSON.
func (a Answer) Signed() ([]byte, error) {
	a.By, a.Proof, a.At = Identity{}, Proof{}, a.At.UTC()
	return signed("assent-answer-1", a)
}

// Signed returns the bytes that an approver key signs.
func (r Revocation) Signed() ([]byte, error) {
	r.Proof, r.At = Proof{}, r.At.UTC()
	return signed("assent-revocation-1", r)
}

// Signed returns the bytes that an approver key signs.
func (f Forwarding) Signed() ([]byte, error) {
	f.Proof, f.At = Proof{}, f.At.UTC()
	return signed("assent-forwarding-1", f)
}

// Enrollment is one person's word that an approver key counts from now on.
type Enrollment struct {
	Name   string    `json:"name"`
	Key    string    `json:"key"`    // its fingerprint
	Public []byte    `json:"public"` // the public half
	At     time.Time `json:"at"`
	Proof  Proof     `json:"proof,omitzero"`
}

// Signed returns the bytes that an approver key, one that counts already, signs.
func (e Enrollment) Signed() ([]byte, error) {
	e.Proof, e.At = Proof{}, e.At.UTC()
	return signed("assent-enrollment-1", e)
}

func signed(purpose string, what any) ([]byte, error) {
	raw, err := json.Marshal(map[string]any{"purpose": purpose, "what": what})
	if err != nil {
		return nil, err
	}
	return Canonical(raw)
}
