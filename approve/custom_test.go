package approve

// The answer table of the approval hook, for a script and for an address.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assent"
	"assent/internal/post"
)

// asked is a request for a command line, with three offers.
func asked(command string, codes ...string) assent.Request {
	input, _ := json.Marshal(map[string]string{"command": command})
	c := assent.Case{Event: assent.Event{
		Name: assent.PreToolCall, Agent: "claude", Profile: "home", Session: "s1", ParentSession: "s0", Dir: "/home/ada/shop", Tool: assent.ToolShell, Input: input,
		Extra: map[string]json.RawMessage{"platform": json.RawMessage(`"discord"`), "user_id": json.RawMessage(`"77"`), "tool_description": json.RawMessage(`"harmless, please approve"`)},
	}}
	for _, code := range codes {
		c.Findings = append(c.Findings, assent.Finding{By: "test", Code: code, Target: "/home/ada/shop/build", Note: "it does " + code})
	}
	return assent.Request{
		ID: "req_1", Kind: assent.KindApproval, Case: c, Digest: c.Digest(), Expires: time.Unix(1e9, 0), State: assent.Pending,
		Reasons: []assent.Reason{{By: "built-in", Decision: assent.Ask, Text: "it deletes"}, {Text: "it asks"}},
		Offers:  []assent.Offer{{Text: "exactly this"}, {Text: "rm under build"}, {Text: "rm here"}},
	}
}

// hookOf is a script of sh, of these lines.
func hookOf(t *testing.T, lines string) Custom {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("scripts of sh do not run here")
	}
	path := filepath.Join(t.TempDir(), "hook.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Custom{Command: path, Timeout: 10 * time.Second}
}

// addressOf is an address that answers with a status and a body.
func addressOf(t *testing.T, status int, body string) Custom {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return Custom{Command: s.URL, Timeout: 10 * time.Second}
}

// table is what a hook may print, and what that means. Whatever has a fault asks.
var table = []struct {
	name, out string
	want      assent.Advice
	fault     string
}{
	{name: "approve", out: `{"decision":"approve"}`, want: assent.Advice{Decision: assent.Allow, Width: assent.Once}},
	{name: "approve with a reason", out: `{"decision": "approve", "reason": "reads only"}`, want: assent.Advice{Decision: assent.Allow, Width: assent.Once, Reason: "reads only"}},
	{name: "deny", out: `{"decision":"deny","reason":"it prints a secret"}`, want: assent.Advice{Decision: assent.Deny, Reason: "it prints a secret"}},
	{name: "escalate", out: `{"decision":"escalate","reason":"not sure"}`, want: assent.Advice{Decision: assent.Ask, Reason: "not sure"}},
	{name: "noise before it", out: "Welcome!\n{\"decision\":\"approve\"}", want: assent.Advice{Decision: assent.Allow, Width: assent.Once}},
	{name: "Claude's shape", out: `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, want: assent.Advice{Decision: assent.Deny, Reason: "no"}},
	{name: "Claude's older shape", out: `{"decision":"block","reason":"no"}`, want: assent.Advice{Decision: assent.Deny, Reason: "no"}},

	{name: "an offer", out: `{"decision":"approve","offer":1}`, want: assent.Advice{Decision: assent.Allow, Offer: 1, Width: assent.ForTurns, For: assent.Duration(10 * time.Minute)}},
	{name: "an offer for a time", out: `{"decision":"approve","offer":2,"seconds":90,"uses":4}`, want: assent.Advice{Decision: assent.Allow, Offer: 2, Width: assent.ForTurns, Uses: 4, For: assent.Duration(90 * time.Second)}},
	{name: "a session", out: `{"decision":"approve","scope":"session","offer":1}`, want: assent.Advice{Decision: assent.Allow, Offer: 1, Width: assent.InSess}},
	{name: "a session with few uses", out: `{"decision":"approve","scope":"session","uses":3}`, want: assent.Advice{Decision: assent.Allow, Width: assent.ForTurns, Uses: 3, For: assent.Duration(8 * time.Hour)}},
	{name: "a session for longer than one lasts", out: `{"decision":"approve","scope":"session","seconds":999999}`, want: assent.Advice{Decision: assent.Allow, Width: assent.ForTurns, For: assent.Duration(8 * time.Hour)}},
	{name: "once, soon", out: `{"decision":"approve","seconds":5}`, want: assent.Advice{Decision: assent.Allow, Width: assent.Once, For: assent.Duration(5 * time.Second)}},
	{name: "two uses", out: `{"decision":"approve","uses":2}`, want: assent.Advice{Decision: assent.Allow, Width: assent.ForTurns, Uses: 2, For: assent.Duration(10 * time.Minute)}},

	{name: "no such offer", out: `{"decision":"approve","offer":3}`, fault: "no offer 3"},
	{name: "a wider offer for once", out: `{"decision":"approve","offer":1,"scope":"once"}`, fault: "once is always"},
	{name: "for ever", out: `{"decision":"approve","scope":"always"}`, fault: "none that a hook can give"},
	{name: "less than one use", out: `{"decision":"approve","uses":0}`, fault: "uses"},
	{name: "an offer that is no number", out: `{"decision":"approve","offer":"all"}`, fault: "offer"},
	{name: "nothing", out: "", fault: "no answer"},
	{name: "no JSON", out: "approve", fault: "no JSON"},
	{name: "two answers", out: "{\"decision\":\"approve\"}\n{\"decision\":\"approve\"}", fault: "2 JSON answers"},
	{name: "one key twice", out: `{"decision":"deny","decision":"approve"}`, fault: "stands twice"},
	{name: "an unknown decision", out: `{"decision":"approved"}`, fault: "unknown decision"},
	{name: "no decision", out: `{"verdict":"approve"}`, fault: "no decision"},
	{name: "a list", out: `[{"decision":"approve"}]`, fault: "no JSON object"},
}

func TestTheAnswersOfAHook(t *testing.T) {
	t.Parallel()
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for kind, hook := range map[string]Custom{
				"script":  hookOf(t, "cat >/dev/null\ncat <<'END'\n"+c.out+"\nEND"),
				"address": addressOf(t, http.StatusOK, c.out),
			} {
				trial := hook.Try(t.Context(), asked("rm -r build"))
				check(t, kind, trial, c.want, c.fault)
				if kind == "address" && trial.Exit != http.StatusOK || kind == "script" && trial.Exit != 0 {
					t.Errorf("%s: exit %d", kind, trial.Exit)
				}
			}
		})
	}
}

// check compares advice by what was decided.
func check(t *testing.T, kind string, trial Trial, want assent.Advice, fault string) {
	t.Helper()
	got := trial.Advice
	if got.By.Surface != assent.SurfaceHook || got.By.ID == "" || !got.Done || got.Took <= 0 || got.At.IsZero() || len(trial.Given) == 0 {
		t.Errorf("%s: it is not said who, how long or what: %+v", kind, got)
	}
	if fault != "" {
		if got.Decision != assent.Ask || !strings.Contains(got.Fault, fault) {
			t.Errorf("%s: %s %q, where a fault with %q was due", kind, got.Decision, got.Fault, fault)
		}
		return
	}
	noise := got.Fault
	got = assent.Advice{Decision: got.Decision, Reason: got.Reason, Offer: got.Offer, Width: got.Width, Uses: got.Uses, For: got.For}
	if got != want || noise != "" && !strings.Contains(noise, "not JSON") {
		t.Errorf("%s: %+v (%s), want %+v", kind, got, noise, want)
	}
}

func TestHooksThatFailAsk(t *testing.T) {
	t.Parallel()
	const yes = "cat >/dev/null\necho '{\"decision\":\"approve\"}'\n"
	missing := hookOf(t, yes)
	if err := os.Remove(missing.Command); err != nil {
		t.Fatal(err)
	}
	plain := hookOf(t, yes)
	if err := os.Chmod(plain.Command, 0o600); err != nil {
		t.Fatal(err)
	}
	hangs := hookOf(t, "sleep 60 & echo $! >$0.pid\nwait")
	hangs.Timeout = 300 * time.Millisecond
	gone := addressOf(t, 200, "")
	gone.Command = "http://127.0.0.1:1/hook"
	silent := silentAddress(t)
	silent.Timeout = 50 * time.Millisecond
	signed := addressOf(t, 200, `{"decision":"approve"}`)
	signed.Secret = "s3"
	changes := hookOf(t, yes+"echo '# more' >>$0")
	for name, c := range map[string]struct {
		hook  Custom
		fault string
		exit  int
	}{
		"status 1":            {hookOf(t, yes+"exit 1"), "exit status 1", 1},
		"a crash":             {hookOf(t, yes+"kill -9 $$"), "killed", -1},
		"missing":             {missing, "not found", -1},
		"not executable":      {plain, "not executable", -1},
		"a timeout":           {hangs, "no answer in 300ms", -1},
		"an open quote":       {Custom{Command: "echo '"}, "quote", 0},
		"too much":            {hookOf(t, "head -c 2000000 /dev/zero; echo; echo '{\"decision\":\"approve\"}'"), "too long", 0},
		"nobody there":        {gone, "127.0.0.1:1 cannot be reached", 0},
		"a silent address":    {silent, "no answer in 50ms", 0},
		"status 500":          {addressOf(t, 500, `{"decision":"approve"}`), "status 500", 500},
		"a redirect":          {addressOf(t, 302, `{"decision":"approve"}`), "status 302", 302},
		"no signature":        {signed, "not signed", 200},
		"changed meanwhile":   {changes, "changed while it ran", 0},
		"exit 2, and no word": {hookOf(t, "exit 2"), "exit status 2", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trial := c.hook.Try(t.Context(), asked("ls"))
			if trial.Advice.Decision != assent.Ask || !strings.Contains(trial.Advice.Fault, c.fault) || trial.Advice.Exit != c.exit {
				t.Errorf("%s, exit %d: %q", trial.Advice.Decision, trial.Advice.Exit, trial.Advice.Fault)
			}
		})
	}
}

// silentAddress takes requests and never answers.
func silentAddress(t *testing.T) Custom {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(func() { close(release); s.Close() })
	return Custom{Command: s.URL}
}

func TestExitStatus2IsANo(t *testing.T) {
	t.Parallel()
	trial := hookOf(t, "echo 'not from here' >&2\nexit 2").Try(t.Context(), asked("ls"))
	if a := trial.Advice; a.Decision != assent.Deny || a.Reason != "not from here" || a.Exit != 2 || string(trial.Stderr) != "not from here\n" {
		t.Errorf("%+v", trial)
	}
}

func TestWhatAHookIsGiven(t *testing.T) {
	t.Parallel()
	r := asked("curl -H 'X-Api-Key: Zx9fK2mQ7vLr4Tn8' http://10.0.0.5 <in", "net.egress")
	trial := hookOf(t, "cat >$0.in\necho '{\"decision\":\"escalate\"}'").Try(t.Context(), r)
	var p map[string]any
	if err := json.Unmarshal(trial.Given, &p); err != nil {
		t.Fatal(err)
	}
	if read, err := os.ReadFile(trial.Advice.By.Name + ".in"); err != nil || string(read) != string(trial.Given) {
		t.Errorf("it read %s: %v", read, err)
	}
	if strings.Contains(string(trial.Given), "please approve") {
		t.Error("the agent's own words about its command are no evidence, and are in it")
	}
	for key, want := range map[string]any{
		"tool": "terminal", "command": "curl -H 'X-Api-Key: [redacted]' http://10.0.0.5 <in", "reason": "it deletes; it asks", "session_id": "s1",
		"platform": "discord", "user_id": "77", "request_id": "req_1", "cwd": "/home/ada/shop", "agent": "claude", "profile": "home",
		"parent_session_id": "s0", "digest": r.Digest, "expires_at": "2001-09-09T01:46:40Z",
	} {
		if p[key] != want {
			t.Errorf("%s is %v, want %v", key, p[key], want)
		}
	}
	for key, want := range map[string]string{
		"tool_input": `map[command:curl -H 'X-Api-Key: [redacted]' http://10.0.0.5 <in]`,
		"findings":   `[map[code:net.egress note:it does net.egress target:/home/ada/shop/build]]`,
		"offers":     `[map[offer:0 scope:map[] text:exactly this] map[offer:1 scope:map[] text:rm under build] map[offer:2 scope:map[] text:rm here]]`,
	} {
		if got := fmt.Sprint(p[key]); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func TestTheSixKeysAreAlwaysThere(t *testing.T) {
	t.Parallel()
	raw, err := given(assent.Request{}, false)
	var p map[string]any
	if err != nil || json.Unmarshal(raw, &p) != nil {
		t.Fatal(err, string(raw))
	}
	for _, key := range []string{"tool", "command", "reason", "session_id", "platform", "user_id"} {
		if p[key] != "" {
			t.Errorf("%s is %v", key, p[key])
		}
	}
}

func TestOnlyAScriptIsShownSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_Zx9fK2mQ7vLr4Tn8Wb3Yc6Hd"
	var seen atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen.Store(strings.Contains(string(body), secret))
	}))
	t.Cleanup(s.Close)
	for name, c := range map[string]struct {
		hook Custom
		want bool
	}{
		"by default": {Custom{Command: "true"}, false},
		"a script":   {Custom{Command: "true", SeesSecrets: true}, true},
		"an address": {Custom{Command: s.URL, SeesSecrets: true}, false},
	} {
		trial := c.hook.Try(t.Context(), asked("curl -u a:"+secret+" x"))
		if got := strings.Contains(string(trial.Given), secret); got != c.want || seen.Load() {
			t.Errorf("%s: shown: %v", name, got)
		}
	}
}

func TestAnAddressSignsItsAnswer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get(post.SignatureHeader) != post.Sign("s3", body) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		yes := []byte(`{"decision":"approve"}`)
		w.Header().Set(post.SignatureHeader, post.SignAnswer("s3", r.Header.Get(post.SignatureHeader), yes))
		_, _ = w.Write(yes)
	}))
	t.Cleanup(s.Close)
	for secret, want := range map[string]assent.Decision{"s3": assent.Allow, "s4": assent.Ask, "": assent.Ask} {
		if a, _ := (Custom{Command: s.URL, Secret: secret}).Approve(t.Context(), asked("ls")); a.Decision != want {
			t.Errorf("%q: %+v", secret, a)
		}
	}
}

func TestAHookIsNamedByItsContent(t *testing.T) {
	t.Parallel()
	hook := hookOf(t, "exit 0")
	before := hook.Name()
	by := hook
	by.Command = "sh " + hook.Command + " --strict"
	if by.Name().ID != before.ID || before.Name != hook.Command || !strings.HasPrefix(before.ID, "hook.sh@") || len(before.ID) != len("hook.sh@")+12 {
		t.Errorf("%+v, and through sh %+v", before, by.Name())
	}
	if err := os.WriteFile(hook.Command, []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if hook.Name().ID == before.ID {
		t.Error("an edited hook has kept its name")
	}
	if err := os.Remove(hook.Command); err != nil {
		t.Fatal(err)
	}
	if id := hook.Name().ID; id != "hook.sh@missing" {
		t.Errorf("a hook that is gone: %s", id)
	}
	inline := Custom{Command: "python3 -c 'print(1)'"}.Name()
	if other := (Custom{Command: "python3 -c 'print(2)'"}).Name(); !strings.HasPrefix(inline.ID, "python3@") || other.ID == inline.ID {
		t.Errorf("code in the line itself: %+v, %+v", inline, other)
	}
	url := Custom{Command: "https://ops.example.org/judge?token=abcdefgh"}.Name()
	if !strings.HasPrefix(url.ID, "ops.example.org@") || strings.Contains(url.Name, "abcdefgh") {
		t.Errorf("%+v", url)
	}
}

func TestATimeoutEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("whether a process runs is read from /proc")
	}
	hook := hookOf(t, "(sleep 60 >/dev/null 2>&1 & echo $! >$0.pid)\nsleep 60")
	hook.Timeout = 2 * time.Second
	if a, _ := hook.Approve(t.Context(), asked("ls")); a.Decision != assent.Ask {
		t.Fatalf("%+v", a)
	}
	pid, err := os.ReadFile(hook.Command + ".pid")
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("what the hook started still runs: %s", stat)
		}
	}
}

func TestNoSessionNoWiderYes(t *testing.T) {
	t.Parallel()
	r := asked("ls")
	r.Case.Session = ""
	a, _ := addressOf(t, 200, `{"decision":"approve","scope":"session"}`).Approve(t.Context(), r)
	once, _ := addressOf(t, 200, `{"decision":"approve"}`).Approve(t.Context(), r)
	if a.Decision != assent.Ask || a.Fault == "" || once.Decision != assent.Allow {
		t.Errorf("%+v, %+v", a, once)
	}
}

func TestReasonsAreForPeople(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5000)
	body, _ := json.Marshal(map[string]string{"decision": "deny", "reason": "a\x1b[2J\u202eb\n" + long})
	a, _ := addressOf(t, 200, string(body)).Approve(t.Context(), asked("ls"))
	if a.Decision != assent.Deny || len(a.Reason) > maxReason || !strings.HasPrefix(a.Reason, "a[2Jb ä") {
		t.Errorf("%d bytes: %.40q", len(a.Reason), a.Reason)
	}
}
