package main

// Doing what a call over the Model Context Protocol asks for: by the broker, under one
// use of a grant.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"assent"
	"assent/broker"
	"assent/engine"
	"assent/internal/child"
	"assent/serve/mcp"
)

// maxRead is how large a file may be of which the beginning is told.
const maxRead = 5 << 20

// doer is the mcp.Runner of a home.
type doer struct {
	gate   broker.Gate
	places assent.Places
	now    func() time.Time
	guard  *child.Guard
}

// Do does it, or only asks for it.
func (d doer) Do(ctx context.Context, c mcp.Call) (mcp.Done, error) {
	b := &broker.Broker{Gate: d.gate, Places: d.places, Now: d.now, Guard: d.guard, Extra: words(c), Ask: true, Wait: c.Wait}
	if c.Ask {
		asked := &asking{Gate: d.gate}
		b.Gate = asked
		_, err := act(ctx, b, c.Action)
		return asked.came(err)
	}
	done, err := act(ctx, b, c.Action)
	return done, refusal(err)
}

func act(ctx context.Context, b *broker.Broker, action any) (mcp.Done, error) {
	switch do := action.(type) {
	case mcp.Exec:
		c := broker.Command{Argv: do.Argv, Dir: do.Dir, Env: do.Env, Stdout: do.Stdout, Stderr: do.Stderr}
		if do.Stdin != nil {
			c.Stdin, c.BindStdin = strings.NewReader(*do.Stdin), true
		}
		r, err := b.Exec(ctx, c)
		return mcp.Done{Exit: r.Exit}, err
	case mcp.Read:
		content, err := b.Read(ctx, do.Path, maxRead)
		return mcp.Done{Content: content}, err
	case mcp.Write:
		return mcp.Done{}, b.Write(ctx, do.Path, do.Content)
	case mcp.Fetch:
		got, err := b.Fetch(ctx, broker.FetchRequest{URL: do.URL, Method: do.Method, Body: do.Body, Type: do.Type})
		return mcp.Done{Status: got.Status, URL: got.URL, Type: got.Type, Content: got.Body}, err
	}
	return mcp.Done{}, fmt.Errorf("%T: %w", action, assent.ErrInvalid)
}

// words are what is known of a call beside its action: the agent's name of it, and the
// agent's prose.
func words(c mcp.Call) map[string]json.RawMessage {
	extra := map[string]json.RawMessage{}
	for key, text := range map[string]string{engine.AgentCall: c.Agent, "tool_description": c.Why} {
		if text != "" {
			extra[key], _ = json.Marshal(text) // a text can be written
		}
	}
	return extra
}

// refusal says of a broker's refusal what the door says of one.
func refusal(err error) error {
	var no *broker.Refused
	if !errors.As(err, &no) {
		return err
	}
	if no.Decision != assent.Ask || no.Request == "" {
		return &mcp.Refused{Tell: no.Error()}
	}
	tell := "your user has to approve it first"
	if no.Tell != "" {
		tell += " (" + strings.TrimSuffix(no.Tell, ".") + ")"
	}
	return &mcp.Refused{Tell: tell, Request: no.Request}
}

// asking is a gate through which nothing is done: where a use is granted it is given
// back.
type asking struct {
	broker.Gate
	granted *assent.Verdict // what it would be done under
}

var errAsked = errors.New("it was only asked for")

// Use asks for it, and notes what it would be done under.
func (a *asking) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	v, err := a.Gate.Use(ctx, u)
	if err != nil || v.Decision != assent.Allow {
		return v, err
	}
	a.granted = &v
	back := a.Gate.End(context.WithoutCancel(ctx), assent.End{Session: v.Session, Call: u.Event.Call, Digest: v.Digest, Note: errAsked.Error()})
	return assent.Verdict{}, errors.Join(errAsked, back)
}

// came is what came of asking.
func (a *asking) came(err error) (mcp.Done, error) {
	var no *broker.Refused
	switch {
	case a.granted != nil && errors.Is(err, errAsked):
		return mcp.Done{Grant: a.granted.Grant}, nil
	case errors.As(err, &no) && no.Decision == assent.Ask && no.Request != "":
		return mcp.Done{Request: no.Request}, nil
	}
	return mcp.Done{}, refusal(err)
}
