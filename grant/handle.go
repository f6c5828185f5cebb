package grant

// Handles: the secret by which its holder shows a durable grant, and its narrowed form.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"assent"
)

// Bounds of a handle.
const (
	MaxHandle  = 4 << 10 // bytes of text
	MaxCaveats = 16
)

const (
	secretSize = 32
	sumSize    = 4 // of the secret's hash follow it: scanners can tell a handle from noise
	nonceSize  = 16
)

// Deriver makes the same 32 secret bytes again for a purpose and a nonce, and nobody
// else does: the home's key.
type Deriver interface {
	Derive(purpose string, nonce []byte) ([]byte, error)
}

type secret [secretSize]byte

// kept is a secret within a function, which no print or dump of what holds it enters;
// nil = there is none.
type kept func() secret

func keep(raw []byte) kept {
	s := secret(raw)
	return func() secret { return s }
}

// Handle is the secret of one grant for one holder. Whatever prints it shows its
// prefix alone; Reveal is the only way to it. The zero Handle is none.
type Handle struct{ secret kept }

// NewHandle makes a handle, and the nonce of which Remake makes it again. Only the
// nonce and the Hash are to be kept.
func NewHandle(d Deriver) (h Handle, nonce []byte, err error) {
	nonce = make([]byte, nonceSize)
	rand.Read(nonce) // never fails
	h, err = Remake(d, nonce)
	return h, nonce, err
}

// Remake makes the handle of a nonce again. Under another key it is another handle.
func Remake(d Deriver, nonce []byte) (Handle, error) {
	if len(nonce) != nonceSize {
		return Handle{}, fmt.Errorf("handle: a nonce of %d bytes: %w", len(nonce), assent.ErrInvalid)
	}
	raw, err := d.Derive("handle", nonce)
	if err != nil {
		return Handle{}, fmt.Errorf("handle: %w", err)
	}
	if len(raw) != secretSize {
		return Handle{}, fmt.Errorf("handle: a secret of %d bytes: %w", len(raw), assent.ErrInvalid)
	}
	return Handle{keep(raw)}, nil
}

// Reveal is the handle's text, for its holder alone.
func (h Handle) Reveal() string {
	if h.secret == nil {
		return ""
	}
	s := h.secret()
	sum := sha256.Sum256(s[:])
	return assent.HandlePrefix + encode64(append(s[:secretSize:secretSize], sum[:sumSize]...))
}

// Hash is what is kept of the handle: the hex SHA-256 of its text. Empty for none.
func (h Handle) Hash() string {
	if h.secret == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(h.Reveal()))
	return hex.EncodeToString(sum[:])
}

const hidden = assent.HandlePrefix + "…"

// String, Format and MarshalText keep the secret out of prints, logs and JSON.
func (h Handle) String() string               { return hidden }
func (h Handle) Format(f fmt.State, _ rune)   { fmt.Fprint(f, hidden) }
func (h Handle) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Presented is a handle as somebody showed it: whole, or narrowed. It proves nothing
// before it is verified, and prints as a Handle does.
type Presented struct {
	hash    string
	caveats Caveats
	wire    []byte // the caveats as they were written
	tag     kept   // of the last caveat; of a whole handle, the secret itself
}

// Parse reads the text of a handle, whole ("assent_h1_SECRET") or narrowed
// ("assent_h1_HASH.CAVEATS.TAG"). ErrInvalid for anything that Reveal and Narrow do not
// write; no error repeats any of the text.
func Parse(text string) (Presented, error) {
	body, ok := strings.CutPrefix(text, assent.HandlePrefix)
	if !ok || len(text) > MaxHandle {
		return Presented{}, malformed("it does not begin with " + assent.HandlePrefix + ", or is too long")
	}
	parts := strings.Split(body, ".")
	if len(parts) == 1 {
		return whole(text, body)
	}
	if len(parts) != 3 {
		return Presented{}, malformed("it is not of one or three parts")
	}
	hash, ok1 := decode64(parts[0])
	wire, ok2 := decode64(parts[1])
	tag, ok3 := decode64(parts[2])
	if !ok1 || !ok2 || !ok3 || len(hash) != sha256.Size || len(tag) != secretSize {
		return Presented{}, malformed("a part of it was changed or cut off")
	}
	caveats, err := decodeCaveats(wire)
	if err != nil {
		return Presented{}, err
	}
	return Presented{hex.EncodeToString(hash), caveats, wire, keep(tag)}, nil
}

func whole(text, body string) (Presented, error) {
	raw, ok := decode64(body)
	if !ok || len(raw) != secretSize+sumSize {
		return Presented{}, malformed("it was changed or cut off")
	}
	h := Handle{keep(raw[:secretSize])}
	if subtle.ConstantTimeCompare([]byte(h.Reveal()), []byte(text)) != 1 {
		return Presented{}, malformed("its checksum is wrong: a character was changed")
	}
	return Presented{hash: h.Hash(), tag: h.secret}, nil
}

func malformed(why string) error {
	return fmt.Errorf("this is no handle: %s: %w", why, assent.ErrInvalid)
}

// Hash is what the handle is looked up by: assent.Held.Hash. Whoever shows it may
// have made it up; Verify says.
func (p Presented) Hash() string { return p.hash }

// Caveats are what the handle was narrowed to; none for a whole one.
func (p Presented) Caveats() Caveats { return p.caveats }

// Verify reports whether what was presented is h, or was made of it by Narrow alone:
// nil, or ErrNoSuchGrant.
func (p Presented) Verify(h Handle) error {
	if h.secret == nil || p.tag == nil || p.hash != h.Hash() {
		return fmt.Errorf("the handle: %w", assent.ErrNoSuchGrant)
	}
	key, tag := h.secret(), p.tag()
	for rest := p.wire; len(rest) > 0; {
		one := rest[:caveatSize(rest)] // Parse has looked at them
		key, rest = chain(key, one), rest[len(one):]
	}
	if subtle.ConstantTimeCompare(key[:], tag[:]) != 1 {
		return fmt.Errorf("the handle: %w", assent.ErrNoSuchGrant)
	}
	return nil
}

func (p Presented) String() string               { return hidden }
func (p Presented) Format(f fmt.State, _ rune)   { fmt.Fprint(f, hidden) }
func (p Presented) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Narrow returns a handle that is good for less: for what text was good for, and what
// each caveat allows besides. It needs nobody's help; no caveat can be taken off
// again. A caveat that is there already changes nothing. ErrInvalid for no caveats,
// for too many, and for one that is not well-formed.
func Narrow(text string, more ...Caveat) (string, error) {
	p, err := Parse(text)
	if err != nil {
		return "", err
	}
	tag := p.tag()
	for _, c := range more {
		one, err := c.encode()
		if err != nil {
			return "", err
		}
		if !has(p.wire, one) {
			p.wire, tag = append(p.wire, one...), chain(tag, one)
			p.caveats = append(p.caveats, c)
		}
	}
	hash, _ := hex.DecodeString(p.hash)
	out := assent.HandlePrefix + encode64(hash) + "." + encode64(p.wire) + "." + encode64(tag[:])
	if len(p.caveats) == 0 || len(p.caveats) > MaxCaveats || len(out) > MaxHandle {
		return "", fmt.Errorf("a handle is narrowed by 1 to %d caveats, and has at most %d bytes: %w", MaxCaveats, MaxHandle, assent.ErrInvalid)
	}
	return out, nil
}

// chain is the tag after one more caveat: only forward, as an HMAC goes.
func chain(key secret, caveat []byte) secret {
	h := hmac.New(sha256.New, key[:])
	h.Write(caveat)
	return secret(h.Sum(nil))
}

func encode64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// decode64 takes only the one spelling that encode64 writes.
func decode64(text string) ([]byte, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return raw, err == nil && encode64(raw) == text
}
