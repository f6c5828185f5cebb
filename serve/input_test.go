package serve

// Bad input, wrong callers and wrong paths: each refused in one form.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"assent"
)

func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	good := `"name":"pre_tool_call","agent":"plain","session":"s","tool":"read"`
	rows := map[string]struct {
		body string
		code string
	}{
		"empty":             {"", "invalid"},
		"space":             {" \n", "invalid"},
		"not JSON":          {"rm -rf /", "invalid"},
		"not an object":     {"[]", "invalid"},
		"null":              {"null", "invalid"},
		"two values":        {"{" + good + "}{}", "invalid"},
		"a duplicate key":   {"{" + good + `,"tool":"shell"}`, "invalid"},
		"a deep duplicate":  {"{" + good + `,"input":{"a":1,"\u0061":2}}`, "invalid"},
		"another case":      {"{" + good + `,"Tool":"shell"}`, "invalid"},
		"a folded letter":   {"{" + good + `,"ſession":"x"}`, "invalid"},
		"an unknown key":    {"{" + good + `,"approved":true}`, "invalid"},
		"a decision":        {"{" + good + `,"decision":"allow"}`, "invalid"},
		"a wrong type":      {`{"name":7}`, "invalid"},
		"invalid UTF-8":     {"{" + good + ",\"dir\":\"\xff\"}", "invalid"},
		"a lone surrogate":  {"{" + good + `,"dir":"\ud800"}`, "invalid"},
		"too deep":          {"{" + good + `,"input":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}", "invalid"},
		"an inexact number": {"{" + good + `,"input":{"n":9007199254740993}}`, "invalid"},
		"an unknown event":  {`{"name":"pre_nothing","agent":"plain"}`, "invalid"},
		"10 MB":             {"{" + good + `,"dir":"` + strings.Repeat("x", 10<<20) + `"}`, "too-large"},
	}
	for name, row := range rows {
		for _, at := range []string{"/v1/events", "/v1/check"} {
			if at == "/v1/check" && name == "an unknown event" {
				continue // judged all the same
			}
			code, raw := f.http(t, "POST", at, []byte(row.body))
			if p := problem(t, raw); p.Code != row.code || p.Status != code || code < 400 || code >= 500 {
				t.Errorf("%s: %s: %d %s", at, name, code, raw)
			}
		}
	}
	if list := must[[]assent.Request](t)(f.Requests(t.Context(), assent.RequestFilter{})); len(list) != 0 {
		t.Errorf("requests came of it: %+v", list)
	}
}

func TestALargeBodyIsRefusedWithoutItsLength(t *testing.T) {
	t.Parallel()
	f := start(t)
	code, raw := f.http(t, "POST", "/v1/events", []byte("{}"), func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(make([]byte, maxBody+1))), -1
	})
	if p := problem(t, raw); code != http.StatusRequestEntityTooLarge || p.Code != "too-large" {
		t.Fatalf("%d %s", code, raw)
	}
}

func TestBadAnswersAreRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	for name, body := range map[string]string{
		"who, in the body":   `{"decision":"allow","by":{"surface":"key","id":"x"}}`,
		"a peer in the body": `{"decision":"allow","proof":{"peer":{"pid":1,"uid":0,"tty":1}}}`,
		"another request":    `{"decision":"allow","request":"req_999"}`,
		"no decision known":  `{"decision":"yes"}`,
		"another case":       `{"decision":"allow","proof":{"Key":"x"}}`,
		"a duplicate":        `{"decision":"deny","decision":"allow"}`,
	} {
		code, raw := f.http(t, "POST", path(id)+"/answer", []byte(body))
		if code != 400 || problem(t, raw).Code != "invalid" {
			t.Errorf("%s: %d %s", name, code, raw)
		}
	}
	if r := must[assent.Request](t)(f.Request(t.Context(), id)); r.State != assent.Pending {
		t.Errorf("%+v", r)
	}
}

func TestOnlyJSONIsTaken(t *testing.T) {
	t.Parallel()
	f := start(t)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json-patch+json", "multipart/form-data"} {
		code, raw := f.http(t, "POST", "/v1/events", shell("e", "ls"), func(r *http.Request) { r.Header.Set("Content-Type", kind) })
		if code != http.StatusUnsupportedMediaType || problem(t, raw).Code != "media-type" {
			t.Errorf("%q: %d %s", kind, code, raw)
		}
	}
	if code, raw := f.http(t, "POST", "/v1/check", shell("e", "ls"), func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
	}); code != 200 {
		t.Errorf("%d %s", code, raw)
	}
}

func TestWhatBearsNoTokenIsRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	token := testTokens[Requester]
	for _, bearer := range []string{"", "Bearer ", "Bearer x", "Bearer " + token + "x", "Bearer " + token[1:], "Basic " + token, token, "bearer " + token} {
		for _, r := range routes {
			if public[r.path] {
				continue
			}
			at := strings.ReplaceAll(r.path, "{id}", "x")
			code, raw := f.http(t, r.method, at, nil, func(r *http.Request) { r.Header.Set("Authorization", bearer) })
			if code != http.StatusUnauthorized || problem(t, raw).Code != "token" {
				t.Errorf("%q: %s: %d %s", bearer, at, code, raw)
			}
		}
	}
	notes := f.refusals(t)
	if !strings.Contains(notes, "POST /v1/events: ") || strings.Contains(notes, token) {
		t.Errorf("recorded: %s", notes)
	}
	if n := strings.Count(notes, "\n") + 1; n > refusalsAMinute {
		t.Errorf("%d records of a flood", n)
	}
}

// A page whose name was rebound to this machine, or another site's script.
func TestOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(f.url, "http://"))
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	origin := func(o ...string) func(*http.Request) { return func(r *http.Request) { r.Header["Origin"] = o } }
	for name, do := range map[string]func(*http.Request){
		"rebound":          host("evil.example:" + port),
		"rebound, no port": host("evil.example"),
		"no port":          host("127.0.0.1"),
		"another port":     host("127.0.0.1:1"),
		"another address":  host("10.0.0.1:" + port),
		"looks like":       host("127.0.0.1.evil.example:" + port),
		"localhost.":       host("localhost.evil.example:" + port),
		"a site":           origin("https://evil.example"),
		"null":             origin("null"),
		"another scheme":   origin("https://127.0.0.1:" + port),
		"another door":     origin("http://127.0.0.1:1"),
		"two":              origin(f.url, "https://evil.example"),
		"empty":            origin(""),
	} {
		for _, at := range []string{"/v1/requests", "/healthz"} {
			code, raw := f.http(t, "GET", at, nil, do)
			if code != http.StatusForbidden || problem(t, raw).Code != "host" {
				t.Errorf("%s: %s: %d %s", name, at, code, raw)
			}
		}
	}
	for name, do := range map[string]func(*http.Request){
		"localhost": host("localhost:" + port), "IPv6": host("[::1]:" + port), "itself": origin(f.url),
	} {
		if code, raw := f.http(t, "GET", "/v1/requests", nil, do); code != 200 {
			t.Errorf("%s: %d %s", name, code, raw)
		}
	}
}

func TestPathsAndMethodsThatAreNot(t *testing.T) {
	t.Parallel()
	f := start(t)
	for _, c := range []struct {
		method, path, code string
		status             int
	}{
		{"GET", "/", "path", 404}, {"GET", "/v2/events", "path", 404}, {"GET", "/docs", "path", 404},
		{"GET", "/v1/events", "method", 405}, {"DELETE", "/v1/requests/req_1", "method", 405}, {"PUT", "/healthz", "method", 405},
		{"OPTIONS", "/v1/events", "method", 405}, {"GET", "/v1/requests/req_999", "not-found", 404},
		{"GET", "/v1/requests/req_1%2F..", "not-found", 404},
	} {
		status, raw := f.http(t, c.method, c.path, nil)
		if p := problem(t, raw); status != c.status || p.Code != c.code {
			t.Errorf("%+v: %d %s", c, status, raw)
		}
	}
}

func TestAServerNeedsATokenAndALoopbackAddress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := must[net.Listener](t)(net.Listen("tcp", "0.0.0.0:0"))
	loop := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	twice := testTokens
	twice[Granter] = twice[Requester]
	for i, s := range []*Server{
		{HTTP: all, Tokens: testTokens, Sockets: paths(dir)}, {HTTP: loop, Sockets: paths(dir)},
		{HTTP: loop, Tokens: PerFacet{Requester: "x"}, Sockets: paths(dir)}, {HTTP: loop, Tokens: twice, Sockets: paths(dir)},
		{Sockets: paths(dir + strings.Repeat("/x", 60))}, {},
	} {
		if err := s.Listen(); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, l := range []net.Listener{all, loop} {
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s is still open: %v", l.Addr(), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"name":"pre_tool_call","input":{"a":[1,2]}}`))
	f.Add([]byte(`{"Name":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var e assent.Event
		if err := decode(raw, &e); err != nil {
			if !errors.Is(err, assent.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		again, err := encode(e)
		if err != nil {
			t.Fatal(err)
		}
		var f assent.Event
		if err := decode(again, &f); err != nil {
			t.Fatalf("%q became %q: %v", raw, again, err)
		}
		if fmt.Sprint(e) != fmt.Sprint(f) {
			t.Fatalf("%q: %+v, then %+v", raw, e, f)
		}
	})
}
