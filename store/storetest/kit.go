package storetest

// The kit: a store, a clock, and the few sentences that tests are made of.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"assent"
)

// start is when every test begins, east of Greenwich so that a store that loses
// the time zone or keeps it gets noticed.
var start = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("", 3600))

type kit struct {
	*testing.T
	assent.Store
	now   time.Time
	calls int
}

func newKit(t *testing.T, s assent.Store) *kit { return &kit{T: t, Store: s, now: start} }

// must fails the test for an error.
func (k *kit) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// is fails the test unless err is want.
func (k *kit) is(err, want error) {
	k.Helper()
	if !errors.Is(err, want) {
		k.Fatalf("got error %v, want %v", err, want)
	}
}

// equal fails the test unless got is want.
func equal[T comparable](k *kit, what string, got, want T) {
	k.Helper()
	if got != want {
		k.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// draft is a record of the kind at this time.
func (k *kit) draft(kind string) assent.Draft {
	return assent.Draft{Record: assent.Record{At: k.now, Kind: kind, Agent: "test"}}
}

// shell is the case of one shell command of session s1.
func shell(command string) assent.Case {
	input, _ := json.Marshal(map[string]string{"command": command})
	return assent.Case{Event: assent.Event{
		Name: assent.PreToolCall, At: start, Agent: "test", Session: "s1", Principal: "uid:1",
		Dir: "/w", Tool: assent.ToolShell, Input: input,
	}}
}

// removes is a case that a class scope can cover: rm of a path.
func removes(path string) assent.Case {
	text := "rm -r " + path
	c := shell(text)
	c.Commands = []assent.Command{{
		Name: "rm", Program: assent.Word{Text: "rm", Value: "rm", Known: true}, Span: assent.Span{To: len(text)},
	}}
	c.Findings = []assent.Finding{{By: "test", Code: "fs.delete", Target: path, Note: "deletes"}}
	return c
}

// class is a scope of everything that removes would do under a path.
func class(under string, uses int) assent.Scope {
	return assent.Scope{Tool: assent.ToolShell, Programs: []string{"rm"}, Codes: []string{"fs.delete"}, Under: under, Uses: uses}
}

// exact is a scope of one case.
func exact(c assent.Case, uses int) assent.Scope { return assent.Scope{Digest: c.Digest(), Uses: uses} }

// anything is a scope of every action.
func anything(uses int) assent.Scope { return assent.Scope{Tool: assent.AnyTool, Uses: uses} }

// call is a call of the case with an ID of its own.
func (k *kit) call(c assent.Case) assent.Call {
	k.calls++
	return callOf(c, fmt.Sprintf("call-%d", k.calls))
}

func callOf(c assent.Case, id string) assent.Call {
	return assent.Call{Session: c.Session, ID: id, Digest: c.Digest(), Opened: c.At}
}

// ask opens a request for the case, or joins one.
func (k *kit) ask(c assent.Case) assent.Request {
	k.Helper()
	r, err := k.Ask(k.Context(), k.request(c), k.call(c), wide, k.draft(assent.KindEvent))
	k.must(err)
	return r
}

var wide = assent.Bounds{Session: 1000, All: 1000}

func (k *kit) request(c assent.Case) assent.Request {
	return assent.Request{
		Kind: assent.KindApproval, Version: 1, Case: c, Digest: c.Digest(),
		Opened: k.now, Expires: k.now.Add(time.Hour),
	}
}

// yes is a settlement that gives a grant of the scope for an hour.
func (k *kit) yes(request string, scope assent.Scope) assent.Settlement {
	by := assent.Identity{Surface: "test", ID: "ann"}
	return assent.Settlement{
		Request: request, State: assent.Approved, At: k.now,
		Answer: &assent.Answer{Request: request, By: by, Decision: assent.Allow, At: k.now},
		Grant: &assent.Grant{
			Request: request, Width: assent.ForTurns, Scope: scope, By: by,
			From: k.now, Until: k.now.Add(time.Hour),
		},
	}
}

// answer is the draft of a person's word.
func (k *kit) answer(d assent.Decision) assent.Draft {
	draft := k.draft(assent.KindAnswer)
	draft.Record.Decision = d
	return draft
}

// grant asks a question of its own and answers it with a grant, changed by with.
func (k *kit) grant(scope assent.Scope, with ...func(*assent.Grant)) assent.Grant {
	k.Helper()
	k.calls++
	r := k.ask(shell(fmt.Sprintf("question %d", k.calls)))
	s := k.yes(r.ID, scope)
	for _, change := range with {
		change(s.Grant)
	}
	_, g, err := k.Settle(k.Context(), s, k.answer(assent.Allow))
	k.must(err)
	return *g
}

// owners is a grant of the owner's own, of the scope for an hour.
func (k *kit) owners(scope assent.Scope, with ...func(*assent.Grant)) assent.Grant {
	g := assent.Grant{
		Width: assent.Owner, Scope: scope, By: assent.Identity{Surface: "config", ID: "owner"},
		From: k.now, Until: k.now.Add(time.Hour),
	}
	for _, change := range with {
		change(&g)
	}
	return g
}

// own gives such a grant.
func (k *kit) own(scope assent.Scope, with ...func(*assent.Grant)) assent.Grant {
	k.Helper()
	g, err := k.Give(k.Context(), k.owners(scope, with...), k.answer(assent.Allow))
	k.must(err)
	return g
}

// minting is a grant that is never spent itself.
func minting(g *assent.Grant) { g.Mints = true }

// spend spends one use for a new call of the case.
func (k *kit) spend(c assent.Case) (assent.Grant, error) {
	return k.Spend(k.Context(), c, k.call(c), k.now, "boot", k.draft(assent.KindEvent))
}

// head is the number of the last record.
func (k *kit) head() uint64 {
	k.Helper()
	h, err := k.Head(k.Context())
	k.must(err)
	return h.N
}

// since returns the records after n.
func (k *kit) since(n uint64) []assent.Record {
	k.Helper()
	lines, err := k.Lines(k.Context(), n, 1<<20)
	k.must(err)
	var out []assent.Record
	for _, l := range lines {
		var r assent.Record
		k.must(json.Unmarshal(l.Leaf, &r))
		out = append(out, r)
	}
	return out
}

// wrote fails the test unless the store wrote want records since n, and returns
// the last of them.
func (k *kit) wrote(n uint64, want int) assent.Record {
	k.Helper()
	got := k.since(n)
	if len(got) != want {
		k.Fatalf("wrote %d records, want %d: %+v", len(got), want, got)
	}
	if want == 0 {
		return assent.Record{}
	}
	return got[want-1]
}

// chain checks every record of the store against the one before.
func (k *kit) chain() {
	k.Helper()
	head := assent.Head{}
	for {
		lines, err := k.Lines(k.Context(), head.N, 7)
		k.must(err)
		if len(lines) == 0 {
			break
		}
		for _, l := range lines {
			head = k.link(head, l)
		}
	}
	got, err := k.Head(k.Context())
	k.must(err)
	equal(k, "head", got, head)
}

// link checks one line and returns the head after it.
func (k *kit) link(head assent.Head, l assent.Line) assent.Head {
	k.Helper()
	var r assent.Record
	k.must(json.Unmarshal(l.Leaf, &r))
	canon, err := assent.Canonical(l.Leaf)
	k.must(err)
	if !bytes.Equal(canon, l.Leaf) {
		k.Fatalf("record %d is not canonical: %s", l.N, l.Leaf)
	}
	if head.N == 0 {
		head.Hash = assent.NoPrev
	}
	equal(k, "number", l.N, head.N+1)
	equal(k, "number in the record", r.N, l.N)
	equal(k, "prev", r.Prev, head.Hash)
	equal(k, "hash", l.Hash, assent.LeafHash(l.Leaf))
	if l.Payload != nil {
		equal(k, "payload", r.Payload, assent.PayloadHash(l.Salt, l.Payload))
	}
	return assent.Head{N: l.N, Hash: l.Hash}
}

// together runs n calls of do at once and waits for them.
func (k *kit) together(n int, do func(i int)) {
	gate, done := make(chan struct{}), make(chan struct{})
	for i := range n {
		go func() {
			defer func() { done <- struct{}{} }()
			<-gate
			do(i)
		}()
	}
	close(gate)
	for range n {
		<-done
	}
}
