package redact

// Handles and receipts of our own: nothing of them is left, wherever they stand.

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/grant"
	"assent/internal/seal"
)

// forms are a handle, narrowed ones and a receipt.
func forms(t testing.TB) []string {
	t.Helper()
	key := seal.Open(filepath.Join(t.TempDir(), "key"))
	h, _, err := grant.NewHandle(key)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{h.Reveal()}
	var caveats []grant.Caveat
	for i := range 8 {
		caveats = append(caveats, grant.Caveat{Under: fmt.Sprintf("/srv/a/%d", i)})
		text, err := grant.Narrow(h.Reveal(), caveats...)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	r := grant.Receipt{Subject: "s", Audience: "https://x", Nonce: "n", Details: []grant.Detail{{Type: grant.ActionType, Actions: []string{"shell"}, Identifier: "gr_1"}}}
	token, err := r.Sign(key, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return append(all, token)
}

// left reports what of a secret is still to be read: any twelve characters of it.
func left(out, secret string) string {
	body := strings.TrimPrefix(secret, assent.HandlePrefix)
	for i := 0; i+12 <= len(body); i++ {
		if strings.Contains(out, body[i:i+12]) {
			return body[i : i+12]
		}
	}
	return ""
}

func TestAdversarial20NothingOfAHandleIsLeft(t *testing.T) {
	t.Parallel()
	for _, secret := range forms(t) {
		for name, text := range map[string]string{
			"alone":      secret,
			"argument":   "assent exec --handle " + secret + " -- ls",
			"option":     "assent exec --handle=" + secret + " -- ls",
			"variable":   "ASSENT_HANDLE=" + secret + " assent exec -- ls",
			"quoted":     `echo "` + secret + `" '` + secret + `'`,
			"sentence":   "The handle is " + secret + ". Use it.",
			"address":    "https://x/y?h=" + secret + "&a=b",
			"path":       "/tmp/" + secret + "/x",
			"two":        secret + " " + secret,
			"header":     "Authorization: Bearer " + secret,
			"multi-line": "a\n" + secret + "\nb",
		} {
			hides(t, name, text, secret)
		}
		if !strings.HasPrefix(secret, assent.HandlePrefix) {
			continue // what is glued to a letter is known by our own prefix alone
		}
		for name, text := range map[string]string{
			"escaped line":    `{"log":"x\n` + secret + `\ny"}`,
			"escaped address": "https://x/?next=" + url.QueryEscape("/y?h="+secret),
			"glued":           "x" + secret + "%20y",
			"letter before":   "h" + secret,
			"underscore":      "_" + secret,
			"cut off":         secret[:len(assent.HandlePrefix)+leastHandle],
			"half":            secret[:len(secret)/2],
			"in a name":       "password_" + secret + "=x",
		} {
			hides(t, name, text, secret)
		}
	}
}

func hides(t *testing.T, name, text, secret string) {
	t.Helper()
	out := Text(text)
	if rest := left(out, secret); rest != "" || !strings.Contains(out, Mark) {
		t.Errorf("%s: %q became %q, with %q of it", name, text, out, rest)
	}
	if again := Text(out); again != out {
		t.Errorf("%s: %q, and then %q", name, out, again)
	}
}

func TestAdversarial20NothingOfAHandleIsLeftInJSONAndLogs(t *testing.T) {
	t.Parallel()
	for _, secret := range forms(t) {
		deep := map[string]any{"a": []any{map[string]any{"text": "x " + secret, "n": 1}}}
		if strings.HasPrefix(secret, assent.HandlePrefix) {
			deep[secret] = true
		}
		raw, err := json.Marshal(deep)
		if err != nil {
			t.Fatal(err)
		}
		out := string(JSON(raw))
		if rest := left(out, secret); rest != "" || !strings.Contains(out, Mark) || !json.Valid([]byte(out)) {
			t.Errorf("%s became %s, with %q of it", raw, out, rest)
		}
		var text, lines strings.Builder
		slog.New(slog.NewTextHandler(&text, nil)).Info("used", "handle", secret, "raw", string(raw))
		slog.New(slog.NewJSONHandler(&lines, nil)).Info("used "+secret, "raw", string(raw))
		for _, line := range []string{text.String(), lines.String()} {
			if rest := left(Text(line), secret); rest != "" {
				t.Errorf("%q became %q, with %q of it", line, Text(line), rest)
			}
		}
	}
}

// What only speaks of handles stays, and so does what runs.
func TestHandlesAreNotSeenWhereThereAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a handle begins with assent_h1_", "assent_h1_… is shown", "grep -r assent_h1_ .", "assent_h1_[A-Za-z0-9_-]{48}", "assent_h1_short",
		fmt.Sprint(grant.Handle{}),
	} {
		if out := Text(text); out != text {
			t.Errorf("%q became %q", text, out)
		}
	}
	for _, secret := range forms(t) {
		for _, after := range []string{" ", ";", "&&", "|", "$(", "`", "\n", ")", "\" "} {
			if out := Text("x " + secret + after + "rm -rf /srv"); !strings.Contains(out, "rm -rf /srv") {
				t.Errorf("the command is hidden: %q", out)
			}
		}
	}
}

// FuzzHandles puts one between any two texts.
func FuzzHandles(f *testing.F) {
	for _, around := range []string{"", "x", "://", "password=\"", "-u a:", "Bearer ", "eyJaaaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", assent.HandlePrefix, "\xff"} {
		f.Add(around, around)
	}
	secret := forms(f)[0]
	f.Fuzz(func(t *testing.T, before, after string) {
		out := Text(before + secret + after)
		if rest := left(out, secret); rest != "" {
			t.Errorf("%q keeps %q", out, rest)
		}
	})
}
