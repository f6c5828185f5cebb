// Package roster says who stands behind an answer: a person at a terminal that
// no agent shares, or the holder of a registered approver key.
//
// It never decides what somebody may answer, never asks a process about itself,
// and never takes the absence of a proof for one: who is not known is refused.
//
//	public, err := roster.Create(dir, "anna", "anna.key", passphrase)
//	key, err := roster.Load("anna.key", askPassphrase)
//	signed, err := answer.Signed()
//	answer.Proof = key.Prove(signed)
//	who, err := roster.New(dir).Identify(ctx, answer.Proof, signed)
package roster

// The Roster: from a proof to a person.

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"strconv"

	"assent"
)

// The surfaces that identities of this roster belong to.
const (
	SurfaceKey      = "key"
	SurfaceTerminal = "terminal"
)

// Roster knows its owner and the holders of the approver keys whose public
// halves lie in its directory. It reads them anew for every question, so a key
// that was taken out counts no more at once. It may be used concurrently.
type Roster struct {
	// Vouch is asked about a registered key before its signature counts; nil
	// trusts the directory alone. An error refuses the key.
	Vouch func(ctx context.Context, key Approver) error

	dir   string
	owner int
}

var _ assent.Roster = (*Roster)(nil)

// New returns the roster over a directory of public keys, owned by the calling
// user. The directory need not exist yet.
func New(dir string) *Roster { return &Roster{dir: dir, owner: os.Getuid()} }

// Identify returns who stands behind the proof. What leads to an agent is
// refused first, whatever else it shows (law 11); then a signature decides if
// there is one; then a terminal of the owner, which nobody has had others asked from. Errors are ErrSelfApproval and
// ErrForbidden, which also stands for keys that cannot be read.
func (r *Roster) Identify(ctx context.Context, p assent.Proof, signed []byte) (assent.Identity, error) {
	switch {
	case p.Peer != nil && p.Peer.Agent != "":
		return assent.Identity{}, fmt.Errorf("%s: %w", p.Peer.Agent, assent.ErrSelfApproval)
	case len(p.Signature) > 0 || p.Key != "":
		return r.holder(ctx, p, signed)
	case p.Peer != nil && p.Peer.Asker != "":
		return assent.Identity{}, fmt.Errorf("%s, for which it was asked: answer in another terminal, or with --key FILE: %w", p.Peer.Asker, assent.ErrSelfApproval)
	case p.Peer != nil && p.Peer.PID > 0 && p.Peer.TTY != 0 && p.Peer.UID == r.owner:
		return assent.Identity{Surface: SurfaceTerminal, ID: "uid:" + strconv.Itoa(r.owner)}, nil
	}
	return assent.Identity{}, fmt.Errorf("nobody stands behind this: use a terminal of your own, or --key FILE (assent keys create): %w", assent.ErrForbidden)
}

// holder verifies the signature against the registered key that it names.
func (r *Roster) holder(ctx context.Context, p assent.Proof, signed []byte) (assent.Identity, error) {
	e, err := r.find(p.Key)
	if err != nil {
		return assent.Identity{}, err
	}
	if len(signed) == 0 || !ed25519.Verify(e.Public, signed, p.Signature) {
		return assent.Identity{}, fmt.Errorf("the signature is not that of approver key %q over this answer: %w", e.Name, assent.ErrForbidden)
	}
	if r.Vouch != nil {
		if err := r.Vouch(ctx, e); err != nil {
			return assent.Identity{}, fmt.Errorf("approver key %q is not vouched for: %v: %w", e.Name, err, assent.ErrForbidden)
		}
	}
	return assent.Identity{Surface: SurfaceKey, ID: e.Fingerprint, Name: e.Name}, nil
}

func (r *Roster) find(fingerprint string) (Approver, error) {
	all, err := r.Approvers()
	if err != nil {
		return Approver{}, err
	}
	for _, a := range all {
		if fingerprint != "" && a.Fingerprint == fingerprint {
			return a, nil
		}
	}
	return Approver{}, fmt.Errorf("no approver key %q is registered here (assent keys create): %w", fingerprint, assent.ErrForbidden)
}
