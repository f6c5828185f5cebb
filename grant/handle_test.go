package grant_test

// The laws of handles.

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/grant"
	"assent/internal/seal"
)

func home(t testing.TB) *seal.Key { return seal.Open(filepath.Join(t.TempDir(), "key")) }

func handle(t testing.TB) grant.Handle {
	t.Helper()
	h, _, err := grant.NewHandle(home(t))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func narrow(t testing.TB, text string, more ...grant.Caveat) string {
	t.Helper()
	out, err := grant.Narrow(text, more...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// verify is what a holder's text is worth: nil for one that came of h.
func verify(text string, h grant.Handle) error {
	p, err := grant.Parse(text)
	if err != nil {
		return err
	}
	return p.Verify(h)
}

var three = []grant.Caveat{{Tool: "shell"}, {Dir: "/srv/shop"}, {Until: time.Date(2026, 12, 1, 12, 0, 0, 5, time.UTC)}}

func TestAHandleIsMadeAgainOfItsNonce(t *testing.T) {
	t.Parallel()
	key := home(t)
	h, nonce, err := grant.NewHandle(key)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^assent_h1_[A-Za-z0-9_-]{48}$`).MatchString(h.Reveal()) || len(h.Hash()) != 64 || len(nonce) != 16 {
		t.Errorf("%q, %q, %x", h.Reveal(), h.Hash(), nonce)
	}
	again, err := grant.Remake(key, nonce)
	if err != nil || again.Reveal() != h.Reveal() || again.Hash() != h.Hash() {
		t.Error("it is another one", err)
	}
	next, _, _ := grant.NewHandle(key)
	elsewhere, err := grant.Remake(home(t), nonce)
	if err != nil || next.Hash() == h.Hash() || elsewhere.Hash() == h.Hash() {
		t.Error("two nonces or two homes, and one handle", err)
	}
	for _, text := range []string{h.Reveal(), narrow(t, h.Reveal(), three...)} {
		p, err := grant.Parse(text)
		if err != nil || p.Hash() != h.Hash() || p.Verify(again) != nil {
			t.Error("it is not found again", err)
		}
		for _, other := range []grant.Handle{next, elsewhere, {}} {
			if err := p.Verify(other); !errors.Is(err, assent.ErrNoSuchGrant) {
				t.Errorf("verified by another handle: %v", err)
			}
		}
	}
	for _, nonce := range [][]byte{nil, nonce[:15], append(nonce, 0)} {
		if _, err := grant.Remake(key, nonce); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("a nonce of %d bytes: %v", len(nonce), err)
		}
	}
	if (grant.Handle{}).Reveal() != "" || (grant.Handle{}).Hash() != "" || (grant.Presented{}).Verify(h) == nil || (grant.Presented{}).Verify(grant.Handle{}) == nil {
		t.Error("no handle is one")
	}
}

type broken struct{ out []byte }

func (b broken) Derive(string, []byte) ([]byte, error) {
	if b.out == nil {
		return nil, assent.ErrForbidden
	}
	return b.out, nil
}

func TestAKeyThatFailsMakesNoHandle(t *testing.T) {
	t.Parallel()
	if h, _, err := grant.NewHandle(broken{}); !errors.Is(err, assent.ErrForbidden) || h.Reveal() != "" {
		t.Error(err)
	}
	if _, _, err := grant.NewHandle(broken{make([]byte, 31)}); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
}

// Who knows everything that is kept, the hash above all, still has no handle.
func TestAdversarial07AGuessedHandleIsNone(t *testing.T) {
	t.Parallel()
	h, other := handle(t), handle(t)
	hash, _ := hex.DecodeString(h.Hash())
	_, wire, tag := split(t, narrow(t, other.Reveal(), three...))
	for name, text := range map[string]string{
		"another":                       other.Reveal(),
		"another, narrowed":             narrow(t, other.Reveal(), three...),
		"its hash with another's tag":   join(hash, wire, tag),
		"its hash as the tag":           join(hash, wire, hash),
		"its hash, and nothing":         join(hash, wire, make([]byte, 32)),
		"its hash as the secret":        encoded(hash),
		"narrowed from the hash itself": must(grant.Narrow(encoded(hash), three...)),
	} {
		if err := verify(text, h); !errors.Is(err, assent.ErrNoSuchGrant) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// encoded is a whole handle with a right checksum, of any secret.
func encoded(secret []byte) string {
	h, _, err := grant.NewHandle(broken{secret})
	if err != nil {
		panic(err)
	}
	return h.Reveal()
}

func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

// split takes a narrowed handle apart.
func split(t testing.TB, text string) (hash, wire, tag []byte) {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(text, assent.HandlePrefix), ".")
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	raw := make([][]byte, 3)
	for i, p := range parts {
		raw[i], _ = base64.RawURLEncoding.DecodeString(p)
	}
	return raw[0], raw[1], raw[2]
}

func join(hash, wire, tag []byte) string {
	e := base64.RawURLEncoding.EncodeToString
	return assent.HandlePrefix + e(hash) + "." + e(wire) + "." + e(tag)
}

// pieces are the caveats of a narrowed handle as they are written.
func pieces(wire []byte) (all [][]byte) {
	for len(wire) > 0 {
		n := 3 + int(wire[1])<<8 + int(wire[2])
		all, wire = append(all, wire[:n]), wire[n:]
	}
	return all
}

func concat(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// Any one character changed, dropped or added, and it is worth nothing.
func TestAChangedHandleIsWorthNothing(t *testing.T) {
	t.Parallel()
	h := handle(t)
	for _, text := range []string{h.Reveal(), narrow(t, h.Reveal(), three...)} {
		for i := range text {
			for _, c := range "Aa0_-.\n= " {
				changed := text[:i] + string(c) + text[i+1:]
				if changed != text && verify(changed, h) == nil {
					t.Errorf("%d became %q", i, c)
				}
				if verify(text[:i]+string(c)+text[i:], h) == nil {
					t.Errorf("%q added at %d", c, i)
				}
			}
			if verify(text[:i]+text[i+1:], h) == nil {
				t.Errorf("character %d is not needed", i)
			}
		}
		for _, after := range []string{"\n", "\r\n", " ", ".", "=", "\x00"} {
			if verify(text+after, h) == nil {
				t.Errorf("%q may follow", after)
			}
		}
	}
	hash, wire, tag := split(t, narrow(t, h.Reveal(), three...))
	for _, part := range [][]byte{hash, wire, tag} {
		for bit := range 8 * len(part) {
			part[bit/8] ^= 1 << (bit % 8)
			if verify(join(hash, wire, tag), h) == nil {
				t.Errorf("bit %d does not matter", bit)
			}
			part[bit/8] ^= 1 << (bit % 8)
		}
	}
	if err := verify(join(hash, wire, tag), h); err != nil {
		t.Fatal("the test forges nothing:", err)
	}
}

// No caveat comes off, and none changes its place.
func TestNoCaveatComesOff(t *testing.T) {
	t.Parallel()
	h := handle(t)
	hash, wire, tag := split(t, narrow(t, h.Reveal(), three...))
	p := pieces(wire)
	_, _, first := split(t, narrow(t, h.Reveal(), three[0]))
	_, more, _ := split(t, narrow(t, h.Reveal(), grant.Caveat{Tool: "read"}))
	for name, forged := range map[string]string{
		"the last taken off":   join(hash, concat(p[0], p[1]), tag),
		"the first taken off":  join(hash, concat(p[1], p[2]), tag),
		"all taken off":        join(hash, nil, tag),
		"reordered":            join(hash, concat(p[1], p[0], p[2]), tag),
		"another put in":       join(hash, concat(p[0], more, p[2]), tag),
		"one added":            join(hash, concat(wire, more), tag),
		"one added twice":      join(hash, concat(wire, p[0]), tag),
		"an earlier tag":       join(hash, wire, first),
		"the tag as a secret":  encoded(tag),
		"the tag narrowed":     must(grant.Narrow(encoded(tag), three[2])),
		"a later tag, shorter": join(hash, p[0], tag),
	} {
		if err := verify(forged, h); err == nil {
			t.Errorf("%s: verified", name)
		}
	}
	if verify(join(hash, wire, tag), h) != nil || verify(join(hash, p[0], first), h) != nil {
		t.Fatal("the test forges nothing")
	}
}

// Narrowing needs nobody, goes on from where it stands, and comes to the same in one
// step or in many.
func TestNarrowingGoesOn(t *testing.T) {
	t.Parallel()
	h := handle(t)
	at := h.Reveal()
	for _, c := range three {
		at = narrow(t, at, c)
	}
	if whole := narrow(t, h.Reveal(), three...); whole != at {
		t.Error("one step is another thing than three")
	}
	if again := narrow(t, at, three[1]); again != at {
		t.Error("what is there already changes something")
	}
	p, err := grant.Parse(at)
	if err != nil || fmt.Sprint(p.Caveats()) != fmt.Sprint(grant.Caveats(three)) || p.Verify(h) != nil {
		t.Errorf("%v, %v", p.Caveats(), err)
	}
	var many []grant.Caveat
	for i := range grant.MaxCaveats {
		many = append(many, grant.Caveat{Until: time.Unix(int64(1+i), 0)})
	}
	full := narrow(t, h.Reveal(), many...)
	if err := verify(full, h); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		text string
		more []grant.Caveat
	}{
		"nothing":   {h.Reveal(), nil},
		"seventeen": {full, []grant.Caveat{{Tool: "shell"}}},
		"too long":  {h.Reveal(), []grant.Caveat{{Under: "/" + strings.Repeat("a", grant.MaxHandle*3/4)}}},
		"huge":      {h.Reveal(), []grant.Caveat{{Under: "/" + strings.Repeat("a", 1<<17)}}},
		"no handle": {"assent_h1_x", three},
	} {
		if out, err := grant.Narrow(c.text, c.more...); !errors.Is(err, assent.ErrInvalid) || out != "" {
			t.Errorf("%s: %d bytes, %v", name, len(out), err)
		}
	}
}

// A handle shows itself to who asks for it by name, and to nobody else.
func TestAdversarial20HandleNeverPrints(t *testing.T) {
	t.Parallel()
	h := handle(t)
	narrowed := narrow(t, h.Reveal(), three...)
	p, _ := grant.Parse(narrowed)
	w, _ := grant.Parse(h.Reveal())
	type open struct {
		H grant.Handle
		P *grant.Presented
	}
	type shut struct {
		h grant.Handle
		p grant.Presented
	}
	var outs []string
	for _, v := range []any{h, &h, p, &p, w, []grant.Handle{h}, map[string]grant.Presented{"a": w}, open{h, &w}, &open{h, &p}, shut{h, w}, []any{shut{h, p}}, fmt.Errorf("with %v: %w", h, assent.ErrScope)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%10.40s", "%T"} {
			outs = append(outs, fmt.Sprintf(verb, v))
		}
		raw, _ := json.Marshal(v)
		var text, lines strings.Builder
		slog.New(slog.NewTextHandler(&text, nil)).Info("a", "handle", v, slog.Any("group", slog.GroupValue(slog.Any("in", v))))
		slog.New(slog.NewJSONHandler(&lines, nil)).With("handle", v).Info(fmt.Sprint(v))
		outs = append(outs, fmt.Sprintln(v), string(raw), text.String(), lines.String())
	}
	for _, text := range []string{h.Reveal() + "A", h.Reveal()[:40], h.Reveal()[:len(h.Reveal())-1] + "!", "x" + h.Reveal(), narrowed[:len(narrowed)-3], narrowed + ".", strings.Replace(narrowed, ".", "..", 1)} {
		_, err := grant.Parse(text)
		_, err2 := grant.Narrow(text, three...)
		if err == nil || err2 == nil {
			t.Fatal("parsed:", text)
		}
		outs = append(outs, err.Error(), err2.Error())
	}
	outs = append(outs, p.Verify(handle(t)).Error(), w.Verify(handle(t)).Error(), p.Caveats().Allow(assent.Case{}, grant.Bearer{}, time.Now()).Error())
	for _, out := range outs {
		if rest := leaked(out, h.Reveal()) + leaked(out, narrowed); rest != "" {
			t.Errorf("%q shows %q", out, rest)
		}
	}
	if fmt.Sprint(h) != "assent_h1_…" || leaked(h.Reveal(), h.Reveal()) == "" || leaked(fmt.Sprintf("%d", []byte(encodedSecret(h))), h.Reveal()) == "" {
		t.Error("the test sees nothing")
	}
}

func encodedSecret(h grant.Handle) []byte {
	raw, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(h.Reveal(), assent.HandlePrefix))
	return raw[:32]
}

// leaked is what of a handle's secret part is in out: as text, in hex or in bytes.
func leaked(out, text string) string {
	body := text[strings.LastIndex(text, ".")+1:]
	body = strings.TrimPrefix(body, assent.HandlePrefix)
	raw, _ := base64.RawURLEncoding.DecodeString(body)
	for i := 0; i+8 <= len(body); i++ {
		if strings.Contains(out, body[i:i+8]) {
			return body[i : i+8]
		}
	}
	for i := 0; i+4 <= len(raw); i++ {
		part := raw[i : i+4]
		for _, as := range []string{hex.EncodeToString(part), fmt.Sprintf("%X", part), strings.Trim(fmt.Sprint(part), "[]"), string(part)} {
			if strings.Contains(out, as) {
				return as
			}
		}
	}
	return ""
}

// A text is verified when it is what its own caveats make of the handle, and never else.
func FuzzParse(f *testing.F) {
	key := home(f)
	h, _, err := grant.NewHandle(key)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"", "assent_h1_", h.Reveal(), narrow(f, h.Reveal(), three...), narrow(f, h.Reveal(), every...), join(make([]byte, 32), []byte{1, 0, 0}, make([]byte, 32)), "assent_h1_.."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := grant.Parse(text)
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) {
				t.Error(err)
			}
			return
		}
		want := h.Reveal()
		if len(p.Caveats()) > 0 {
			want = narrow(t, want, p.Caveats()...)
		}
		if got := p.Verify(h) == nil; got != (text == want) {
			t.Errorf("%q verifies: %v", text, got)
		}
		_ = p.Caveats().Allow(assent.Case{}, grant.Bearer{}, time.Now())
	})
}

// FuzzForge gives a forger all parts of a narrowed handle.
func FuzzForge(f *testing.F) {
	h := handle(f)
	hash, wire, tag := split(f, narrow(f, h.Reveal(), every...))
	f.Add(wire, tag)
	f.Add(pieces(wire)[0], tag)
	f.Fuzz(func(t *testing.T, wire, tag []byte) {
		text := join(hash, wire, tag)
		p, err := grant.Parse(text)
		if err == nil && p.Verify(h) == nil && text != narrow(t, h.Reveal(), p.Caveats()...) {
			t.Errorf("%q verifies", text)
		}
	})
}

// However it is narrowed, in however many steps: it verifies, and has all the caveats.
func TestWhatIsNarrowedVerifies(t *testing.T) {
	t.Parallel()
	h := handle(t)
	rapid.Check(t, func(t *rapid.T) {
		text, n := h.Reveal(), 0
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			more := rapid.SliceOfN(caveats(), 1, 3).Draw(t, "more")
			next, err := grant.Narrow(text, more...)
			if err != nil {
				t.Fatal(err)
			}
			p, err := grant.Parse(next)
			if err != nil || p.Verify(h) != nil || len(p.Caveats()) < n || len(next) < len(text) && n > 0 {
				t.Fatalf("%v: %v", more, err)
			}
			text, n = next, len(p.Caveats())
		}
	})
}

func BenchmarkHandle(b *testing.B) {
	key := home(b)
	h, nonce, err := grant.NewHandle(key)
	if err != nil {
		b.Fatal(err)
	}
	var ten []grant.Caveat
	for i := range 10 {
		ten = append(ten, grant.Caveat{Dir: fmt.Sprintf("/srv/shop/%d", i)})
	}
	narrowed := narrow(b, h.Reveal(), ten...)
	for name, do := range map[string]func() error{
		"remake":      func() error { _, err := grant.Remake(key, nonce); return err },
		"whole":       func() error { return verify(h.Reveal(), h) },
		"narrowed-10": func() error { return verify(narrowed, h) },
		"narrow":      func() error { _, err := grant.Narrow(h.Reveal(), three[0]); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
