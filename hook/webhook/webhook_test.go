package webhook

// What is sent to addresses, what of it is heard, and what of it counts as failure.

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/hook"
	"assent/internal/post"
)

const secret = "ghp_Zx9fK2mQ7vLr4Tn8Wb3Yc6Hd"

// call is a shell call that is about to be made.
func call(command string) assent.Case {
	input, _ := json.Marshal(map[string]string{"command": command})
	return assent.Case{Event: assent.Event{
		Name: assent.PreToolCall, Agent: "claude", Session: "s1", Dir: "/home/ada", Tool: assent.ToolShell, Input: input,
		Extra: map[string]json.RawMessage{"note": json.RawMessage(`"TOKEN=` + secret + `"`)},
	}}
}

// delivered is one request that arrived.
type delivered struct {
	header http.Header
	body   string
}

// address takes deliveries, and answers each with the next status (then the last).
type address struct {
	*httptest.Server
	mu   sync.Mutex
	got  []delivered
	say  func(w http.ResponseWriter, r *http.Request)
	next []int
}

func listen(t *testing.T, status ...int) *address {
	t.Helper()
	a := &address{next: status}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *address) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	status := a.next[min(len(a.got), len(a.next)-1)]
	a.got = append(a.got, delivered{r.Header, string(body)})
	switch {
	case status == 0: // the connection breaks
		panic(http.ErrAbortHandler)
	case status >= 300 && status < 400:
		http.Redirect(w, r, a.URL+"/elsewhere", status)
	case a.say != nil:
		a.say(w, r)
	default:
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"decision":"block","reason":"I only watch"}`)
	}
}

func (a *address) all() []delivered {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.got)
}

// only are the entries of an outbound that nothing is wrong with.
func only(t *testing.T, o Outbound) []hook.Entry {
	t.Helper()
	entries, faults := o.Entries(func(string) string { return "" })
	if len(faults) > 0 || len(entries) == 0 {
		t.Fatalf("%v, %v", entries, faults)
	}
	return entries
}

func TestADelivery(t *testing.T) {
	t.Parallel()
	a := listen(t, 200)
	entries, faults := Outbound{URL: a.URL + "/x?key=1", Events: []string{assent.PreToolCall, assent.PostToolCall}, SecretEnv: "HOOK_SECRET"}.
		Entries(func(name string) string { return map[string]string{"HOOK_SECRET": "s3"}[name] })
	if len(entries) != 2 || len(faults) != 0 || entries[1].Event != assent.PostToolCall {
		t.Fatalf("%+v, %v", entries, faults)
	}
	e := entries[0]
	if !e.Watch || e.Kind != hook.KindWebhook || e.Timeout != DefaultTimeout || e.ID != "webhook "+strings.TrimPrefix(a.URL, "http://") {
		t.Errorf("%+v", e)
	}
	for range 2 {
		if r, err := e.Call(t.Context(), call("echo "+secret+" <x")); err != nil || r.Decision != assent.None || r.Fault != "" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	got := a.all()
	if len(got) != 2 || got[0].body == got[1].body {
		t.Fatalf("%d deliveries", len(got))
	}
	h, body := got[0].header, got[0].body
	var p map[string]any
	if err := json.Unmarshal([]byte(body), &p); err != nil || strings.Contains(body, secret) {
		t.Fatalf("%v: %s", err, body)
	}
	for key, want := range map[string]any{"hook_event_name": "pre_tool_call", "tool_name": "terminal", "session_id": "s1", "cwd": "/home/ada", "profile": "default", "delivery_id": h.Get("X-Hermes-Delivery")} {
		if p[key] != want || want == "" {
			t.Errorf("%s is %v, want %v", key, p[key], want)
		}
	}
	if at, err := time.Parse(time.RFC3339, p["timestamp"].(string)); err != nil || at.Location() != time.UTC {
		t.Errorf("timestamp %v: %v", p["timestamp"], err)
	}
	sign := post.Sign("s3", []byte(body))
	for name, want := range map[string]string{
		"X-Hermes-Event": "pre_tool_call", "X-Assent-Event": "pre_tool_call", "X-Assent-Delivery": h.Get("X-Hermes-Delivery"),
		"X-Hermes-Signature-256": sign, "X-Assent-Signature-256": sign, "Content-Type": "application/json",
	} {
		if h.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, h.Get(name), want)
		}
	}
}

func TestUnsignedWithoutASecret(t *testing.T) {
	t.Parallel()
	a := listen(t, 200)
	o := Outbound{Name: "ops", URL: a.URL, Events: []string{assent.PreToolCall}}
	if _, err := only(t, o)[0].Call(t.Context(), call("ls")); err != nil || o.Signed() {
		t.Fatal(err)
	}
	for name := range a.all()[0].header {
		if strings.Contains(name, "Signature") {
			t.Errorf("%s without a secret", name)
		}
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status []int
		times  int
		fault  string
		fails  bool
	}{
		"well":                {status: []int{204}, times: 1},
		"a failure, and well": {status: []int{503, 200}, times: 2},
		"two failures":        {status: []int{500, 502}, times: 2, fault: "answered with status 502"},
		"refused":             {status: []int{404}, times: 1, fault: "answered with status 404"},
		"a redirect":          {status: []int{307}, times: 1, fault: "answered with status 307"},
		"cut off, and well":   {status: []int{0, 200}, times: 2},
		"cut off twice":       {status: []int{0, 0}, times: 2, fails: true},
	} {
		a := listen(t, c.status...)
		r, err := only(t, Outbound{URL: a.URL, Events: []string{assent.PreToolCall}})[0].Call(t.Context(), call("ls"))
		got := a.all()
		if len(got) != c.times || r.Fault != c.fault || (err != nil) != c.fails || r.Decision != assent.None {
			t.Errorf("%s: %d times, %+v, %v", name, len(got), r, err)
		}
		if len(got) == 2 && (got[0].body != got[1].body || got[0].header.Get("X-Hermes-Delivery") != got[1].header.Get("X-Hermes-Delivery")) {
			t.Errorf("%s: the second time it was another delivery", name)
		}
	}
}

func TestWhatIsWrittenWrong(t *testing.T) {
	t.Parallel()
	one := []string{assent.PreToolCall}
	for name, c := range map[string]struct {
		o     Outbound
		fault string
		fails bool
	}{
		"no address":    {Outbound{Name: "a", URL: "ops.example.org", Events: one}, "webhook a: url is no http(s) address", true},
		"no secret":     {Outbound{Name: "a", URL: "http://127.0.0.1:1", Events: one, SecretEnv: "NOPE"}, "webhook a: secret_env: NOPE is not set", true},
		"a long time":   {Outbound{Name: "a", URL: "http://127.0.0.1:1", Events: one, Timeout: time.Hour}, "webhook a: timeout is between 1 and 60 seconds; 1m0s is taken", true},
		"a short time":  {Outbound{Name: "a", URL: "http://127.0.0.1:1", Events: one, Timeout: time.Millisecond}, "webhook a: timeout is between 1 and 60 seconds; 1s is taken", true},
		"a bad matcher": {Outbound{Name: "a", URL: "http://127.0.0.1:1", Events: one, Matcher: "("}, `webhook a: matcher "(" is no regular expression`, true},
		"no events":     {Outbound{Name: "a", URL: "http://127.0.0.1:1"}, "webhook a: events is empty", false},
	} {
		entries, faults := c.o.Entries(func(string) string { return "" })
		if len(faults) != 1 || !strings.HasPrefix(faults[0], c.fault) || len(entries) != len(c.o.Events) {
			t.Errorf("%s: %q", name, faults)
		}
		for _, e := range entries {
			if _, err := e.Call(t.Context(), call("ls")); (err != nil) != c.fails {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestNothingIsHeardOfWhoOnlyWatches tells an address of a gated call through a
// dispatcher: its no is none.
func TestNothingIsHeardOfWhoOnlyWatches(t *testing.T) {
	t.Parallel()
	a := listen(t, 200)
	d := hook.New(hook.Options{}, only(t, Outbound{URL: a.URL, Events: []string{assent.PreToolCall}})...)
	r, err := d.Judge(t.Context(), call("rm -rf /"))
	if err != nil || verdict(r) != assent.None {
		t.Errorf("%+v, %v", r, err)
	}
	if err := d.Drain(t.Context(), 10*time.Second); err != nil || len(a.all()) != 1 {
		t.Errorf("%v, told %d times", err, len(a.all()))
	}
}

// verdict is what becomes of a call of which this alone is said.
func verdict(r assent.Reply) assent.Decision {
	return assent.Fold(assent.Tiers{Said: []assent.Reply{r}}).Decision
}

// says is a directive hook behind an address that answers so, signed with a secret.
func says(t *testing.T, status int, answer, sign string) (Directive, *address) {
	a := listen(t, status)
	a.say = func(w http.ResponseWriter, r *http.Request) {
		if sign != "" {
			w.Header().Set(post.SignatureHeader, post.SignAnswer(sign, r.Header.Get(post.SignatureHeader), []byte(answer)))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}
	return Directive{URL: a.URL, Event: assent.PreToolCall}, a
}

func TestWhatAnAddressIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status       int
		answer       string
		sign, secret string
		want         assent.Decision
		reason       string
		fails        bool
	}{
		"nothing to say":    {status: 204},
		"an empty object":   {status: 200, answer: "{}"},
		"a block":           {status: 200, answer: `{"action":"block","message":"not today"}`, want: assent.Deny, reason: "not today"},
		"Claude's block":    {status: 201, answer: `{"decision":"block","reason":"no"}`, want: assent.Deny, reason: "no"},
		"signed":            {status: 200, answer: `{"action":"block","message":"x"}`, sign: "s3", secret: "s3", want: assent.Deny, reason: "x"},
		"signed by another": {status: 200, answer: "{}", sign: "s4", secret: "s3", fails: true},
		"not signed":        {status: 200, answer: "{}", secret: "s3", fails: true},
		"status 500":        {status: 500, answer: "{}", fails: true},
		"status 404":        {status: 404, answer: "{}", fails: true},
		"prose":             {status: 200, answer: "all is well", fails: true},
		"two answers":       {status: 200, answer: "{\"action\":\"allow\"}\n{\"action\":\"approve\"}", fails: true},
	} {
		d, a := says(t, c.status, c.answer, c.sign)
		d.Secret = c.secret
		r, err := d.Entry().Call(t.Context(), call("ls"))
		if (err != nil) != c.fails || !c.fails && (r.Decision != c.want || r.Reason != c.reason) || len(a.all()) != 1 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestAFailingAddressLetsNothingThrough(t *testing.T) {
	t.Parallel()
	gone := Directive{URL: "http://127.0.0.1:1/x", Event: assent.PreToolCall}
	redirect := listen(t, 302)
	for onError, want := range map[hook.OnError]assent.Decision{"": assent.Ask, hook.FailAsk: assent.Ask, hook.FailDeny: assent.Deny, hook.FailIgnore: assent.None} {
		for _, d := range []Directive{gone, {URL: redirect.URL, Event: assent.PreToolCall}} {
			d.OnError = onError
			r, err := hook.New(hook.Options{}, d.Entry()).Judge(t.Context(), call("ls"))
			if got := verdict(r); err != nil || got != want {
				t.Errorf("on_error %q: %s, %v", onError, got, err)
			}
		}
	}
}

func TestAnAddressIsNotShownSecrets(t *testing.T) {
	t.Parallel()
	for sees, mark := range map[bool]bool{false: true, true: false} {
		d, a := says(t, 200, `{"action":"modify","args":{"command":"echo [redacted]"}}`, "")
		d.SeesSecrets = sees
		r, err := d.Entry().Call(t.Context(), call("echo "+secret))
		if strings.Contains(a.all()[0].body, secret) == mark {
			t.Errorf("shown secrets %v: %s", sees, a.all()[0].body)
		}
		if err == nil || !strings.Contains(err.Error(), "not shown") {
			t.Errorf("a rewrite with the mark in it: %+v, %v", r, err)
		}
	}
	d, _ := says(t, 200, `{"action":"modify","args":{"command":"ls"}}`, "")
	if r, err := d.Entry().Call(t.Context(), call("echo "+secret)); err != nil || string(r.Rewrite) != `{"command":"ls"}` {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	a := listen(t, 200)
	e := only(t, Outbound{URL: a.URL, Events: []string{assent.PreToolCall}})[0]
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if _, err := e.Call(t.Context(), call("ls")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	ids := map[string]bool{}
	for _, d := range a.all() {
		ids[d.header.Get("X-Hermes-Delivery")] = true
	}
	if len(ids) != 50 {
		t.Errorf("%d deliveries", len(ids))
	}
}
