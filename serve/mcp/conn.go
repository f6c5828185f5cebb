package mcp

// The connection: its life, and what is worked on.

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"
)

// versions are those of the protocol that are spoken, the newest first.
var versions = []string{"2025-11-25", "2025-06-18"}

// conn is the state of one connection.
type conn struct {
	server Server
	tools  []tool
	stop   context.CancelCauseFunc
	work   sync.WaitGroup
	look   chan struct{} // asks for a look at the grants

	writing sync.Mutex
	out     io.Writer

	greeted bool // initialize was answered; of the reader alone

	mu    sync.Mutex
	ready bool                          // the agent has said so, and may be told things
	shown []byte                        // the tools as they were last listed; nil = never
	calls map[string]context.CancelFunc // by id: what is worked on
}

// take handles one line.
func (c *conn) take(ctx context.Context, l line) {
	if l.toolong {
		c.answer(nil, nil, faulty(badRequest, "a message of more than %d MiB is not read", MaxMessage>>20))
		return
	}
	m, f := parse(l.text)
	switch {
	case f != nil:
		c.answer(m.id, nil, f)
	case m.id == nil:
		c.notified(m)
	default:
		c.requested(ctx, m)
	}
}

// notified takes a notification; one that is not known says nothing.
func (c *conn) notified(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.method {
	case "notifications/initialized":
		c.ready = c.greeted
	case "notifications/cancelled":
		if end, ok := c.calls[string(m.params["requestId"])]; ok {
			end()
		}
	}
}

// requested takes a request.
func (c *conn) requested(ctx context.Context, m message) {
	switch m.method {
	case "ping":
		c.answer(m.id, struct{}{}, nil)
		return
	case "initialize":
		result, f := c.initialize(m)
		c.answer(m.id, result, f)
		return
	case "tools/list", "tools/call":
	default:
		c.answer(m.id, nil, faulty(badMethod, "there is no method %q", clip(m.method, maxText)))
		return
	}
	switch {
	case !c.greeted:
		c.answer(m.id, nil, faulty(badRequest, "%s before initialize", m.method))
	case m.method == "tools/list":
		c.begin(ctx, m.id, func(ctx context.Context) (any, *fault) { return c.list(ctx, m) })
	default:
		c.begin(ctx, m.id, func(ctx context.Context) (any, *fault) { return c.call(ctx, m) })
	}
}

// initialize agrees on a version: the agent's own if we speak it, else our newest.
func (c *conn) initialize(m message) (any, *fault) {
	var version string
	switch {
	case c.greeted:
		return nil, faulty(badRequest, "initialize was answered already")
	case json.Unmarshal(m.params["protocolVersion"], &version) != nil || version == "":
		return nil, faulty(badParams, "protocolVersion: a text was expected")
	}
	if !slices.Contains(versions, version) {
		version = versions[0]
	}
	c.greeted = true
	return map[string]any{
		"protocolVersion": version,
		"capabilities":    map[string]any{"tools": map[string]bool{"listChanged": true}},
		"serverInfo":      map[string]string{"name": "assent", "title": "assent", "version": c.server.Version},
		"instructions":    instructions,
	}, nil
}

// begin works on a request beside the reader, unless too many are worked on. One that
// is cancelled gets no answer, and its place is free once all that it did has ended.
func (c *conn) begin(ctx context.Context, id json.RawMessage, do func(context.Context) (any, *fault)) {
	ctx, end := context.WithCancel(ctx)
	if f := c.add(string(id), end); f != nil {
		end()
		c.answer(id, nil, f)
		return
	}
	c.work.Go(func() {
		result, f := do(ctx)
		cancelled := ctx.Err() != nil
		end()
		c.mu.Lock()
		delete(c.calls, string(id))
		c.mu.Unlock()
		if !cancelled {
			c.answer(id, result, f)
		}
	})
}

func (c *conn) add(id string, end context.CancelFunc) *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, used := c.calls[id]; {
	case used:
		return faulty(badRequest, "id: a request of this name is still worked on")
	case len(c.calls) >= MaxCalls:
		return faulty(overwhelmed, "%d requests are worked on already; wait for one of them, and ask again", MaxCalls)
	}
	c.calls[id] = end
	return nil
}
