package serve

// Incidents of other gates that concern the doors; docs/threats.md lists them.

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"assent/internal/peer"
)

// untouched is a body that nobody may read.
type untouched struct{ *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.Error("what was sent is read before it is known who sent it")
	return 0, errors.New("not for reading")
}

func (untouched) Close() error { return nil }

// CVE-2026-32980: a body was read whole before its sender was known.
func TestIncidentNothingIsReadOfAStranger(t *testing.T) {
	t.Parallel()
	f := start(t)
	host := strings.TrimPrefix(f.url, "http://")
	local := func(facet Facet, uid int) caller {
		who := caller{local: true, facet: facet, process: peer.Self(), tried: &limiter{}}
		who.process.UID = uid
		return who
	}
	for name, c := range map[string]struct {
		at     http.Handler
		who    caller
		host   string
		change func(http.Header)
	}{
		"no token":              {f.server.atLoopback(), caller{tried: &limiter{}}, host, func(http.Header) {}},
		"a wrong token":         {f.server.atLoopback(), caller{tried: &limiter{}}, host, func(h http.Header) { h.Set("Authorization", "Bearer x") }},
		"another host":          {f.server.atLoopback(), caller{tried: &limiter{}}, "x.example", func(h http.Header) { h.Set("Authorization", "Bearer "+testTokens[Granter]) }},
		"another page":          {f.server.atLoopback(), caller{tried: &limiter{}}, host, func(h http.Header) { h.Set("Origin", "http://x.example") }},
		"the token of a facet":  {f.server.atLoopback(), caller{tried: &limiter{}}, host, func(h http.Header) { h.Set("Authorization", "Bearer "+testTokens[Requester]) }},
		"another user":          {f.server.atSocket(), local(Granter, os.Getuid()+1), host, func(http.Header) {}},
		"the door of a facet":   {f.server.atSocket(), local(Auditor, os.Getuid()), host, func(http.Header) {}},
		"a browser at a socket": {f.server.atSocket(), local(Granter, os.Getuid()), host, func(h http.Header) { h.Set("Origin", "null") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "/v1/revoke", untouched{t})
			r.Host = c.host
			r.Header.Set("Content-Type", "application/json")
			c.change(r.Header)
			r = r.WithContext(context.WithValue(t.Context(), callerKey{}, c.who))
			w := httptest.NewRecorder()
			c.at.ServeHTTP(w, r)
			if w.Code < 400 || w.Code >= 500 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if code := problem(t, w.Body.Bytes()).Code; code == "invalid" {
				t.Errorf("it was looked at: %s", code)
			}
		})
	}
}
