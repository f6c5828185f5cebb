package mcp_test

// What a hostile or broken agent may send, and what must never come back. The numbers
// are those of the adversarial tests of grants.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"assent"
	"assent/serve/mcp"
)

// TestAdversarial17WrongArguments: nothing runs, and the field that is wrong is named.
func TestAdversarial17WrongArguments(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := greeted(t, mcp.Server{Runner: r})
	long := strings.Repeat("a", 129<<10)
	for i, c := range []struct{ tool, arguments, names string }{
		{"exec", `{}`, "argv"}, {"exec", `{"argv":"rm"}`, "argv"}, {"exec", `{"argv":[]}`, "argv"}, {"exec", `{"argv":[""]}`, "argv"},
		{"exec", `{"argv":null}`, "argv"}, {"exec", `{"argv":["a",7]}`, "argv[1]"}, {"exec", `{"argv":["a",["b"]]}`, "argv[1]"},
		{"exec", `{"argv":{"0":"a"}}`, "argv"}, {"exec", `{"argv":["a\u0000b"]}`, "argv[0]"}, {"exec", `{"argv":["` + long + `"]}`, "argv[0]"},
		{"exec", `{"argv":["a"],"dir":true}`, "dir"}, {"exec", `{"argv":["a"],"env":{"A":"b"}}`, "env"}, {"exec", `{"argv":["a"],"stdin":null}`, "stdin"},
		{"exec", `{"argv":["a"],"wait_seconds":"5"}`, "wait_seconds"}, {"exec", `{"argv":["a"],"wait_seconds":-1}`, "wait_seconds"},
		{"exec", `{"argv":["a"],"wait_seconds":601}`, "wait_seconds"}, {"exec", `{"argv":["a"],"wait_seconds":1.5}`, "wait_seconds"},
		{"exec", `{"argv":["a"],"wait_seconds":1e300}`, "wait_seconds"}, {"exec", `{"argv":["a"],"wait_seconds":null}`, "wait_seconds"},
		{"exec", `{"argv":["a"],"grant":"gr_1"}`, "grant"}, {"exec", `{"argv":["a"],"Argv":["b"]}`, "Argv"}, {"exec", `{"argv":["a"],"session":"s"}`, "session"},
		{"read_file", `{"path":7}`, "path"}, {"read_file", `{"path":""}`, "path"}, {"read_file", `{"path":"a","max_bytes":0}`, "max_bytes"},
		{"read_file", `{"path":"a","max_bytes":9999999}`, "max_bytes"}, {"write_file", `{"path":"a"}`, "content"}, {"write_file", `{"path":"a\u0000","content":""}`, "path"},
		{"write_file", `{"path":"a","content":[]}`, "content"}, {"fetch", `{"url":"x","headers":{"A":"b"}}`, "headers"}, {"fetch", `{"url":"x","method":1}`, "method"},
		{"fetch", `{}`, "url"}, {"ask_for", `{"tool":"exec"}`, "input"}, {"ask_for", `{"tool":"ask_for","input":{}}`, "tool"},
		{"ask_for", `{"tool":"exec","input":{"argv":["a"],"x":1}}`, "input.x"}, {"ask_for", `{"tool":"exec","input":{"argv":[1]}}`, "input.argv[0]"},
		{"ask_for", `{"tool":"exec","input":[]}`, "input"},
	} {
		a := w.call(fmt.Sprint(i), c.tool, c.arguments)
		if !a.Result.IsError || !strings.Contains(a.text(), " "+c.names+":") {
			t.Errorf("%s %.80s: %+v", c.tool, c.arguments, a)
		}
	}
	if calls := r.asked(); len(calls) != 0 {
		t.Errorf("these ran: %+v", calls)
	}
}

// TestAdversarial17WrongMessages: each is answered with an error, under its id where one can be
// made out, and the connection goes on.
func TestAdversarial17WrongMessages(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := greeted(t, mcp.Server{Runner: r})
	call := `"jsonrpc":"2.0","id":5,"method":"tools/call"`
	for _, c := range []struct {
		line string
		code int
		id   string
	}{
		{`{`, -32700, `null`}, {`nonsense`, -32700, `null`}, {`[]`, -32600, `null`}, {`"x"`, -32600, `null`}, {`null`, -32600, `null`},
		{`[{` + call + `,"params":{"name":"exec","arguments":{"argv":["a"]}}}]`, -32600, `null`},
		{`{"id":5,"method":"ping"}`, -32600, `5`}, {`{"jsonrpc":"1.0","id":5,"method":"ping"}`, -32600, `5`}, {`{"jsonrpc":2.0,"id":5,"method":"ping"}`, -32600, `5`},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, `null`}, {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, `null`},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, -32600, `null`},
		{`{"jsonrpc":"2.0","id":5,"method":7}`, -32600, `5`}, {`{"jsonrpc":"2.0","id":5}`, -32600, `5`}, {`{"jsonrpc":"2.0","id":5,"method":"tools/run"}`, -32601, `5`},
		{`{"jsonrpc":"2.0","id":5,"Method":"ping"}`, -32600, `5`},
		{`{` + call + `}`, -32602, `5`}, {`{` + call + `,"params":[]}`, -32602, `5`}, {`{` + call + `,"params":null}`, -32602, `5`},
		{`{` + call + `,"params":{"name":7,"arguments":{}}}`, -32602, `5`}, {`{` + call + `,"params":{"name":"rm","arguments":{}}}`, -32602, `5`},
		{`{` + call + `,"params":{"name":"exec","arguments":["a"]}}`, -32602, `5`}, {`{` + call + `,"params":{"name":"exec","arguments":null}}`, -32602, `5`},
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["a"]},"_meta":[]}}`, -32602, `5`},
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["a"]},"_meta":{"claudecode/toolUseId":7}}}`, -32602, `5`},
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["ls"],"argv":["rm"]}}}`, -32600, `5`}, // twice
		{`{` + call + `,"params":{"name":"exec","name":"fetch","arguments":{"argv":["ls"]}}}`, -32600, `5`},
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["` + "\xff" + `"]}}}`, -32600, `5`},                    // no UTF-8
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["\ud800"]}}}`, -32600, `5`},                            // half a character
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["a"],"wait_seconds":1e999}}}`, -32600, `5`},            // no number
		{`{` + call + `,"params":{"name":"exec","arguments":{"argv":["a"],"wait_seconds":9007199254740993}}}`, -32600, `5`}, // not exact
		{`{` + call + `,"params":{"name":"exec","arguments":` + strings.Repeat(`{"a":`, 300) + `1` + strings.Repeat(`}`, 300) + `}}`, -32600, `5`},
		{`{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, -32600, `5`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x"}}`, -32602, `5`},
	} {
		w.say(c.line)
		a := w.hear()
		if a.Error == nil || a.Error.Code != c.code || string(a.ID) != c.id && !(c.id == "null" && a.ID == nil) {
			t.Errorf("%.120q: %+v, want %d for %s", c.line, a, c.code, c.id)
		}
	}
	// What is no request is not answered at all.
	w.say(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"exec","arguments":{"argv":["a"]}}}`, `{"jsonrpc":"2.0","id":9,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	if a := w.hear(); string(a.ID) != `"last"` || a.Error != nil {
		t.Errorf("%+v", a)
	}
	if calls := r.asked(); len(calls) != 0 {
		t.Errorf("these ran: %+v", calls)
	}
}

func TestNothingIsDoneBeforeTheGreeting(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := dial(t, mcp.Server{Runner: r})
	if a := w.call("1", "exec", `{"argv":["a"]}`); a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "initialize") {
		t.Errorf("tools/call: %+v", a)
	}
	for line, code := range map[string]int{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                                       -32600,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}}`:            -32601, // a newer protocol's greeting
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                           -32602,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":20251125}}`: -32602,
	} {
		w.say(line)
		if a := w.hear(); a.Error == nil || a.Error.Code != code {
			t.Errorf("%s: %+v", line, a)
		}
	}
	w.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if a := w.hear(); a.Error != nil {
		t.Errorf("ping: %+v", a)
	}
	if calls := r.asked(); len(calls) != 0 {
		t.Errorf("these ran: %+v", calls)
	}
}

func TestVersionsAreAgreedOn(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{"2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "2025-11-25", "2026-07-28": "2025-11-25"} {
		w := dial(t, mcp.Server{Runner: &runner{}})
		w.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + asked + `","capabilities":{},"clientInfo":{}}}`)
		if a := w.hear(); a.Result.Version != want {
			t.Errorf("%s: %+v", asked, a)
		}
	}
}

// TestALineOfTenMegabytes is not read, and the next one is.
func TestALineOfTenMegabytes(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := greeted(t, mcp.Server{Runner: r})
	w.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["` + strings.Repeat("a", 10<<20) + `"]}}}`)
	if a := w.hear(); a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "4 MiB") {
		t.Errorf("%+v", a)
	}
	if a := w.call("2", "write_file", `{"path":"f","content":"`+strings.Repeat("b", 3<<20)+`"}`); a.Result.IsError || a.Error != nil {
		t.Errorf("the next: %+v", a.Error)
	}
	if calls := r.asked(); len(calls) != 1 {
		t.Errorf("%d ran", len(calls))
	}
}

// TestHalfALine is no message: the input ended before it did.
func TestHalfALine(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := greeted(t, mcp.Server{Runner: r})
	_, _ = io.WriteString(w.in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["rm"]}}}`)
	_ = w.in.Close()
	if rest, _ := io.ReadAll(w.lines); len(rest) != 0 {
		t.Errorf("it was answered: %s", rest)
	}
	if err := <-w.ended; err != nil || len(r.asked()) != 0 {
		t.Errorf("ended with %v after %d calls", err, len(r.asked()))
	}
}

// TestTheEndOfTheInputEndsWhatRuns: the server is not gone before its calls are.
func TestTheEndOfTheInputEndsWhatRuns(t *testing.T) {
	t.Parallel()
	began, running := make(chan struct{}), true
	r := &runner{do: func(ctx context.Context, _ mcp.Call) (mcp.Done, error) {
		close(began)
		<-ctx.Done()
		running = false // the race detector holds Run to waiting for this
		return mcp.Done{}, ctx.Err()
	}}
	w := greeted(t, mcp.Server{Runner: r})
	w.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["sleep"]}}}`)
	<-began
	_ = w.in.Close()
	if rest, _ := io.ReadAll(w.lines); len(rest) != 0 {
		t.Errorf("it was answered: %s", rest)
	}
	if err := <-w.ended; err != nil || running {
		t.Errorf("ended with %v, and it runs: %v", err, running)
	}
}

// TestAFlood: of ten thousand calls at once no more run than may, and each is answered.
func TestAFlood(t *testing.T) {
	t.Parallel()
	const flood = 10_000
	hold := make(chan struct{})
	r := &runner{do: func(context.Context, mcp.Call) (mcp.Done, error) { <-hold; return mcp.Done{}, nil }}
	w := greeted(t, mcp.Server{Runner: r})
	go func() {
		for i := range flood {
			_, _ = fmt.Fprintf(w.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["a"]}}}`+"\n", i)
		}
	}()
	answered := map[string]bool{}
	for range flood - mcp.MaxCalls {
		a := w.hear()
		if a.Error == nil || a.Error.Code != -32000 {
			t.Fatalf("%+v", a)
		}
		answered[string(a.ID)] = true
	}
	close(hold)
	for range mcp.MaxCalls {
		a := w.hear()
		if a.Error != nil || a.Result.IsError {
			t.Fatalf("%+v", a)
		}
		answered[string(a.ID)] = true
	}
	if len(answered) != flood || len(r.asked()) != mcp.MaxCalls {
		t.Errorf("%d answered, %d ran", len(answered), len(r.asked()))
	}
}

// TestAnIDIsUsedOnceAtATime: a second call under the name of one that runs is refused,
// so that a cancellation means one.
func TestAnIDIsUsedOnceAtATime(t *testing.T) {
	t.Parallel()
	r := &runner{do: func(ctx context.Context, _ mcp.Call) (mcp.Done, error) { <-ctx.Done(); return mcp.Done{}, ctx.Err() }}
	w := greeted(t, mcp.Server{Runner: r})
	line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["a"]}}}`
	w.say(line, line)
	if a := w.hear(); a.Error == nil || a.Error.Code != -32600 {
		t.Errorf("%+v", a)
	}
	w.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if a := w.hear(); string(a.ID) != "2" {
		t.Errorf("a cancelled call was answered: %+v", a)
	}
}

// TestAdversarial20NoHandleIsInAnyAnswer, wherever it came from: what was printed, read or
// fetched, what went wrong, and what is granted.
func TestAdversarial20NoHandleIsInAnyAnswer(t *testing.T) {
	t.Parallel()
	body := "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6"
	handle := assent.HandlePrefix + body + "_c2"
	r := &runner{do: func(_ context.Context, c mcp.Call) (mcp.Done, error) {
		switch a := c.Action.(type) {
		case mcp.Exec:
			fmt.Fprintf(a.Stdout, "a %s b", handle)
			fmt.Fprintf(a.Stderr, "%s%s", handle, "\n"+handle)
			if a.Argv[0] == "fail" {
				return mcp.Done{}, errors.New("cannot use " + handle + ": revoked")
			}
			if a.Argv[0] == "deny" {
				return mcp.Done{}, &mcp.Refused{Tell: "the handle " + handle + " is another's"}
			}
		case mcp.Fetch:
			return mcp.Done{URL: "http://h/" + handle, Type: handle, Content: []byte("\xff token=" + handle)}, nil
		}
		return mcp.Done{Content: []byte(handle)}, nil
	}}
	grants := func(context.Context) ([]mcp.Grant, error) {
		return []mcp.Grant{{ID: "gr_1", Text: "echo " + handle}}, nil
	}
	w := greeted(t, mcp.Server{Runner: r, Grants: grants})
	w.say(
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	)
	w.silent(body)
	for i, c := range [][2]string{
		{"exec", `{"argv":["ok"]}`}, {"exec", `{"argv":["fail"]}`}, {"exec", `{"argv":["deny"]}`}, {"read_file", `{"path":"f"}`}, {"fetch", `{"url":"u"}`},
		{"exec", `{"argv":["a"],"` + handle + `":1}`}, {handle, `{}`},
	} {
		w.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i+2, c[0], c[1]))
		w.silent(body)
	}
}

// silent hears one answer and looks for what must not be in it.
func (w *wire) silent(secret string) {
	w.Helper()
	raw, err := w.lines.ReadString('\n')
	if err != nil {
		w.Fatal(err)
	}
	for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret))[:20]} {
		if strings.Contains(raw, form) {
			w.Errorf("a handle left: %s", raw)
		}
	}
	if !json.Valid([]byte(raw)) {
		w.Errorf("no JSON: %s", raw)
	}
}

// TestOutputIsBounded: the beginning and the end are kept, and a note says so.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	r := &runner{do: func(_ context.Context, c mcp.Call) (mcp.Done, error) {
		switch a := c.Action.(type) {
		case mcp.Exec:
			fmt.Fprint(a.Stdout, "first")
			for range 1000 {
				_, _ = a.Stdout.Write([]byte(strings.Repeat("\xffä\n", 1000)))
			}
			fmt.Fprint(a.Stdout, "last")
			return mcp.Done{}, nil
		}
		return mcp.Done{Content: []byte(strings.Repeat("ä", mcp.MaxOutput))}, nil
	}}
	w := greeted(t, mcp.Server{Runner: r})
	var ran struct {
		Stdout    string
		Truncated bool
	}
	a := w.call("1", "exec", `{"argv":["yes"]}`)
	if err := json.Unmarshal(a.Result.Structured, &ran); err != nil {
		t.Fatal(err)
	}
	if !ran.Truncated || !strings.HasPrefix(ran.Stdout, "first") || !strings.HasSuffix(ran.Stdout, "last") || !strings.Contains(ran.Stdout, "[assent: ") || len(ran.Stdout) > 2*mcp.MaxOutput {
		t.Errorf("%v, %d bytes: %.20q … %q", ran.Truncated, len(ran.Stdout), ran.Stdout, ran.Stdout[max(0, len(ran.Stdout)-20):])
	}
	var read struct {
		Content, Encoding string
		Truncated         bool
	}
	a = w.call("2", "read_file", `{"path":"f"}`)
	if err := json.Unmarshal(a.Result.Structured, &read); err != nil || !read.Truncated || read.Encoding != "utf-8" || len(read.Content) != mcp.MaxOutput {
		t.Errorf("%v %v %s %d", err, read.Truncated, read.Encoding, len(read.Content))
	}
}

// TestTheAgentsNameOfACallIsPassedOn: its hook knew the call by it.
func TestTheAgentsNameOfACallIsPassedOn(t *testing.T) {
	t.Parallel()
	r := &runner{}
	w := greeted(t, mcp.Server{Runner: r})
	w.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"f"},"_meta":{"claudecode/toolUseId":"toolu_1","progressToken":2}}}`)
	w.hear()
	w.call("2", "read_file", `{"path":"f"}`)
	if c := r.asked(); c[0].Agent != "toolu_1" || c[1].Agent != "" {
		t.Errorf("%+v", c)
	}
}

// FuzzMessages: whatever is sent, every line that comes back is one JSON message, and
// the connection goes on.
func FuzzMessages(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"argv":["a"]}}}`,
		`{"jsonrpc":"2.0","id":"x","method":"tools/list"}`, `[1,2]`, `{"id":{}}`, "\xff", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := greeted(t, mcp.Server{Runner: &runner{}})
		go func() {
			_, _ = io.WriteString(w.in, text+"\n"+`{"jsonrpc":"2.0","id":"the last one","method":"ping"}`+"\n")
		}()
		for string(w.hear().ID) != `"the last one"` {
		}
	})
}
