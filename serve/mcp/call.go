package mcp

// Calls: from the arguments to the action, and from what came of it to a result.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// agentCalls are the keys of a call's _meta under which agents name it as they do to
// their hooks.
var agentCalls = []string{"claudecode/toolUseId"}

// result is the result of a tool.
type result struct {
	Content    []content `json:"content"`
	Structured any       `json:"structuredContent,omitempty"`
	IsError    bool      `json:"isError,omitempty"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// call makes one call of a tool.
func (c *conn) call(ctx context.Context, m message) (any, *fault) {
	var name string
	if json.Unmarshal(m.params["name"], &name) != nil || name == "" {
		return nil, faulty(badParams, "name: a text was expected")
	}
	if !c.named(name) {
		return nil, faulty(badParams, "there is no tool %q", clip(name, maxText))
	}
	arguments := map[string]json.RawMessage{}
	if raw, given := m.params["arguments"]; given && (json.Unmarshal(raw, &arguments) != nil || arguments == nil) {
		return nil, faulty(badParams, "arguments: an object was expected")
	}
	agent, f := agentCall(m.params["_meta"])
	if f != nil {
		return nil, f
	}
	do, tool := Call{Agent: agent}, name
	if c.server.Wait != nil {
		do.Wait = c.server.Wait()
	}
	var err error
	if name == askFor {
		tool, err = do.asking(arguments)
	} else {
		err = do.action(name, arguments)
	}
	if err != nil {
		return said(fmt.Sprintf("%s was not called: %v", clip(tool, maxText), err)), nil
	}
	defer c.changed()
	return c.do(ctx, do), nil
}

// agentCall is what the agent itself calls the call; empty: it does not say.
func agentCall(raw json.RawMessage) (string, *fault) {
	if raw == nil {
		return "", nil
	}
	var meta map[string]json.RawMessage
	if json.Unmarshal(raw, &meta) != nil || meta == nil {
		return "", faulty(badParams, "_meta: an object was expected")
	}
	for _, key := range agentCalls {
		var id string
		v, given := meta[key]
		switch {
		case !given:
		case v[0] != '"' || json.Unmarshal(v, &id) != nil || len(id) > maxID:
			return "", faulty(badParams, "_meta.%s: a text of at most %d bytes was expected", key, maxID)
		default:
			return id, nil
		}
	}
	return "", nil
}

// do has the action done, and makes a result of what came of it.
func (c *conn) do(ctx context.Context, do Call) result {
	var out, errs excerpt
	if e, ok := do.Action.(Exec); ok {
		e.Stdout, e.Stderr = &out, &errs
		do.Action = e
	}
	done, err := c.server.Runner.Do(ctx, do)
	var no *Refused
	switch {
	case errors.As(err, &no):
		return said(no.Tell + no.hint())
	case err != nil:
		return said("it was not done: " + err.Error())
	case do.Ask:
		return structured(asked(done))
	}
	switch a := do.Action.(type) {
	case Exec:
		return structured(ran{done.Exit, out.text(), errs.text(), out.cut() || errs.cut()})
	case Read:
		return structured(readable(done.Content, a.Max))
	case Write:
		return structured(written{len(a.Content)})
	}
	return structured(fetched{done.Status, withoutHandles(done.URL), withoutHandles(done.Type), readable(done.Content, MaxOutput)})
}

// said is a result that says why there is none.
func said(why string) result {
	return result{Content: []content{{"text", sentence(why)}}, IsError: true}
}

// structured is a result in both forms that the protocol has.
func structured(v any) result {
	text, err := encode(v)
	if err != nil {
		return said(fmt.Sprintf("it was done, and what came of it cannot be told: %v", err))
	}
	text = bytes.TrimSpace(text)
	return result{Content: []content{{"text", string(text)}}, Structured: json.RawMessage(text)}
}

// hint says what to do about a refusal.
func (r *Refused) hint() string {
	if r.Request == "" {
		return ""
	}
	return fmt.Sprintf(". Tell your user to run `assent approve %s`, then make exactly the same call again", r.Request)
}
