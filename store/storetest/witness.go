package storetest

// A witness for tests, with a key of its own.

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
)

// Witness is an assent.Witness that keeps its key in memory.
type Witness struct{ key ed25519.PrivateKey }

// NewWitness returns a witness with a fresh key.
func NewWitness() Witness {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err) // there is no randomness
	}
	return Witness{key}
}

// Sign signs msg.
func (w Witness) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(w.key, msg), nil }

// Signed reports whether sig is Sign's over msg.
func (w Witness) Signed(msg, sig []byte) (bool, error) {
	return ed25519.Verify(w.key.Public().(ed25519.PublicKey), msg, sig), nil
}

// Mark is a code over msg that only this witness makes.
func (w Witness) Mark(msg []byte) ([]byte, error) {
	h := hmac.New(sha256.New, w.key.Seed())
	h.Write(msg)
	return h.Sum(nil), nil
}
