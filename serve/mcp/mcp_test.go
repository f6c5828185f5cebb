package mcp_test

// What every test here needs: a runner that is told what to do, and both ways to talk
// to the server: the reference client, and plain lines.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"assent/serve/mcp"
)

// runner does what a test says, and keeps what it was asked.
type runner struct {
	do func(context.Context, mcp.Call) (mcp.Done, error)

	mu    sync.Mutex
	calls []mcp.Call
}

func (r *runner) Do(ctx context.Context, c mcp.Call) (mcp.Done, error) {
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
	if r.do == nil {
		return mcp.Done{}, nil
	}
	return r.do(ctx, c)
}

func (r *runner) asked() []mcp.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]mcp.Call(nil), r.calls...)
}

func none(context.Context) ([]mcp.Grant, error) { return nil, nil }

// served is a server that runs, with the ends of its pipes.
type served struct {
	in    io.WriteCloser
	out   io.ReadCloser
	ended chan error
}

// start runs a server until its input is closed; the test ends no sooner.
func start(t *testing.T, s mcp.Server) *served {
	t.Helper()
	if s.Grants == nil {
		s.Grants = none
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	v := &served{in: inW, out: outR, ended: make(chan error, 1)}
	go func() {
		v.ended <- s.Run(t.Context(), inR, outW)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		_, _ = io.Copy(io.Discard, outR)
	})
	return v
}

// connect greets a server as the reference client does.
func connect(t *testing.T, s mcp.Server, opt *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	v := start(t, s)
	client := sdk.NewClient(&sdk.Implementation{Name: "oracle", Version: "1"}, opt)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: v.out, Writer: v.in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// wire talks in lines.
type wire struct {
	*testing.T
	*served
	lines *bufio.Reader
}

// answer is any message of the server's.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Result struct {
		Version string `json:"protocolVersion"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
	} `json:"result"`
}

// dial starts a server and says nothing yet.
func dial(t *testing.T, s mcp.Server) *wire {
	t.Helper()
	v := start(t, s)
	return &wire{t, v, bufio.NewReaderSize(v.out, 1<<20)}
}

// greeted is a wire over which the greeting is done.
func greeted(t *testing.T, s mcp.Server) *wire {
	t.Helper()
	w := dial(t, s)
	w.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if a := w.hear(); a.Result.Version != "2025-11-25" {
		t.Fatalf("initialize: %+v", a)
	}
	w.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// say writes beside the test: the server may not read before it was heard.
func (w *wire) say(lines ...string) {
	w.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(w.in, l+"\n"); err != nil {
			w.Fatal(err)
		}
	}
}

func (w *wire) hear() answer {
	w.Helper()
	raw, err := w.lines.ReadBytes('\n')
	if err != nil {
		w.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		w.Fatalf("%v: %s", err, raw)
	}
	return a
}

// call makes a call and returns its answer.
func (w *wire) call(id, name, arguments string) answer {
	w.Helper()
	w.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`)
	a := w.hear()
	if string(a.ID) != id {
		w.Fatalf("the answer to %s is for %s", id, a.ID)
	}
	return a
}

func (a answer) text() string {
	if len(a.Result.Content) != 1 {
		return ""
	}
	return a.Result.Content[0].Text
}

// bounded is a context for what must happen, on a machine that is busy.
func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("it did not happen"))
	t.Cleanup(cancel)
	return ctx
}
