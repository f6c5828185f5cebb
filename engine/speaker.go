package engine

// Speakers: for which session somebody uses what assent executes. It is the
// connection's to prove; an id that is said is believed by nobody.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
)

const (
	// AgentCall is the field of a use's Extra in which a broker says which call of its
	// agent it serves, as the agent named it.
	AgentCall = "agent_call"

	// untold ends the session of a use of which it is not known whether an agent or one
	// of its sub-agents makes it. It holds nothing.
	untold = "/~"

	calledFor = 2 * time.Minute // how long a call that its hook announced may take to arrive
)

// speaker returns the session for which the peer uses something. One that speaks for no
// agent's has that of its terminal or job. ErrForbidden: which process it is, is not
// known.
func (e *Engine) speaker(ctx context.Context, p *assent.Peer, ev assent.Event) (string, error) {
	switch {
	case p == nil || p.PID == 0:
		return "", fmt.Errorf("which process uses it is not known, so it holds nothing: use a handle: %w", assent.ErrForbidden)
	case len(p.Sessions) == 0 && p.Root != nil:
		return fmt.Sprintf("shell-%.8s-%d-%d", p.Root.Boot, p.Root.PID, p.Root.Start), nil
	case len(p.Sessions) == 0:
		return fmt.Sprintf("exec-%.8s-%d-%d", p.Boot, p.PID, p.Start), nil
	}
	root, _, _ := strings.Cut(p.Sessions[0], "/")
	alone := func(s string) bool { return s == root || !assent.Within(s, root) }
	if !slices.ContainsFunc(p.Sessions, func(s string) bool { return !alone(s) }) {
		return root, nil
	}
	if s := e.announced(ctx, p.Sessions, root, ev); s != "" {
		return s, nil
	}
	return root + untold, nil
}

// announced is the session whose hook told of the very call that the use serves: a
// short while ago, of a tool of ours, and for the first time. Empty: there is none.
func (e *Engine) announced(ctx context.Context, sessions []string, root string, ev assent.Event) string {
	call := said(ev)
	if call == "" {
		return ""
	}
	events, err := e.newest(ctx)
	if err != nil {
		return ""
	}
	since := e.o.Now().Add(-calledFor)
	for r := range events {
		var served struct {
			Call string `json:"agent_call"`
		}
		switch {
		case r.At.Before(since):
			return ""
		case r.EventID != ev.ID && json.Unmarshal(r.Data, &served) == nil && served.Call == call:
			return "" // another use has served it
		case r.Kind == assent.KindEvent && r.Call == call && r.Event == assent.PreToolCall && r.Agent != assent.AgentBroker:
			if strings.HasPrefix(r.Tool, "mcp/") && assent.Within(r.Session, root) && slices.Contains(sessions, r.Session) && r.Decision != assent.Deny {
				return r.Session
			}
			return ""
		}
	}
	return ""
}

// said is the call of its agent that a use says it serves.
func said(ev assent.Event) (call string) {
	_ = json.Unmarshal(ev.Extra[AgentCall], &call)
	return call
}

// Usable lists the live grants that the peer's session may spend, and none where it is
// not known which that is.
func (e *Engine) Usable(ctx context.Context, p *assent.Peer) ([]assent.Grant, error) {
	session, err := e.speaker(ctx, p, assent.Event{})
	if err != nil {
		return nil, err
	}
	live, err := e.o.Store.Grants(ctx, assent.GrantFilter{Live: true, Now: e.o.Now(), Boot: e.o.Boot})
	return slices.DeleteFunc(live, func(g assent.Grant) bool {
		return g.Mints || g.Scope.Agent != "" && g.Scope.Agent != assent.AgentBroker ||
			g.Scope.Session != "" && g.Scope.Session != session ||
			g.Scope.Principal != "" && g.Scope.Principal != principal(p)
	}), err
}

func principal(p *assent.Peer) string { return fmt.Sprintf("uid:%d", p.UID) }
