package assent

// The Witness: assent's own signature under what it wrote.

// Witness proves that what stands in a store was written by the assent of this home,
// after it knew who was behind it. Whoever writes into the database without the
// home's key makes nothing that counts. It may be called concurrently.
type Witness interface {
	// Sign signs the bytes of a record, Ed25519. An error: the key cannot be had.
	Sign(msg []byte) ([]byte, error)
	// Signed reports whether sig is this witness's own over msg.
	Signed(msg, sig []byte) (bool, error)
	// Mark is a short code (HMAC-SHA-256) over a row that changes: cheaper than a
	// signature, and for the witness alone to check.
	Mark(msg []byte) ([]byte, error)
}

// Attested reports whether records of a kind are signed: those that give authority,
// make keys count, or take either back.
func Attested(kind string) bool {
	switch kind {
	case KindAnswer, KindKey, KindRevoke, KindHandle:
		return true
	}
	return false
}

// Genuine reports whether a record is signed by the witness, in the place in which it
// stands. A nil witness takes every record for genuine: so do tests, and embedders
// whose store nobody else can write to.
func Genuine(rec Record, w Witness) (bool, error) {
	if w == nil {
		return true, nil
	}
	sig := rec.Sig
	rec.Sig = nil
	unsigned, err := rec.Leaf()
	if err != nil || len(sig) == 0 {
		return false, nil
	}
	return w.Signed(unsigned, sig)
}
