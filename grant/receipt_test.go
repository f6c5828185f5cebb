package grant_test

// The laws of receipts: for one audience, once, for a minute.

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/grant"
	"assent/internal/seal"
)

const audience, nonce = "https://deploy.example", "n-4711"

var jwk = json.RawMessage(`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`)

func receipt() grant.Receipt {
	scope := assent.Scope{Tool: "exec", Programs: []string{"deploy"}, Dir: "/srv/shop", Uses: 3, For: assent.Duration(time.Hour)}
	return grant.Receipt{
		Subject: "session:s", Audience: audience, Nonce: nonce, Confirm: &grant.Confirm{Key: jwk},
		Details: []grant.Detail{{Type: grant.ActionType, Actions: []string{"exec"}, Identifier: "gr_7", Digest: digest, Scope: &scope, UsesLeft: 2}},
	}
}

// issued is a receipt of noon, and what its audience expects.
func issued(t testing.TB) (token string, want grant.Expect, key *seal.Key) {
	t.Helper()
	key = home(t)
	if _, err := key.Sign(nil); err != nil { // a receipt is of a grant, whose record was signed
		t.Fatal(err)
	}
	public, err := key.PublicFor("receipt")
	if err != nil {
		t.Fatal(err)
	}
	token, err = receipt().Sign(key, noon)
	if err != nil {
		t.Fatal(err)
	}
	return token, grant.Expect{Public: public, Audience: audience, Nonce: nonce}, key
}

func TestAReceiptSaysWhatWasSigned(t *testing.T) {
	t.Parallel()
	token, want, _ := issued(t)
	r, err := grant.Verify(token, want, noon)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Details[0]
	if r.Subject != "session:s" || r.IssuedAt != noon.Unix() || r.NotBefore != noon.Unix() || r.Expires != noon.Unix()+60 || len(r.ID) < 20 || !strings.HasPrefix(r.Issuer, "SHA256:") {
		t.Errorf("%+v", r)
	}
	if d.Digest != digest || d.Identifier != "gr_7" || d.UsesLeft != 2 || d.Scope.For != assent.Duration(time.Hour) || !bytes.Contains(r.Confirm.Key, []byte("OKP")) {
		t.Errorf("%+v", d)
	}
	head, _ := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[0])
	var h map[string]string
	if json.Unmarshal(head, &h) != nil || h["alg"] != "EdDSA" || h["typ"] != "assent-receipt+jwt" || h["kid"] != r.Issuer {
		t.Errorf("%s", head)
	}
	other, _, _ := issued(t)
	if o, _, _ := strings.Cut(other, "."); o == strings.Split(token, ".")[0] {
		t.Error("two homes, and one key")
	}
}

// Leeway and the grant's own deadline only take time away.
func TestAReceiptEndsAndNothingMakesItLonger(t *testing.T) {
	t.Parallel()
	token, want, key := issued(t)
	at := func(after, leeway time.Duration, token string) error {
		want := want
		want.Leeway = leeway
		_, err := grant.Verify(token, want, noon.Add(after))
		return err
	}
	soon := receipt()
	soon.Expires = noon.Unix() + 5
	short, err := soon.Sign(key, noon.Add(999*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	late := receipt()
	late.Expires = noon.Unix() + 3600
	long, _ := late.Sign(key, noon)
	for _, c := range []struct {
		after, leeway time.Duration
		token         string
		want          error
	}{
		{0, 0, token, nil},
		{time.Minute - 1, 0, token, nil},
		{time.Minute, 0, token, assent.ErrExpired},
		{time.Hour, 0, token, assent.ErrExpired},
		{50 * time.Second, 10 * time.Second, token, assent.ErrExpired},
		{50*time.Second - 1, 10 * time.Second, token, nil},
		{time.Minute, -time.Hour, token, assent.ErrExpired},
		{-1, 0, token, assent.ErrInvalid},
		{-1, time.Hour, token, assent.ErrInvalid},
		{5*time.Second - 1, 0, short, nil},
		{5 * time.Second, 0, short, assent.ErrExpired},
		{time.Minute - 1, 0, long, nil},
		{time.Minute, 0, long, assent.ErrExpired},
	} {
		if err := at(c.after, c.leeway, c.token); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v after, leeway %v: %v, want %v", c.after, c.leeway, err, c.want)
		}
	}
	over := receipt()
	over.Expires = noon.Unix()
	if token, err := over.Sign(key, noon); !errors.Is(err, assent.ErrExpired) || token != "" {
		t.Error(err)
	}
}

// A receipt is heard by whom it is for, in answer to the question it answers.
func TestAdversarial11AReceiptIsNotReplayed(t *testing.T) {
	t.Parallel()
	token, want, _ := issued(t)
	_, other, _ := issued(t)
	for name, change := range map[string]func(*grant.Expect){
		"another audience":         func(e *grant.Expect) { e.Audience = "https://other.example" },
		"an audience that is part": func(e *grant.Expect) { e.Audience = audience[:len(audience)-1] },
		"in other letters":         func(e *grant.Expect) { e.Audience = strings.ToUpper(audience) },
		"no audience":              func(e *grant.Expect) { e.Audience = "" },
		"the next nonce":           func(e *grant.Expect) { e.Nonce = "n-4712" },
		"no nonce":                 func(e *grant.Expect) { e.Nonce = "" },
		"another home":             func(e *grant.Expect) { e.Public = other.Public },
	} {
		want := want
		change(&want)
		if r, err := grant.Verify(token, want, noon); !errors.Is(err, assent.ErrForbidden) || r.Subject != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, public := range []ed25519.PublicKey{nil, want.Public[:31]} {
		want := want
		want.Public = public
		if _, err := grant.Verify(token, want, noon); !errors.Is(err, assent.ErrInvalid) {
			t.Error(err)
		}
	}
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// forger has all that a home signs with, and one good receipt by it.
type forger struct {
	t            *testing.T
	key          *seal.Key
	token        string
	parts        []string
	head, claims string
}

// sign is a token by the home's own key with any header and any claims.
func (f forger) sign(head, claims string) string {
	f.t.Helper()
	signed := b64(head) + "." + b64(claims)
	sig, err := f.key.SignFor("receipt", []byte(signed))
	if err != nil {
		f.t.Fatal(err)
	}
	return signed + "." + b64(string(sig))
}

// titled and claiming are the receipt with one thing put in another's place, signed.
func (f forger) titled(old, to string) string {
	return f.sign(strings.Replace(f.head, old, to, 1), f.claims)
}

func (f forger) claiming(old, to string) string {
	f.t.Helper()
	if !strings.Contains(f.claims, old) {
		f.t.Fatalf("%s has no %s", f.claims, old)
	}
	return f.sign(f.head, strings.Replace(f.claims, old, to, 1))
}

func (f forger) headers() map[string]string {
	unsigned := func(head string) string { return b64(head) + "." + f.parts[1] + "." + f.parts[2] }
	return map[string]string{
		"alg none":              b64(`{"alg":"none","typ":"assent-receipt+jwt"}`) + "." + f.parts[1] + ".",
		"alg none, with a tail": unsigned(strings.Replace(f.head, "EdDSA", "none", 1)),
		"alg HS256":             unsigned(strings.Replace(f.head, "EdDSA", "HS256", 1)),
		"alg in other letters":  f.titled("EdDSA", "EDDSA"),
		"typ JWT":               f.titled("assent-receipt+jwt", "JWT"),
		"crit":                  f.titled("{", `{"crit":["x"],"x":1,`),
		"a header more":         f.titled("{", `{"jku":"https://x",`),
		"a header twice":        f.titled("{", `{"alg":"none",`),
		"another kid":           f.titled("SHA256:", "SHA256:x"),
		"a space in the header": f.titled(":", ": "),
	}
}

func (f forger) texts() map[string]string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(f.claims, "{"), ",")
	return map[string]string{
		"a claim twice":           f.claiming(`{"aud"`, `{"aud":"https://evil.example","aud"`),
		"a claim in capitals":     f.claiming(`"aud"`, `"AUD"`),
		"a claim more":            f.claiming(`{"aud"`, `{"admin":true,"aud"`),
		"claims in another order": f.sign(f.head, "{"+strings.TrimSuffix(rest, "}")+","+first+"}"),
		"a space":                 f.claiming(`,"exp"`, `, "exp"`),
		"aud as a list":           f.claiming(`"aud":"`+audience+`"`, `"aud":["`+audience+`"]`),
		"exp as a text":           f.claiming(`"exp":`, `"exp":"9","exq":`),
		"exp as a fraction":       f.claiming(`"exp":1`, `"exp":1.5,"exq":1`),
		"another issuer":          f.claiming(`"iss":"SHA256:`, `"iss":"SHA256:x`),
		"no details":              f.claiming("authorization_details", "authorisation_details"),
		"details of another":      f.claiming("assent_action", "payment"),
		"no claims":               f.sign(f.head, "{}"),
		"null":                    f.sign(f.head, "null"),
		"a list":                  f.sign(f.head, "["+f.claims+"]"),
		"two values":              f.sign(f.head, f.claims+f.claims),
		"not UTF-8":               f.claiming("session:s", "session:\xff"),
		"a private key":           f.claiming(`"kty"`, `"d":"x","kty"`),
	}
}

func (f forger) forms() map[string]string {
	p := f.parts
	record, _ := f.key.Sign([]byte(p[0] + "." + p[1]))
	sig, _ := base64.RawURLEncoding.DecodeString(p[2])
	sig[63] |= 0xe0
	return map[string]string{
		"signed as a record":        p[0] + "." + p[1] + "." + b64(string(record)),
		"a number beyond the order": p[0] + "." + p[1] + "." + b64(string(sig)),
		"no signature":              p[0] + "." + p[1] + ".",
		"two parts":                 p[0] + "." + p[1],
		"four parts":                f.token + "." + p[2],
		"padding":                   f.token + "=",
		"a line break":              p[0] + "." + p[1] + "\n." + p[2],
		"a line break in it":        p[0] + "." + p[1][:9] + "\r\n" + p[1][9:] + "." + p[2],
		"a space before":            " " + f.token,
		"nothing":                   "",
		"dots":                      "..",
		"a handle":                  handle(f.t).Reveal(),
		"100 KB":                    p[0] + "." + strings.Repeat("A", 100<<10) + "." + p[2],
		"bits that nobody reads":    f.token[:len(f.token)-1] + string(f.token[len(f.token)-1]+1),
	}
}

// times are receipts whose moments do not fit together.
func (f forger) times() map[string]string {
	all := map[string]string{}
	for _, t := range [][3]float64{{60, 60, 120}, {0, 0, 61}, {0, 1, 60}, {0, -1, 60}, {-3600, -3600, 60}, {0, 0, 0}, {-9e15, -9e15, 9e15}} {
		var c map[string]any
		if err := json.Unmarshal([]byte(f.claims), &c); err != nil {
			f.t.Fatal(err)
		}
		at := float64(noon.Unix())
		c["iat"], c["nbf"], c["exp"] = at+t[0], at+t[1], at+t[2]
		raw, _ := json.Marshal(c)
		canon, err := assent.Canonical(raw)
		if err != nil {
			f.t.Fatal(err)
		}
		all[fmt.Sprint(t)] = f.sign(f.head, string(canon))
	}
	return all
}

// Even what the home's own key signed is no receipt when it is spelt in another way.
func TestAdversarial17ForgedReceipts(t *testing.T) {
	t.Parallel()
	token, want, key := issued(t)
	parts := strings.Split(token, ".")
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	f := forger{t, key, token, parts, string(head), string(claims)}
	if _, err := grant.Verify(f.sign(f.head, f.claims), want, noon); err != nil {
		t.Fatal("the test forges nothing:", err)
	}
	for _, forged := range []map[string]string{f.headers(), f.texts(), f.forms(), f.times()} {
		for name, token := range forged {
			r, err := grant.Verify(token, want, noon)
			if err == nil || r.Subject != "" {
				t.Errorf("%s: verified as %+v", name, r)
			}
			if !errors.Is(err, assent.ErrInvalid) && !errors.Is(err, assent.ErrForbidden) && !errors.Is(err, assent.ErrExpired) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestAReceiptForNobodyIsNotSigned(t *testing.T) {
	t.Parallel()
	_, _, key := issued(t)
	for name, change := range map[string]func(*grant.Receipt){
		"no holder":         func(r *grant.Receipt) { r.Subject = "" },
		"no audience":       func(r *grant.Receipt) { r.Audience = "" },
		"no nonce":          func(r *grant.Receipt) { r.Nonce = "" },
		"no text":           func(r *grant.Receipt) { r.Nonce = "\xff" },
		"no details":        func(r *grant.Receipt) { r.Details = nil },
		"no grant":          func(r *grant.Receipt) { r.Details[0].Identifier = "" },
		"another type":      func(r *grant.Receipt) { r.Details[0].Type = "" },
		"a private key":     func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`{"kty":"OKP","d":"x"}`) },
		"a secret":          func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`{"kty":"oct","k":"x"}`) },
		"primes":            func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`{"kty":"RSA","n":"x","e":"y","p":"z"}`) },
		"no key":            func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`"x"`) },
		"a key of two ways": func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`{"kty":"OKP","x":"a","x":"b"}`) },
		"null":              func(r *grant.Receipt) { r.Confirm.Key = json.RawMessage(`null`) },
		"too much":          func(r *grant.Receipt) { r.Details[0].Digest = strings.Repeat("a", 20<<10) },
	} {
		r := receipt()
		change(&r)
		if token, err := r.Sign(key, noon); !errors.Is(err, assent.ErrInvalid) || token != "" {
			t.Errorf("%s: %q, %v", name, token, err)
		}
	}
	if _, err := receipt().Sign(home(t), noon); !errors.Is(err, assent.ErrNotFound) {
		t.Error("a home without a key has no grant to tell of:", err)
	}
}

// A token is either what was signed, byte for byte, or nothing.
func FuzzReceipt(f *testing.F) {
	token, want, _ := issued(f)
	f.Add(token)
	for _, s := range []string{"", "..", "a.b.c", strings.Replace(token, ".", "..", 1), token[:len(token)-1], strings.ToUpper(token)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := grant.Verify(s, want, noon); (err == nil) != (s == token) {
			t.Errorf("%q: %v", s, err)
		}
	})
}

func BenchmarkReceipt(b *testing.B) {
	token, want, key := issued(b)
	b.Run("sign", func(b *testing.B) {
		for b.Loop() {
			if _, err := receipt().Sign(key, noon); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if _, err := grant.Verify(token, want, noon); err != nil {
				b.Fatal(err)
			}
		}
	})
}
