package main

// The receiver, asked as assent asks it.

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"assent"
	"assent/approve"
)

func TestTheReceiver(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(hook{"s3"})
	t.Cleanup(s.Close)
	finding := func(code, target string) assent.Finding { return assent.Finding{Code: code, Target: target} }
	for name, c := range map[string]struct {
		secret   string
		findings []assent.Finding
		want     assent.Decision
		failed   bool
	}{
		"what it built":    {"s3", []assent.Finding{finding("fs.delete", "/w/build/a"), finding("fs.delete", "/w/build")}, assent.Allow, false},
		"something else":   {"s3", []assent.Finding{finding("fs.delete", "/w/build"), finding("fs.delete", "/w/builder")}, assent.Ask, false},
		"the cloud":        {"s3", []assent.Finding{finding("net.egress", "169.254.169.254")}, assent.Deny, false},
		"nothing known":    {"s3", nil, assent.Ask, false},
		"another secret":   {"s4", []assent.Finding{finding("fs.delete", "/w/build")}, assent.Ask, true},
		"without a secret": {"", []assent.Finding{finding("fs.delete", "/w/build")}, assent.Ask, true},
	} {
		r := assent.Request{
			ID: "req_1", Offers: []assent.Offer{{Text: "exactly this"}},
			Case: assent.Case{Event: assent.Event{Tool: assent.ToolShell, Dir: "/w", Session: "s1", Input: json.RawMessage(`{"command":"rm -r build"}`)}, Findings: c.findings},
		}
		a, err := approve.Custom{Command: s.URL, Secret: c.secret}.Approve(t.Context(), r)
		if err != nil || a.Decision != c.want || (a.Fault != "") != c.failed {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}
