package serve

// What the holder's door believes of whoever says how a use goes on.

import (
	"encoding/json"
	"errors"
	"testing"

	"assent"
)

// What a process has written, it may have written before it ran our program: it wrote the
// whole of it, became assent, and was taken at its word.
func TestAUseIsGivenBackToWhoeverRunsOurProgramNow(t *testing.T) {
	t.Parallel()
	f := start(t)
	use := func(call string) (assent.Verdict, error) {
		return f.Use(t.Context(), assent.Use{Event: shell(call, "touch a"), Ask: true})
	}
	f.say(t, must[assent.Verdict](t)(use("c1")).Request, assent.Allow)
	v := must[assent.Verdict](t)(use("c1"))
	if v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	end := assent.End{Session: v.Session, Call: "c1", Digest: v.Digest}
	say := func(word string) (said Ended) {
		t.Helper()
		end.Word = word
		status, raw := f.through(t, Holder, "POST", "/v1/end", must[[]byte](t)(json.Marshal(end)))
		if err := json.Unmarshal(raw, &said); err != nil || status != 200 {
			t.Fatalf("%d %s", status, raw)
		}
		return said
	}
	used := func() int {
		all := must[[]assent.Grant](t)(f.server.Engine.Store().Grants(t.Context(), assent.GrantFilter{}))
		return all[0].Used
	}
	if said := say(""); said.Done || said.Word == "" || used() != 1 {
		t.Fatalf("%+v, %d used", said, used())
	}
	if err := f.End(t.Context(), assent.End{Session: v.Session, Call: "c1", Digest: v.Digest}); err != nil || used() != 0 {
		t.Fatalf("our own word: %v, %d used", err, used())
	}
	if v := must[assent.Verdict](t)(use("c2")); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	end.Call = "c2"
	if said := say("made up"); !said.Done || used() != 1 {
		t.Fatalf("%+v, %d used", said, used())
	}
}

// What an agent does by itself is its hooks' to tell of: at the holder's door nobody has
// its use given back, or says that it runs.
func TestAnAgentsOwnCallIsNotTheHoldersAffair(t *testing.T) {
	t.Parallel()
	f := start(t)
	e := shell("c1", "touch a")
	e.Session = "s1"
	hook := func() assent.Verdict { return must[assent.Verdict](t)(f.Handle(t.Context(), e)) }
	f.say(t, hook().Request, assent.Allow)
	if v := hook(); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	records := must[[]assent.Line](t)(f.server.Engine.Store().Lines(t.Context(), 0, 100))
	var told assent.Record
	if err := json.Unmarshal(records[len(records)-1].Leaf, &told); err != nil {
		t.Fatal(err)
	}
	end := assent.End{Session: "s1", Call: "c1", Digest: told.Digest}
	if err := f.End(t.Context(), end); !errors.Is(err, assent.ErrForbidden) {
		t.Error(err)
	}
	begin := assent.Start{Session: "s1", Call: "c1", Digest: told.Digest}
	if err := f.Begin(t.Context(), begin); !errors.Is(err, assent.ErrForbidden) {
		t.Error(err)
	}
}
