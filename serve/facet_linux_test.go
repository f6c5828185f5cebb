package serve

// Every route on every door: the right ones pass, the wrong ones are refused before
// anything is looked at.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/internal/peer"
)

// at makes a call through the socket of a facet.
func (f *fixture) through(t *testing.T, facet Facet, method, path string, body []byte) (int, []byte) {
	t.Helper()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", f.at[facet])
	}
	req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), method, "http://assent"+path, bytes.NewReader(body)))
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp := must[*http.Response](t)((&http.Transport{DialContext: dial, DisableKeepAlives: true}).RoundTrip(req))
	defer resp.Body.Close()
	return resp.StatusCode, must[[]byte](t)(io.ReadAll(resp.Body))
}

// byToken makes a call through the HTTP door with a facet's token.
func (f *fixture) byToken(t *testing.T, facet Facet, method, path string, body []byte) (int, []byte) {
	t.Helper()
	in := any(body)
	if body == nil {
		in = nil
	}
	return f.http(t, method, path, in, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testTokens[facet]) })
}

// probe is a call of a route that changes nothing and waits for nothing.
func probe(r route) (path string, body []byte) {
	path = strings.ReplaceAll(r.path, "{id}", "none")
	switch {
	case r.body != nil:
		return path, []byte("{}{")
	case r.name == "stream":
		return path + "?after=x", nil
	}
	return path, nil
}

func code(t *testing.T, status int, raw []byte) string {
	t.Helper()
	if status == http.StatusOK {
		return "ok"
	}
	return problem(t, raw).Code
}

func TestEachRouteIsOnTheDoorsOfItsFacetsAndOnNoOther(t *testing.T) {
	t.Parallel()
	f := start(t)
	agents := peer.Lead(peer.Self(), nil) != "" // this test itself runs under an agent
	for _, r := range routes {
		path, body := probe(r)
		reached := map[string]string{"POST": "invalid", "GET": "ok"}[r.method]
		switch {
		case r.name == "stream":
			reached = "invalid"
		case strings.Contains(r.path, "{id}") && r.method == "GET":
			reached = "not-found"
		}
		for facet := Requester; facet <= Auditor; facet++ {
			want := "facet"
			if r.at.has(facet) {
				want = reached
			}
			status, raw := f.byToken(t, facet, r.method, path, body)
			if got := code(t, status, raw); got != want && r.name != "usable" {
				t.Errorf("HTTP: %s with the %s's token: %s, want %s", r.name, facet, got, want)
			}
			if facet == Granter && agents {
				want = "self-approval"
			}
			status, raw = f.through(t, facet, r.method, path, body)
			if got := code(t, status, raw); got != want {
				t.Errorf("socket: %s at the %s's: %s, want %s", r.name, facet, got, want)
			}
		}
	}
	notes := f.refusals(t)
	for _, want := range []string{"POST /v1/events: handle is nothing for the holder: it is the requester's", "is nothing for the auditor"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not recorded: %s", want, notes)
		}
	}
	if n := strings.Count(notes, "\n") + 1; n > 5*refusalsAMinute {
		t.Errorf("%d records", n)
	}
}

func TestEveryFacetHasItsRoutes(t *testing.T) {
	t.Parallel()
	want := map[Facet]string{
		Requester: "handle check request wait health",
		Holder:    "use begin end receipt usable health",
		Granter:   "answer revoke forward renew hold revoke-many enroll health",
		Auditor:   "requests request grants records stream health",
	}
	for facet, names := range want {
		var have []string
		for _, r := range routes {
			if r.at.has(facet) {
				have = append(have, r.name)
			}
		}
		slices.Sort(have)
		names := strings.Fields(names)
		slices.Sort(names)
		if !slices.Equal(have, names) {
			t.Errorf("%s: %v, want %v", facet, have, names)
		}
	}
}

// What a wrong door says does not depend on what there is.
func TestAWrongDoorTellsNothing(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	for _, path := range []string{"/v1/requests/%s", "/v1/requests/%s/wait?hold=0"} {
		_, there := f.through(t, Holder, "GET", fmt.Sprintf(path, id), nil)
		_, not := f.through(t, Holder, "GET", fmt.Sprintf(path, "req_999"), nil)
		if !bytes.Equal(there, not) || problem(t, there).Code != "facet" {
			t.Errorf("%s, and of what there is not: %s", there, not)
		}
	}
}

func TestHealthAndTheDescriptionAreOnEveryDoor(t *testing.T) {
	t.Parallel()
	f := start(t)
	for facet := Requester; facet <= Auditor; facet++ {
		if facet == Granter && peer.Lead(peer.Self(), nil) != "" {
			continue
		}
		for path := range public {
			if status, raw := f.through(t, facet, "GET", path, nil); status != 200 {
				t.Errorf("%s at the %s's: %d %s", path, facet, status, raw)
			}
		}
	}
}

// A flood at one door hides nothing that is tried at another.
func TestAFloodAtOneDoorHidesNothingAtAnother(t *testing.T) {
	t.Parallel()
	f := start(t)
	for range 3 * refusalsAMinute {
		f.through(t, Requester, "POST", "/v1/revoke", []byte("{}"))
	}
	f.through(t, Auditor, "POST", "/v1/revoke", []byte("{}"))
	if notes := f.refusals(t); !strings.Contains(notes, "nothing for the auditor") {
		t.Errorf("only the flood is recorded: %s", notes)
	}
}

// Whoever listens in the server's place gets nothing of what people sign, nor of what
// holders show, and tells no hook that it may go on.
func TestAClientSaysNothingToAnotherThanTheServer(t *testing.T) {
	t.Parallel()
	f := start(t)
	other := fmt.Errorf("it is another: %w", assent.ErrForbidden)
	var asked []assent.Process
	c := Dial(f.at, func(p assent.Process) error { asked = append(asked, p); return other })
	before := must[assent.Head](t)(f.engine.Store().Head(t.Context()))
	for name, do := range map[string]func() error{
		"handle":   func() error { _, err := c.Handle(t.Context(), shell("e", "ls")); return err },
		"request":  func() error { _, err := c.Request(t.Context(), "req_1"); return err },
		"wait":     func() error { _, err := c.Wait(t.Context(), "req_1", 0); return err },
		"answer":   func() error { _, err := c.Answer(t.Context(), assent.Answer{Request: "req_1"}); return err },
		"revoke":   func() error { _, err := c.Revoke(t.Context(), assent.Revocation{}); return err },
		"forward":  func() error { _, err := c.Forward(t.Context(), assent.Forwarding{Grant: "gr_1"}); return err },
		"renew":    func() error { _, err := c.Renew(t.Context(), assent.Renewal{Grant: "gr_1"}); return err },
		"hold":     func() error { _, _, err := c.Hold(t.Context(), assent.Handling{Grant: "gr_1"}); return err },
		"enroll":   func() error { return c.Enroll(t.Context(), assent.Enrollment{}) },
		"use":      func() error { _, err := c.Use(t.Context(), assent.Use{Handle: "secret"}); return err },
		"begin":    func() error { return c.Begin(t.Context(), assent.Start{}) },
		"end":      func() error { return c.End(t.Context(), assent.End{}) },
		"receipt":  func() error { _, err := c.Receipt(t.Context(), assent.ReceiptWish{}); return err },
		"usable":   func() error { _, err := c.Usable(t.Context(), nil); return err },
		"requests": func() error { _, err := c.Requests(t.Context(), assent.RequestFilter{}); return err },
		"grants":   func() error { _, err := c.Grants(t.Context(), assent.GrantFilter{}); return err },
		"lines":    func() error { _, err := c.Lines(t.Context(), 0, 1); return err },
		"stream":   func() error { return c.Stream(t.Context(), 0, nil) },
	} {
		asked = nil
		if err := do(); !errors.Is(err, assent.ErrForbidden) || len(asked) != 1 || asked[0].PID != os.Getpid() {
			t.Errorf("%s: %v, asked of %+v", name, err, asked)
		}
	}
	if after := must[assent.Head](t)(f.engine.Store().Head(t.Context())); after != before {
		t.Errorf("something was said: %+v, then %+v", before, after)
	}
}

// One that is replaced by hand is noticed, and the other facets go on.
func TestASocketThatSomebodyReplaced(t *testing.T) {
	t.Parallel()
	f := start(t)
	if err := os.Remove(f.at[Granter]); err != nil {
		t.Fatal(err)
	}
	cmd := as(t.Context(), "impostor", "SOCKETS="+f.dir())
	_, says := talk(t, cmd)
	says()
	real := peer.Self()
	c := Dial(f.at, func(p assent.Process) error {
		if p.PID != real.PID || p.Start != real.Start {
			return fmt.Errorf("process %d answers: %w", p.PID, assent.ErrForbidden)
		}
		return nil
	})
	_, err := c.Answer(t.Context(), f.signed(t, assent.Answer{Request: "req_1", Decision: assent.Allow}))
	if want := fmt.Sprintf("%s: process %d answers", f.at[Granter], cmd.Process.Pid); !errors.Is(err, assent.ErrForbidden) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := c.Requests(t.Context(), assent.RequestFilter{}); err != nil {
		t.Error(err)
	}
	cmd.Process.Kill()
	if heard := says(); heard != "" {
		t.Errorf("the impostor was told %q", heard)
	}
}

// Who uses, for whom and when is the door's to say, whatever the body does.
func TestTheDoorSaysWhoUses(t *testing.T) {
	t.Parallel()
	f := start(t)
	status, raw := f.through(t, Holder, "POST", "/v1/use", []byte(`{"ask":true,"event":{"name":"session_end","agent":"claude","principal":"root",
		"session":"s1","parent_session":"s0","at":"1970-01-01T00:00:00Z","synthetic":true,"again":true,"lapsed":true,"profile":"p",
		"id":"e1","call":"c1","tool":"shell","input":{"command":"ls"}}}`))
	var v assent.Verdict
	if err := json.Unmarshal(raw, &v); err != nil || status != 200 || v.Request == "" {
		t.Fatalf("%d %s", status, raw)
	}
	e := must[assent.Request](t)(f.Request(t.Context(), v.Request)).Case.Event
	self := peer.Self()
	if e.Name != assent.PreToolCall || e.Agent != assent.AgentBroker || e.Principal != fmt.Sprintf("uid:%d", os.Getuid()) || !strings.HasPrefix(e.Session, "shell-") && !strings.HasPrefix(e.Session, "exec-") ||
		time.Since(e.At) > time.Minute || e.Synthetic || e.Again || e.Lapsed || e.ParentSession != "" {
		t.Errorf("%+v", e)
	}
	if how := peer.Stand(self, f.server.seen.all()).Asker; how == "" {
		t.Errorf("who asked can answer: %q", how)
	}
}
