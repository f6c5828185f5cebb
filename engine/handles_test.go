package engine_test

// Laws of handles and receipts: a secret is worth nothing in other hands.

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/engine"
	"assent/grant"
	"assent/internal/seal"
)

// keyed is a world with a key of its home, in which processes descend from those with
// a lower number that they are in line with.
func keyed(t *testing.T) (*world, *seal.Key) {
	t.Helper()
	key := seal.Open(filepath.Join(t.TempDir(), "assent.key"))
	w := newWorld(engine.Options{Home: key, Within: func(p, root assent.Process) bool {
		return root.PID != 404 && (p.PID == root.PID || p.PID/10 == root.PID)
	}})
	return w, key
}

// handle has a person make a handle of a session grant for a holder.
func (w *world) handle(t *testing.T, to assent.Holder) (text, of string) {
	t.Helper()
	w.bought(t, w.use(peerOf(7, "s"), input{}), assent.InSess)
	of = mustGrants(w, assent.GrantFilter{Live: true, Now: w.now(), Boot: "boot-1"})[0].ID
	text, held, err := w.Hold(t.Context(), assent.Handling{Grant: of, Holder: to, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	if held.Grant != of || strings.Contains(text, held.Hash) {
		t.Fatalf("%+v", held)
	}
	return text, of
}

func TestAdversarial07AHandleIsOfItsHolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to   assent.Holder
		peer *assent.Peer
		want error
	}{
		"its session":                {assent.Holder{Session: "s"}, peerOf(8, "s"), nil},
		"another session":            {assent.Holder{Session: "s"}, peerOf(8, "t"), assent.ErrForbidden},
		"no session":                 {assent.Holder{Session: "s"}, peerOf(8), assent.ErrForbidden},
		"a sub-agent of the session": {assent.Holder{Session: "s"}, peerOf(8, "s/helper"), assent.ErrForbidden},
		"its process":                {assent.Holder{Process: &assent.Process{PID: 9}}, peerOf(9), nil},
		"a child of its process":     {assent.Holder{Process: &assent.Process{PID: 9}}, peerOf(91), nil},
		"another process":            {assent.Holder{Process: &assent.Process{PID: 9}}, peerOf(8, "s"), assent.ErrForbidden},
		"over HTTP, a session's":     {assent.Holder{Session: "s"}, nil, nil},
		"over HTTP, a process's":     {assent.Holder{Process: &assent.Process{PID: 9}}, nil, assent.ErrForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := keyed(t)
			text, of := w.handle(t, c.to)
			u := w.use(c.peer, input{})
			u.Handle = text
			v, err := w.Use(t.Context(), u)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if c.want == nil && (v.Decision != assent.Allow || v.Grant != of) {
				t.Fatalf("%+v", v)
			}
			if rec := w.lastRecord(t); c.want != nil && (rec.Kind != assent.KindRefused || strings.Contains(rec.Note, text[len(assent.HandlePrefix):])) {
				t.Fatalf("%+v", rec)
			}
		})
	}
}

func TestAdversarial07AGuessedHandleIsNone(t *testing.T) {
	t.Parallel()
	w, _ := keyed(t)
	w.handle(t, assent.Holder{Session: "s"})
	other := seal.Open(filepath.Join(t.TempDir(), "assent.key"))
	made, _, err := grant.NewHandle(other)
	must(t, err)
	for text, want := range map[string]error{
		made.Reveal():                assent.ErrNoSuchGrant,
		assent.HandlePrefix + "AAAA": assent.ErrInvalid,
		"gr_1":                       assent.ErrInvalid,
	} {
		u := w.use(peerOf(7, "s"), input{})
		u.Handle = text
		if _, err := w.Use(t.Context(), u); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// Whatever else its holder has, a handle spends the grant that it is of.
func TestAdversarial07AHandleSpendsItsOwnGrant(t *testing.T) {
	t.Parallel()
	w, _ := keyed(t)
	own, of := w.handle(t, assent.Holder{Session: "s"})
	w.bought(t, w.use(peerOf(9, "t"), input{}), assent.Always) // which covers the session s too
	all := mustGrants(w, assent.GrantFilter{})
	other := all[len(all)-1].ID
	text, _, err := w.Hold(t.Context(), assent.Handling{Grant: other, Holder: assent.Holder{Session: "s"}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	for _, x := range []struct{ handle, of string }{{own, of}, {text, other}} {
		u := w.use(peerOf(7, "s"), input{})
		u.Handle = x.handle
		if v := ok(w.Use(t.Context(), u)); v.Decision != assent.Allow || v.Grant != x.of {
			t.Errorf("a handle of %s: %+v", x.of, v)
		}
	}
	_, err = w.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: of}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	u := w.use(peerOf(7, "s"), input{})
	u.Handle = own
	if _, err := w.Use(t.Context(), u); !errors.Is(err, assent.ErrRevoked) {
		t.Errorf("after its grant was revoked, with another one live: %v", err)
	}
}

func TestAdversarial02AHandleEndsWithItsGrant(t *testing.T) {
	t.Parallel()
	w, _ := keyed(t)
	text, of := w.handle(t, assent.Holder{Session: "s"})
	_, err := w.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: of}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	u := w.use(peerOf(7, "s"), input{})
	u.Handle = text
	if _, err := w.Use(t.Context(), u); !errors.Is(err, assent.ErrRevoked) {
		t.Fatal(err)
	}
}

func TestAdversarial08ANarrowedHandleIsForLess(t *testing.T) {
	t.Parallel()
	w, _ := keyed(t)
	text, _ := w.handle(t, assent.Holder{Session: "s"})
	less, err := grant.Narrow(text, grant.Caveat{Until: w.now().Add(time.Minute)}, grant.Caveat{Tool: assent.ToolShell})
	must(t, err)
	u := w.use(peerOf(7, "s"), input{})
	u.Handle = less
	if v := ok(w.Use(t.Context(), u)); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	w.pass(time.Minute)
	u = w.use(peerOf(7, "s"), input{})
	u.Handle = less
	if _, err := w.Use(t.Context(), u); !errors.Is(err, assent.ErrExpired) {
		t.Fatal(err)
	}
	u.Handle = text
	if v := ok(w.Use(t.Context(), u)); v.Decision != assent.Allow {
		t.Fatalf("the whole one is as good as before: %+v", v)
	}
	none, err := grant.Narrow(text, grant.Caveat{Tool: assent.ToolFetch})
	must(t, err)
	u = w.use(peerOf(7, "s"), input{})
	u.Handle = none
	if _, err := w.Use(t.Context(), u); !errors.Is(err, assent.ErrScope) {
		t.Fatal(err)
	}
	if rec := w.lastRecord(t); rec.Decision != assent.Deny {
		t.Fatalf("%+v", rec)
	}
}

func TestAdversarial04OnlyAPersonMakesAHandle(t *testing.T) {
	t.Parallel()
	w, _ := keyed(t)
	_, of := w.handle(t, assent.Holder{Session: "s"})
	owner := assent.Proof{Key: "owner"}
	agents := assent.Proof{Key: "owner", Peer: &assent.Peer{Agent: "child of test"}}
	for name, c := range map[string]struct {
		h    assent.Handling
		want error
	}{
		"nobody":                  {assent.Handling{Grant: of, Holder: assent.Holder{Session: "s"}}, assent.ErrForbidden},
		"the one who asks":        {assent.Handling{Grant: of, Holder: assent.Holder{Session: "s"}, At: w.now(), Proof: agents}, assent.ErrSelfApproval},
		"for nobody":              {assent.Handling{Grant: of, At: w.now(), Proof: owner}, assent.ErrInvalid},
		"for another session":     {assent.Handling{Grant: of, Holder: assent.Holder{Session: "t"}, At: w.now(), Proof: owner}, assent.ErrScope},
		"of nothing":              {assent.Handling{Grant: "gr_99", Holder: assent.Holder{Session: "s"}, At: w.now(), Proof: owner}, assent.ErrNoSuchGrant},
		"for who is not there":    {assent.Handling{Grant: of, Holder: assent.Holder{Process: &assent.Process{PID: 404}}, At: w.now(), Proof: owner}, assent.ErrNotFound},
		"signed an hour ago":      {assent.Handling{Grant: of, Holder: assent.Holder{Session: "s"}, At: w.now().Add(-time.Hour), Proof: owner}, assent.ErrStale},
		"signed for an hour from": {assent.Handling{Grant: of, Holder: assent.Holder{Session: "s"}, At: w.now().Add(time.Hour), Proof: owner}, assent.ErrStale},
	} {
		if text, _, err := w.Hold(t.Context(), c.h); !errors.Is(err, c.want) || text != "" {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestAReceiptTellsWhatIsTrueToWhoMayHear(t *testing.T) {
	t.Parallel()
	w, key := keyed(t)
	_, of := w.handle(t, assent.Holder{Session: "s"})
	wish := assent.ReceiptWish{Grant: of, Audience: "https://deploy.example", Nonce: "n-1", Peer: peerOf(8, "s")}
	text, err := w.Receipt(t.Context(), wish)
	must(t, err)
	public, err := key.PublicFor("receipt")
	must(t, err)
	r, err := grant.Verify(text, grant.Expect{Public: public, Audience: wish.Audience, Nonce: wish.Nonce}, w.now())
	must(t, err)
	if d := r.Details[0]; r.Subject != "s" || d.Identifier != of || d.UsesLeft != 100 || !slices.Equal(d.Actions, []string{assent.ToolShell}) {
		t.Fatalf("%+v", r)
	}
	if _, err := grant.Verify(text, grant.Expect{Public: public, Audience: wish.Audience, Nonce: wish.Nonce}, w.now().Add(time.Minute)); !errors.Is(err, assent.ErrExpired) {
		t.Fatalf("a minute later: %v", err)
	}
	for name, p := range map[string]*assent.Peer{"another session": peerOf(8, "t"), "nobody": nil, "without a terminal": peerOf(8)} {
		wish.Peer = p
		if _, err := w.Receipt(t.Context(), wish); !errors.Is(err, assent.ErrForbidden) || w.lastRecord(t).Kind != assent.KindRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
	u := w.use(peerOf(7, "s"), input{})
	v := ok(w.Use(t.Context(), u))
	wish.Peer, wish.Call = peerOf(8, "s"), u.Event.Call
	if text, err = w.Receipt(t.Context(), wish); err != nil || v.Grant != of {
		t.Fatal(err)
	}
	r, err = grant.Verify(text, grant.Expect{Public: public, Audience: wish.Audience, Nonce: wish.Nonce}, w.now())
	must(t, err)
	if d := r.Details[0]; d.Call != u.Event.Call || d.UsesLeft != 99 || d.Digest == "" {
		t.Fatalf("%+v", d)
	}
	wish.Call = "call-none"
	if _, err := w.Receipt(t.Context(), wish); !errors.Is(err, assent.ErrNotFound) {
		t.Fatal(err)
	}
}
