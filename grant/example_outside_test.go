package grant_test

// What others do with handles and receipts, without asking assent. docs/grants.md shows
// the same lines.

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"assent/grant"
)

// aHome stands for the key of a home.
type aHome struct{ ed25519.PrivateKey }

func (h aHome) Derive(purpose string, nonce []byte) ([]byte, error) {
	sum := sha256.Sum256(append(append(h.Seed(), purpose...), nonce...))
	return sum[:], nil
}
func (h aHome) SignFor(_ string, msg []byte) ([]byte, error) {
	return ed25519.Sign(h.PrivateKey, msg), nil
}
func (h aHome) PublicFor(string) (ed25519.PublicKey, error) {
	return h.Public().(ed25519.PublicKey), nil
}

var someHome = aHome{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}

// Whoever has a handle makes a smaller one of it for a helper.
func ExampleNarrow() {
	h, _, _ := grant.NewHandle(someHome)
	handle := h.Reveal()

	less, err := grant.Narrow(handle,
		grant.Caveat{Program: "git push"},
		grant.Caveat{Until: time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)},
	)
	if err != nil {
		panic(err)
	}
	shown, _ := grant.Parse(less)
	fmt.Println(shown.Verify(h))
	fmt.Println(shown.Caveats())
	// Output:
	// <nil>
	// [program "git push" until 2026-12-01T18:00:00Z]
}

// A service that cannot ask assent checks a receipt by itself.
func ExampleVerify() {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	printed := base64.RawURLEncoding.EncodeToString(someHome.Public().(ed25519.PublicKey)) // by assent keys home
	token, _ := grant.Receipt{
		Subject: "s1", Audience: "https://shop.example", Nonce: "4711",
		Details: []grant.Detail{{Type: grant.ActionType, Actions: []string{"exec"}, Identifier: "gr_4", UsesLeft: 3}},
	}.Sign(someHome, now)

	key, err := base64.RawURLEncoding.DecodeString(printed)
	if err != nil {
		panic(err)
	}
	want := grant.Expect{Public: key, Audience: "https://shop.example", Nonce: "4711"}
	receipt, err := grant.Verify(token, want, now)
	if err != nil {
		panic(err)
	}
	fmt.Println(receipt.Details[0].Identifier, receipt.Details[0].UsesLeft)

	_, err = grant.Verify(token, want, now.Add(grant.ReceiptFor))
	fmt.Println(err)
	// Output:
	// gr_4 3
	// receipt: grant expired
}
