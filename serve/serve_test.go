package serve

// What the tests share: a real engine behind both doors, and a person with a key.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/engine"
	"assent/internal/peer"
	"assent/internal/seal"
	"assent/roster"
	"assent/store/mem"
)

// testTokens are the HTTP door's.
var testTokens = PerFacet{"a-token-for-tests-to-request", "a-token-for-tests-to-hold", "a-token-for-tests-to-grant", "a-token-for-tests-to-audit"}

// fixture is one running server.
type fixture struct {
	*Client
	server *Server
	engine *engine.Engine
	url    string
	socket string // the requester's
	at     PerFacet
	key    roster.Key
	keys   string // file of the private key
	stop   func() error
}

func judge(_ context.Context, c assent.Case) (assent.Reply, error) {
	switch c.Tool {
	case assent.ToolShell:
		return assent.Reply{Decision: assent.Ask, Reason: "a shell"}, nil
	case assent.ToolWrite:
		return assent.Reply{Decision: assent.Deny, Reason: "no writing"}, nil
	}
	return assent.Reply{}, nil
}

// paths are where sockets go in a directory.
func paths(dir string) (at PerFacet) {
	for f, name := range []string{"r", "h", "g", "a"} {
		at[f] = filepath.Join(dir, name)
	}
	return at
}

// start opens a server; set changes it before it listens.
func start(t *testing.T, set ...func(*Server)) *fixture {
	t.Helper()
	dir, err := os.MkdirTemp("", "serve") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	f := &fixture{at: paths(dir), keys: filepath.Join(dir, "anna.key")}
	f.socket = f.at[Requester]
	if _, err := roster.Create(filepath.Join(dir, "approvers"), "anna", f.keys, nil); err != nil {
		t.Fatal(err)
	}
	if f.key, err = roster.Load(f.keys, nil); err != nil {
		t.Fatal(err)
	}
	f.engine = engine.New(engine.Options{
		Store:   mem.New(),
		Analyse: func(e assent.Event) assent.Case { return assent.Case{Event: e} },
		Floor:   assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) { return assent.Reply{}, nil }),
		BuiltIn: assent.HookFunc(judge),
		Roster:  roster.New(filepath.Join(dir, "approvers")),
		Boot:    peer.BootID(),
		Home:    seal.Open(filepath.Join(dir, "home.key")),
		Within:  peer.Within,
	})
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.url, f.Client = "http://"+web.Addr().String(), Dial(f.at, nil)
	f.server = &Server{Engine: f.engine, Sockets: f.at, HTTP: web, Tokens: testTokens, Version: "test"}
	for _, do := range set {
		do(f.server)
	}
	if err := f.server.Listen(); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	return f
}

// run serves until the test ends or stop is called.
func (f *fixture) run(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.server.Run(ctx) }()
	var err error
	stopped := false
	f.stop = func() error {
		if !stopped {
			stopped = true
			cancel()
			err = <-done
		}
		return err
	}
	t.Cleanup(func() {
		if err := f.stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

// dir is where the sockets are.
func (f *fixture) dir() string { return filepath.Dir(f.socket) }

// again ends the server and starts another one in its place.
func (f *fixture) again(t *testing.T) {
	t.Helper()
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.url = "http://" + web.Addr().String()
	f.server = &Server{Engine: f.engine, Sockets: f.at, HTTP: web, Tokens: testTokens, Version: "test"}
	if err := f.server.Listen(); err != nil {
		t.Fatal(err)
	}
	f.run(t)
}

func shell(id, command string) assent.Event {
	input, _ := json.Marshal(map[string]string{"command": command})
	return assent.Event{ID: id, Name: assent.PreToolCall, Agent: "plain", Session: "s1", Call: id, Tool: assent.ToolShell, Input: input}
}

// facetOf is the facet that a path is on, and the auditor for what is nothing.
func facetOf(method, path string) Facet {
	path, _, _ = strings.Cut(path, "?")
	have := strings.Split(path, "/")
	for _, r := range routes {
		want := strings.Split(r.path, "/")
		same := r.method == method && len(want) == len(have)
		for i := 0; same && i < len(want); i++ {
			same = want[i] == have[i] || want[i] == "{id}"
		}
		if same {
			return r.at.first()
		}
	}
	return Auditor
}

// http makes a call through the HTTP door, with the token for it.
func (f *fixture) http(t *testing.T, method, path string, in any, change ...func(*http.Request)) (int, []byte) {
	t.Helper()
	var body io.Reader
	switch in := in.(type) {
	case nil:
	case []byte:
		body = bytes.NewReader(in)
	default:
		raw, err := encode(in)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, f.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testTokens[facetOf(method, path)])
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.ContentLength > 1<<20 {
		req.Header.Set("Expect", "100-continue") // as curl does; else the refusal may meet the rest of the body
	}
	for _, do := range change {
		do(req)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true, ExpectContinueTimeout: time.Minute}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, raw
}

// ask sends an event over HTTP, as an agent that is no process here, and returns
// the request that waits for a person.
func (f *fixture) ask(t *testing.T, e assent.Event) string {
	t.Helper()
	code, raw := f.http(t, "POST", "/v1/events", e)
	var v assent.Verdict
	if err := json.Unmarshal(raw, &v); err != nil || code != 200 || v.Decision != assent.Ask || v.Request == "" {
		t.Fatalf("%d %s", code, raw)
	}
	return v.Request
}

func (f *fixture) signed(t *testing.T, a assent.Answer) assent.Answer {
	t.Helper()
	if a.At.IsZero() {
		a.At = time.Now()
	}
	msg, err := a.Signed()
	if err != nil {
		t.Fatal(err)
	}
	a.Proof = f.key.Prove(msg)
	return a
}

func path(id string) string { return "/v1/requests/" + id }

// say answers with the person's key over HTTP: this test may itself run as the
// child of an agent, which the socket would notice.
func (f *fixture) say(t *testing.T, id string, d assent.Decision) assent.Request {
	t.Helper()
	code, raw := f.http(t, "POST", path(id)+"/answer", f.signed(t, assent.Answer{Request: id, Decision: d}))
	var r assent.Request
	if err := json.Unmarshal(raw, &r); err != nil || code != 200 {
		t.Fatalf("%d %s", code, raw)
	}
	return r
}

// problem reads a refusal.
func problem(t *testing.T, raw []byte) *Problem {
	t.Helper()
	p := &Problem{}
	if err := json.Unmarshal(raw, p); err != nil || p.Code == "" || p.Type != "urn:assent:error:"+p.Code || p.Detail == "" {
		t.Fatalf("no problem: %s", raw)
	}
	return p
}

// refusals are the notes of what was turned away.
func (f *fixture) refusals(t *testing.T) string {
	t.Helper()
	lines, err := f.engine.Store().Lines(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, l := range lines {
		var r assent.Record
		if err := json.Unmarshal(l.Leaf, &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind == assent.KindRefused {
			notes = append(notes, r.Note)
		}
	}
	return strings.Join(notes, "\n")
}

// soon waits until ok holds.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
