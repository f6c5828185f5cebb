package post

// Signatures: HMAC-SHA256 with a secret that both ends know.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// SignatureHeader carries "sha256=" and the signature in hex, both ways.
const SignatureHeader = "X-Assent-Signature-256"

// Sign is the signature of a body that is sent.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// SignAnswer is the signature of an answer: over the signature of what it answers, a
// newline, and the answer's body. So an answer is good for one request alone, and
// nobody who has overheard a yes can send it again.
func SignAnswer(secret, request string, body []byte) string {
	return Sign(secret, append([]byte(request+"\n"), body...))
}

func (r Request) signature() string { return Sign(r.Secret, r.Body) }

// Verify reports why an answer is not to be believed: nil where there is no secret,
// or where the answer is signed with it.
func (r Request) Verify(a Answer) error {
	switch {
	case r.Secret == "":
		return nil
	case a.Signature == "":
		return errors.New("the answer is not signed: " + SignatureHeader + " is missing")
	case !hmac.Equal([]byte(a.Signature), []byte(SignAnswer(r.Secret, r.signature(), a.Body))):
		return errors.New("the answer's signature is wrong")
	}
	return nil
}
