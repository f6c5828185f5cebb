package terminal

// The words: what a card says once, spans of time, people, grants, one line, JSON.

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
)

func TestATargetIsNamedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ note, target, want string }{
		{"It deletes /w/a and everything below it.", "/w/a", "It deletes /w/a and everything below it. (fs.delete)"},
		{"It writes /w/a.", "/w/a", "It writes /w/a. (fs.delete)"},
		{"It writes /w/a.b.", "/w/a", "It writes /w/a.b. (fs.delete: /w/a)"},
		{"It writes /w/ab.", "/w/a", "It writes /w/ab. (fs.delete: /w/a)"},
		{"It writes /w/ab, /w/a.", "/w/a", "It writes /w/ab, /w/a. (fs.delete)"},
		{"It writes /x/w/a.", "/w/a", "It writes /x/w/a. (fs.delete: /w/a)"},
		{"It rewrites history.", "/w", "It rewrites history. (fs.delete: /w)"},
		{"It asks.", "", "It asks. (fs.delete)"},
	} {
		if got := fact(assent.Finding{Code: "fs.delete", Note: c.note, Target: c.target}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestAReasonIsShownWhereItAddsSomething(t *testing.T) {
	t.Parallel()
	facts := []assent.Finding{
		{Code: "fs.delete", Note: "It deletes /a."}, {Code: "fs.delete", Note: "It deletes /a. And /b."}, {Code: "net.run", Note: "It runs."},
	}
	retold := assent.Reason{By: "built-in", Decision: assent.Ask, Text: "It deletes /a. It deletes /a. And /b."}
	for name, v := range map[string]struct {
		reasons []assent.Reason
		want    string
	}{
		"retold": {[]assent.Reason{retold}, "  The built-in judgement asks because of: fs.delete\n"},
		"more": {[]assent.Reason{{By: "built-in", Decision: assent.Ask, Text: retold.Text + " There are 2 more reasons."}},
			"  The built-in judgement asks because of: fs.delete. There are 2 more reasons.\n"},
		"a rule": {[]assent.Reason{{By: "rule 2", Decision: assent.Ask, Text: "It runs."}, retold},
			"\nWhy\n  - ask, says rule 2: It runs.\n  - The built-in judgement asks because of: fs.delete\n"},
		"nothing retold": {[]assent.Reason{{By: "built-in", Decision: assent.Ask, Text: "It is new."}},
			"\nWhy\n  - ask, says built-in: It is new.\n"},
		"the floor": {[]assent.Reason{{By: "floor", Decision: assent.Deny, Text: "It runs."}},
			"  The floor denies because of: net.run\n"},
	} {
		p := newPage(Options{}.filled())
		if p.reasons("Why", v.reasons, facts); p.String() != v.want {
			t.Errorf("%s: %q, want %q", name, p.String(), v.want)
		}
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"0s": {"", "0 s"}, "400ms": {"", "400ms"}, "3s": {"in 3 s", "3 s"}, "-3s": {"3 s ago", "0 s"}, "59.6s": {"in 1 min", ""}, "4m57s": {"in 5 min", "4 min 57 s"},
		"1h30m": {"in 1 h 30 min", "1 h 30 min"}, "2h59m50s": {"in 3 h", ""}, "8h": {"in 8 h", "8 h"}, "23h59m56s": {"in 24 h", ""}, "-47h50m": {"2 days ago", ""},
		"2160h": {"in 90 days", "90 days"}, "49h": {"in 2 days", "49 h"},
	} {
		d, err := time.ParseDuration(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := distance(d); got != want[0] {
			t.Errorf("%s is %q, want %q", in, got, want[0])
		}
		if got := exact(max(d, 0)); want[1] != "" && got != want[1] {
			t.Errorf("%s is exactly %q, want %q", in, got, want[1])
		}
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	at := func(surface, id, name string) assent.Identity {
		return assent.Identity{Surface: surface, ID: id, Name: name}
	}
	for _, c := range []struct {
		who       assent.Identity
		uid, want string
	}{
		{at("terminal", "uid:0", ""), "0", "you (terminal)"}, {at("terminal", "uid:0", ""), "1000", "uid 0 (terminal)"},
		{at("terminal", "uid:0", ""), "", "uid 0 (terminal)"}, {at("terminal", "uid:", ""), "", "uid  (terminal)"},
		{at("key", "uid:0", ""), "0", "key:uid:0"}, {at("key", "SHA256:x", "ada"), "0", "ada (key)"},
	} {
		if got := (Options{UID: c.uid}).person(c.who); got != c.want {
			t.Errorf("%s for %q is %q, want %q", c.who, c.uid, got, c.want)
		}
	}
}

func TestWhatAGrantCovers(t *testing.T) {
	t.Parallel()
	r := assent.Request{ID: "req_1"}
	r.Case.Tool, r.Case.Input = assent.ToolShell, json.RawMessage(`{"command":"git push --force origin main"}`)
	o := Options{Asked: func(id string) (assent.Request, bool) { return r, id == r.ID }}
	digest := r.Case.Digest()
	for want, g := range map[string]assent.Grant{
		"exactly: git push --force origin main":             {Request: "req_1", Scope: assent.Scope{Digest: digest}},
		"one exact call (" + digest[:12] + "…)":             {Request: "req_2", Scope: assent.Scope{Digest: digest}},
		"one exact call (" + strings.Repeat("0", 12) + "…)": {Request: "req_1", Scope: assent.Scope{Digest: strings.Repeat("0", 64)}},
		"nothing": {Request: "req_1"},
		"rm, rmdir, only what deletes or writes below /": {Scope: assent.Scope{Tool: "shell", Programs: []string{"rm", "rmdir"}, Codes: []string{"fs.delete", "fs.delete.temp", "fs.write"}, Under: "/"}},
		"fetch, only what does net.upload below h":       {Scope: assent.Scope{Tool: "fetch", Codes: []string{"net.upload"}, Under: "h"}},
	} {
		if got := covers(g, o); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := covers(assent.Grant{Scope: assent.Scope{Digest: digest}}, Options{}); got != "one exact call ("+digest[:12]+"…)" {
		t.Error(got)
	}
}

func TestWhatEndedAGrant(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o := Options{Now: from.Add(time.Hour)}
	for want, gs := range map[string][]assent.Grant{
		"live":    {{Until: from.Add(2 * time.Hour), Used: 1}},
		"used up": {{Until: from.Add(2 * time.Hour), Used: 3}, {Until: from.Add(time.Minute), Used: 3}, {Until: from.Add(2 * time.Hour), Used: 3, Revoked: from.Add(time.Minute)}},
		"revoked": {{Until: from.Add(2 * time.Hour), Revoked: from.Add(time.Minute)}, {Until: from.Add(2 * time.Minute), Revoked: from.Add(time.Minute)}},
		"expired": {{Until: from.Add(time.Minute)}, {Until: from.Add(time.Minute), Revoked: from.Add(2 * time.Minute)}},
	} {
		for _, g := range gs {
			g.From, g.Scope.Uses = from, 3
			if got := live(g, o); got != want {
				t.Errorf("%+v is %s, want %s", g, got, want)
			}
		}
	}
}

func TestAnAdviceIsToldInWords(t *testing.T) {
	t.Parallel()
	hook := assent.Identity{Surface: "hook", ID: "a.py@1a2b", Name: "a.py"}
	for want, a := range map[string]assent.Advice{
		"The approval hook a.py said: escalate: not sure (0.4 s)":                              {By: hook, Decision: assent.Ask, Reason: "not sure", Took: assent.Duration(400 * time.Millisecond), Done: true},
		"The approval hook a.py said: deny (1 min 30 s)":                                       {By: hook, Decision: assent.Deny, Took: assent.Duration(90*time.Second + 300*time.Millisecond), Done: true},
		"The approval hook a.py said: approve, this session, offer 2: fine (12.0 s)":           {By: hook, Decision: assent.Allow, Width: assent.InSess, Offer: 1, Reason: "fine", Took: assent.Duration(12 * time.Second), Done: true},
		"The approval hook a.py said: approve, for 10 min":                                     {By: hook, Decision: assent.Allow, Width: assent.ForTurns, For: assent.Duration(10 * time.Minute), Done: true},
		"The approval hook a.py said: deny: no (0.0 s). What was wrong with it: noise":         {By: hook, Decision: assent.Deny, Reason: "no", Fault: "noise", Took: 1, Done: true},
		"The approval hook a.py failed: no answer⟨escape⟩⟨U+27E8⟩ (30.0 s)":                    {By: hook, Decision: assent.Ask, Fault: "no answer\x1b⟨", Took: assent.Duration(30 * time.Second), Done: true},
		"The approval hook a.py failed: no authority. It had said: fine":                       {By: hook, Decision: assent.Ask, Fault: "no authority", Reason: "fine", Done: true},
		"The approval hook a.py is being asked; it started 3 s ago (2026-11-30 12:00:00 UTC).": {By: hook},
		"The judge small⟨U+27E8⟩ said: escalate":                                               {By: assent.Identity{Surface: "judge", ID: "small⟨"}, Decision: assent.Ask, Done: true},
		"The approver both (approvers) said: escalate":                                         {By: assent.Identity{Surface: "approvers", Name: "both"}, Decision: assent.Ask, Done: true},
	} {
		a.At = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		if got := advice(assent.Request{State: assent.Pending, Advice: &a}, Options{Now: a.At.Add(3 * time.Second)}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	late := assent.Request{State: assent.Expired, Advice: &assent.Advice{By: hook}}
	if got, want := advice(late, Options{}), "The approval hook a.py was being asked, and had not answered yet."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][3]string{
		"req_16: git reset --hard, in /w/proj":                          {assent.ToolShell, `{"command":"git reset --hard"}`, "/w/proj"},
		"req_16: write /w/a":                                            {"write", `{"content":"x","path":"/w/a"}`, ""},
		"req_16: a⟨newline⟩⟨U+202E⟩b, in /w":                            {assent.ToolShell, `{"command":"a\n\u202eb"}`, "/w"},
		"req_16: " + strings.Repeat("x", 71) + "…, in /w":               {assent.ToolShell, `{"command":"` + strings.Repeat("x", 1000) + `"}`, "/w"},
		"req_16: other {\"q\":1}, in /" + strings.Repeat("d", 58) + "…": {"other", `{"q":1}`, "/" + strings.Repeat("d", 80)},
	} {
		r := assent.Request{ID: "req_16"}
		r.Case.Tool, r.Case.Input, r.Case.Dir = in[0], json.RawMessage(in[1]), in[2]
		if got := OneLine(r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestOneLineIsInertAndShort(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := requests.Draw(t, "request")
		r.ID = nasty.Draw(t, "id")
		line := OneLine(r)
		inert(t, line, false)
		if strings.Contains(line, "\n") || width(finished(line)) > 190 {
			t.Fatalf("%q", line)
		}
		g := assent.Grant{ID: r.ID, Request: r.ID, Scope: assent.Scope{Digest: r.Case.Digest(), Under: nasty.Draw(t, "under")}}
		inert(t, Grants([]assent.Grant{g}, Options{Asked: func(string) (assent.Request, bool) { return r, true }}), false)
		g.Mints, g.Scope = true, assent.Scope{Tool: assent.AnyTool, Agent: nasty.Draw(t, "holder"), Profile: nasty.Draw(t, "profile")}
		inert(t, Grants([]assent.Grant{g}, Options{}), false)
	})
}

func TestJSONIsInertAndTheSameValue(t *testing.T) {
	t.Parallel()
	quote := strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Map(func(c rune) rune {
			if c < ' ' && !strings.ContainsRune("\n\r\t", c) {
				return -1
			}
			return c
		}, nasty.Draw(t, "s"))
		raw := []byte("{\r\n  \"" + quote.Replace(s) + "\": [\"" + quote.Replace(s) + "\"]\r\n}")
		safe := JSON(raw)
		inert(t, string(safe), false)
		var want, got map[string][]string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("the test's own JSON: %v in %q", err, raw)
		}
		if err := json.Unmarshal(safe, &got); err != nil {
			t.Fatalf("%v in %q", err, safe)
		}
		for k, v := range want {
			if w := got[k]; len(got) != 1 || len(w) != 1 || w[0] != v[0] {
				t.Fatalf("%q became %q", want, got)
			}
		}
		inert(t, string(JSON([]byte(strings.ReplaceAll(nasty.Draw(t, "no JSON"), "\t", "")))), false)
	})
}

func TestJSONThatIsPlainStaysAsItIs(t *testing.T) {
	t.Parallel()
	const plain = "{\n\t\"é\": \"日本 ⟨x⟩ \\u202e\\\\ e\u0301\"}\n"
	if got := string(JSON([]byte(plain))); got != plain {
		t.Errorf("%q", got)
	}
	if got := string(JSON([]byte("\"\u202e\U000e0041\x7f\u0085\u2028\""))); got != `"\u202e\udb40\udc41\u007f\u0085\u2028"` {
		t.Error(got)
	}
}
