package mcp_test

// Conformance: the reference client of the protocol is the oracle.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assent/serve/mcp"
)

func TestTheReferenceClientIsServed(t *testing.T) {
	t.Parallel()
	r := &runner{do: func(_ context.Context, c mcp.Call) (mcp.Done, error) {
		switch a := c.Action.(type) {
		case mcp.Exec:
			fmt.Fprint(a.Stdout, "out <&>")
			fmt.Fprint(a.Stderr, "err")
			return mcp.Done{Exit: 3}, nil
		case mcp.Read:
			return mcp.Done{Content: []byte("content and more")}, nil
		case mcp.Fetch:
			return mcp.Done{Status: 404, URL: "http://h/x", Type: "text/plain", Content: []byte{0xff, 0x00}}, nil
		}
		return mcp.Done{}, nil
	}}
	s := connect(t, mcp.Server{Version: "9", Runner: r, Wait: func() time.Duration { return time.Second }}, nil)
	if got := s.InitializeResult(); got.ProtocolVersion != "2025-11-25" || got.ServerInfo.Name != "assent" || got.ServerInfo.Version != "9" {
		t.Errorf("initialize: %+v", got)
	}
	if err := s.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"exec", `{"argv":["ls","-l"],"dir":"/d","env":["TERM"],"stdin":"in","wait_seconds":0}`, `{"exit":3,"stdout":"out <&>","stderr":"err","truncated":false}`},
		{"read_file", `{"path":"/f","max_bytes":7}`, `{"content":"content","encoding":"utf-8","truncated":true}`},
		{"write_file", `{"path":"f","content":"äß"}`, `{"written":4}`},
		{"fetch", `{"url":"http://h/","method":"POST","body":"x","type":"text/x"}`, `{"status":404,"url":"http://h/x","type":"text/plain","content":"/wA=","encoding":"base64","truncated":false}`},
	} {
		got, err := s.CallTool(bounded(t), &sdk.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)})
		if err != nil || got.IsError {
			t.Fatalf("%s: %v %+v", c.tool, err, got)
		}
		if text := got.Content[0].(*sdk.TextContent).Text; text != c.want {
			t.Errorf("%s: %s, want %s", c.tool, text, c.want)
		}
		if raw, _ := json.Marshal(got.StructuredContent); !same(raw, []byte(c.want)) {
			t.Errorf("%s, structured: %s", c.tool, raw)
		}
	}
	calls := r.asked()
	e := calls[0].Action.(mcp.Exec)
	if !slices.Equal(e.Argv, []string{"ls", "-l"}) || e.Dir != "/d" || !slices.Equal(e.Env, []string{"TERM"}) || *e.Stdin != "in" || calls[0].Wait != 0 {
		t.Errorf("exec was asked for as %+v", calls[0])
	}
	if a := calls[1].Action; a != (mcp.Read{Path: "/f", Max: 7}) || calls[1].Wait != time.Second {
		t.Errorf("read_file was asked for as %+v", calls[1])
	}
	if f := calls[3].Action; f != (mcp.Fetch{URL: "http://h/", Method: "POST", Body: "x", Type: "text/x"}) {
		t.Errorf("fetch was asked for as %+v", f)
	}
}

func same(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// TestResultsAreWhatTheSchemasSay: each tool is described in full, and has exactly the
// members of its output schema.
func TestResultsAreWhatTheSchemasSay(t *testing.T) {
	t.Parallel()
	s := connect(t, mcp.Server{Runner: &runner{}}, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]string{
		"exec": `{"argv":["x"]}`, "read_file": `{"path":"x"}`, "write_file": `{"path":"x","content":""}`, "fetch": `{"url":"x"}`,
		"ask_for": `{"tool":"read_file","input":{"path":"x"},"why":"y"}`,
	}
	readOnly := map[string]bool{"read_file": true}
	destroys := map[string]bool{"exec": true, "write_file": true, "fetch": true}
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" || tool.InputSchema.(map[string]any)["additionalProperties"] != false {
			t.Errorf("%s is not described: %+v", tool.Name, tool)
		}
		d := tool.Annotations.DestructiveHint
		if tool.Annotations.ReadOnlyHint != readOnly[tool.Name] || !readOnly[tool.Name] && (d == nil || *d != destroys[tool.Name]) {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
		got, err := s.CallTool(bounded(t), &sdk.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(calls[tool.Name])})
		if err != nil || got.IsError {
			t.Fatalf("%s: %v %+v", tool.Name, err, got)
		}
		out := tool.OutputSchema.(map[string]any)
		have := slices.Sorted(maps.Keys(got.StructuredContent.(map[string]any)))
		want := slices.Sorted(maps.Keys(out["properties"].(map[string]any)))
		if !slices.Equal(have, want) || len(out["required"].([]any)) != len(want) {
			t.Errorf("%s has %v, its schema %v", tool.Name, have, want)
		}
		delete(calls, tool.Name)
	}
	if len(calls) > 0 {
		t.Errorf("not listed: %v", calls)
	}
}

// TestACancelledCallEnds: what ran has ended, and its place is free.
func TestACancelledCallEnds(t *testing.T) {
	t.Parallel()
	began, ended := make(chan struct{}), make(chan struct{})
	r := &runner{do: func(ctx context.Context, _ mcp.Call) (mcp.Done, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return mcp.Done{}, ctx.Err()
	}}
	s := connect(t, mcp.Server{Runner: r}, nil)
	ctx, cancel := context.WithCancel(bounded(t))
	go func() {
		<-began
		cancel()
	}()
	if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "exec", Arguments: map[string]any{"argv": []string{"sleep"}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	<-ended
	if err := s.Ping(bounded(t), nil); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// TestCallsRunAtOnce: as many as there may be, each waiting for the last.
func TestCallsRunAtOnce(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	all.Add(mcp.MaxCalls)
	r := &runner{do: func(_ context.Context, c mcp.Call) (mcp.Done, error) {
		all.Done()
		all.Wait()
		return mcp.Done{Content: []byte(c.Action.(mcp.Read).Path)}, nil
	}}
	s := connect(t, mcp.Server{Runner: r}, nil)
	var calls sync.WaitGroup
	for i := range mcp.MaxCalls {
		calls.Go(func() {
			path := fmt.Sprintf("/f%d", i)
			got, err := s.CallTool(bounded(t), &sdk.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": path}})
			if err != nil || got.IsError || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, `"`+path+`"`) {
				t.Errorf("%s: %v %+v", path, err, got)
			}
		})
	}
	calls.Wait()
}

// TestRefusalsAreResults: the model is told in a sentence, and what its user can do.
func TestRefusalsAreResults(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct {
		err  error
		want string
	}{
		{&mcp.Refused{Tell: "a person has to approve it first", Request: "req_7"}, "a person has to approve it first. Tell your user to run `assent approve req_7`, then make exactly the same call again"},
		{&mcp.Refused{Tell: "rm -rf / is denied"}, "rm -rf / is denied"},
		{fmt.Errorf("the program: %w", errors.New("not found")), "it was not done: the program: not found"},
		{errors.New("https://ada:" + secret + "@host: refused"), "it was not done: https://ada:[redacted]@host: refused"},
	} {
		r := &runner{do: func(context.Context, mcp.Call) (mcp.Done, error) { return mcp.Done{}, c.err }}
		s := connect(t, mcp.Server{Runner: r}, nil)
		got, err := s.CallTool(bounded(t), &sdk.CallToolParams{Name: "exec", Arguments: map[string]any{"argv": []string{"rm"}}})
		if err != nil || !got.IsError || got.StructuredContent != nil || got.Content[0].(*sdk.TextContent).Text != c.want {
			t.Errorf("%v: %v %+v", c.err, err, got)
		}
	}
}

// TestAskingDoesNothing: the action is the one that would be done, and is only asked for.
func TestAskingDoesNothing(t *testing.T) {
	t.Parallel()
	r := &runner{do: func(_ context.Context, c mcp.Call) (mcp.Done, error) {
		if c.Action.(mcp.Exec).Argv[0] == "free" {
			return mcp.Done{Grant: "gr_2"}, nil
		}
		return mcp.Done{Request: "req_3"}, nil
	}}
	s := connect(t, mcp.Server{Runner: r, Wait: func() time.Duration { return time.Hour }}, nil)
	ask := func(argv string) string {
		got, err := s.CallTool(bounded(t), &sdk.CallToolParams{Name: "ask_for", Arguments: json.RawMessage(`{"tool":"exec","input":{"argv":["` + argv + `"],"wait_seconds":5},"why":"a reason"}`)})
		if err != nil || got.IsError {
			t.Fatalf("%v %+v", err, got)
		}
		return got.Content[0].(*sdk.TextContent).Text
	}
	if got := ask("rm"); !strings.Contains(got, `"request":"req_3"`) || !strings.Contains(got, "assent approve req_3") {
		t.Error(got)
	}
	if got := ask("free"); !strings.Contains(got, `"grant":"gr_2"`) {
		t.Error(got)
	}
	for _, c := range r.asked() {
		if !c.Ask || c.Why != "a reason" || c.Wait != 0 {
			t.Errorf("asked as %+v", c)
		}
	}
}

// TestTheListShowsWhatIsLive, bounded and escaped, and changes of it are told.
func TestTheListShowsWhatIsLive(t *testing.T) {
	t.Parallel()
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	var mu sync.Mutex
	live := []mcp.Grant{
		{ID: "gr_1", Tool: "exec", Text: "make test\n\x1b[2JIgnore \u202e\"this\"", Left: 2, Until: until},
		{ID: "gr_2", Tool: "read_file", Text: strings.Repeat("ä", 1000), Left: 1, Until: until},
		{ID: "gr_3", Text: "everything", Left: 9, Until: until},
	}
	grants := func(context.Context) ([]mcp.Grant, error) {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(live), nil
	}
	told := make(chan struct{}, 100)
	s := connect(t, mcp.Server{Runner: &runner{}, Grants: grants, Every: time.Millisecond}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- struct{}{} },
	})
	described := func() map[string]string {
		list, err := s.ListTools(bounded(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, tool := range list.Tools {
			out[tool.Name] = tool.Description
		}
		return out
	}
	got := described()
	if want := `- gr_1: "make test\n\x1b[2JIgnore \u202e\"this\"", uses left: 2, until 2030-01-02T02:04:05Z`; !strings.Contains(got["exec"], want) {
		t.Errorf("exec: %s", got["exec"])
	}
	if strings.Contains(got["exec"], "gr_2") || !strings.Contains(got["exec"], "gr_3") || !strings.Contains(got["write_file"], "gr_3") {
		t.Errorf("a grant stands at another tool: %q", got)
	}
	if len(got["read_file"]) > 1000 {
		t.Errorf("%d bytes of one grant", len(got["read_file"]))
	}
	mu.Lock()
	live = nil
	for i := range 1000 {
		live = append(live, mcp.Grant{ID: fmt.Sprintf("gr_%d", i), Tool: "fetch", Text: "x", Until: until})
	}
	mu.Unlock()
	select {
	case <-told:
	case <-bounded(t).Done():
		t.Fatal("a change was not told")
	}
	if got = described(); strings.Count(got["fetch"], "gr_") > 20 || !strings.Contains(got["fetch"], "and 980 more") || strings.Contains(got["exec"], "gr_1") {
		t.Errorf("fetch: %s\nexec: %s", got["fetch"], got["exec"])
	}
}
