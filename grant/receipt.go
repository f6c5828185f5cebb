package grant

// Receipts: what an outsider, who cannot ask assent, is told of a grant, for a minute.

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assent"
)

// ReceiptFor is the longest that a receipt is good.
const ReceiptFor = time.Minute

const (
	maxReceipt     = 16 << 10
	receiptType    = "assent-receipt+jwt"
	receiptPurpose = "receipt"

	// ActionType is the type of a Detail.
	ActionType = "assent_action"
)

// Receipt is a JSON Web Token's claims (RFC 7519). Times are seconds since 1970.
type Receipt struct {
	Issuer    string   `json:"iss"` // fingerprint of the key that signed it
	Subject   string   `json:"sub"` // the holder
	Audience  string   `json:"aud"` // the one it is for
	IssuedAt  int64    `json:"iat"`
	NotBefore int64    `json:"nbf"`
	Expires   int64    `json:"exp"` // good before it
	ID        string   `json:"jti"`
	Nonce     string   `json:"nonce"` // the audience's own
	Details   []Detail `json:"authorization_details"`
	Confirm   *Confirm `json:"cnf,omitempty"`
}

// Detail is what may be done, in the fields of RFC 9396 where one fits.
type Detail struct {
	Type       string        `json:"type"`             // ActionType
	Actions    []string      `json:"actions"`          // the tool
	Identifier string        `json:"identifier"`       // the grant
	Digest     string        `json:"digest,omitempty"` // the very action, where it is one
	Call       string        `json:"call,omitempty"`   // the use that was spent, where it is of one
	Scope      *assent.Scope `json:"scope,omitempty"`  // what the grant covers
	UsesLeft   int           `json:"uses_left"`        // when the receipt was made
}

// Confirm names the key whose owner alone may show the receipt (RFC 7800). That it is
// its owner who shows it, the audience finds out for itself.
type Confirm struct {
	Key json.RawMessage `json:"jwk"` // public
}

// Signer signs for a purpose: the home's key.
type Signer interface {
	SignFor(purpose string, msg []byte) ([]byte, error)
	PublicFor(purpose string) (ed25519.PublicKey, error)
}

// Sign makes a token of the receipt, good from now for ReceiptFor, or until Expires if
// that is set and earlier. Issuer, times and ID are filled in. ErrInvalid for one
// without holder, audience, nonce or details, or with a key that is not a public one;
// ErrExpired where it would never be good.
func (r Receipt) Sign(s Signer, now time.Time) (string, error) {
	public, err := s.PublicFor(receiptPurpose)
	if err != nil {
		return "", fmt.Errorf("receipt: %w", err)
	}
	until := now.Add(ReceiptFor).Unix()
	if r.Expires > 0 {
		until = min(until, r.Expires)
	}
	r.Issuer, r.ID = fingerprint(public), rand.Text()
	r.IssuedAt, r.NotBefore, r.Expires = now.Unix(), now.Unix(), until
	payload, err := r.payload()
	if err != nil {
		return "", err
	}
	if r.Expires <= r.IssuedAt {
		return "", fmt.Errorf("receipt: %w", assent.ErrExpired)
	}
	signed := header(public) + "." + encode64(payload)
	sig, err := s.SignFor(receiptPurpose, []byte(signed))
	if err != nil {
		return "", fmt.Errorf("receipt: %w", err)
	}
	token := signed + "." + encode64(sig)
	if len(token) > maxReceipt {
		return "", fmt.Errorf("receipt: %d bytes are too many: %w", len(token), assent.ErrInvalid)
	}
	return token, nil
}

// payload is the one spelling of the claims.
func (r Receipt) payload() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	return assent.Canonical(raw)
}

// check refuses claims that would be true of anybody.
func (r Receipt) check() error {
	for name, text := range map[string]string{"holder": r.Subject, "audience": r.Audience, "nonce": r.Nonce} {
		if text == "" || !utf8.ValidString(text) {
			return fmt.Errorf("its %s is missing or no text: %w", name, assent.ErrInvalid)
		}
	}
	if len(r.Details) == 0 || slices.ContainsFunc(r.Details, func(d Detail) bool { return d.Type != ActionType || d.Identifier == "" }) {
		return fmt.Errorf("it does not say of what grant it is: %w", assent.ErrInvalid)
	}
	if r.Confirm != nil && !r.Confirm.public() {
		return fmt.Errorf("the holder's key is no public key (JWK): %w", assent.ErrInvalid)
	}
	return nil
}

// public reports whether the key has the members of a public key, and no others: a
// private one told to an outsider would be lost.
func (c Confirm) public() bool {
	var key map[string]any
	if json.Unmarshal(c.Key, &key) != nil || key["kty"] == nil {
		return false
	}
	for name := range key {
		if !slices.Contains([]string{"kty", "crv", "x", "y", "n", "e", "kid", "alg", "use", "key_ops"}, name) {
			return false
		}
	}
	return true
}

// header is the one header that receipts by this key have.
func header(public ed25519.PublicKey) string {
	return encode64([]byte(`{"alg":"EdDSA","kid":"` + fingerprint(public) + `","typ":"` + receiptType + `"}`))
}

// fingerprint names a key as everywhere: "SHA256:" and its hash.
func fingerprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return "SHA256:" + encode64(sum[:])
}

// Expect is what an audience holds a receipt to. The nonce is one that it has just made
// up, and forgets when it has seen it once.
type Expect struct {
	Public   ed25519.PublicKey
	Audience string
	Nonce    string
	Leeway   time.Duration // how wrong its clock may be: receipts end so much earlier for it, never later
}

// Verify returns the claims of a token that Sign made, for this audience and nonce,
// and that is good at now. ErrForbidden: of another key, for somebody else, or seen
// before; ErrExpired: not good any more; ErrInvalid: it is no receipt, from the future,
// or written in any other way than Sign's.
func Verify(token string, want Expect, now time.Time) (Receipt, error) {
	payload, err := verified(token, want.Public)
	if err != nil {
		return Receipt{}, fmt.Errorf("receipt: %w", err)
	}
	var r Receipt
	if err := json.Unmarshal(payload, &r); err != nil {
		return Receipt{}, fmt.Errorf("receipt: its claims cannot be read: %w", assent.ErrInvalid)
	}
	// Written anew it must be the same, byte by byte: so there is no claim that we do
	// not know, none twice, and none that another reader takes for something else.
	if again, err := r.payload(); err != nil || !bytes.Equal(again, payload) {
		return Receipt{}, fmt.Errorf("receipt: its claims are not as assent writes them: %w", assent.ErrInvalid)
	}
	if err := want.hold(r, now); err != nil {
		return Receipt{}, fmt.Errorf("receipt: %w", err)
	}
	return r, nil
}

// verified returns what a token says, once its signature was found to be the key's.
func verified(token string, public ed25519.PublicKey) ([]byte, error) {
	parts := strings.Split(token, ".")
	if len(token) > maxReceipt || len(parts) != 3 || len(public) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("it is no signed token, or there is no key to verify it with: %w", assent.ErrInvalid)
	}
	if parts[0] != header(public) {
		return nil, fmt.Errorf("its header is not that of a receipt by this key: %w", assent.ErrForbidden)
	}
	payload, ok1 := decode64(parts[1])
	sig, ok2 := decode64(parts[2])
	if !ok1 || !ok2 || len(sig) != ed25519.SignatureSize {
		return nil, fmt.Errorf("a part of it was changed or cut off: %w", assent.ErrInvalid)
	}
	if !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), sig) {
		return nil, fmt.Errorf("its signature is not this key's: %w", assent.ErrForbidden)
	}
	return payload, nil
}

// hold compares the claims with what is wanted. An audience that wants nothing gets
// nothing: a receipt has both an audience and a nonce.
func (e Expect) hold(r Receipt, now time.Time) error {
	issued, until := time.Unix(r.IssuedAt, 0), time.Unix(r.Expires, 0)
	switch {
	case r.Issuer != fingerprint(e.Public):
		return fmt.Errorf("it names another issuer: %w", assent.ErrForbidden)
	case r.Audience != e.Audience:
		return fmt.Errorf("it is for another audience: %w", assent.ErrForbidden)
	case r.Nonce != e.Nonce:
		return fmt.Errorf("its nonce is not the one that was given: %w", assent.ErrForbidden)
	case r.NotBefore != r.IssuedAt || until.Sub(issued) > ReceiptFor || issued.After(now):
		return fmt.Errorf("its times cannot be: %w", assent.ErrInvalid)
	case !now.Add(max(e.Leeway, 0)).Before(until):
		return assent.ErrExpired
	}
	return nil
}
