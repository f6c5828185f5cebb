package dir

// Stand-ins: what agents of today fire, in the place of events that only a chat
// gateway has. A gateway fires its own, and is not listened to a second time.

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"assent"
	"assent/hook"
)

// translation makes the context of a gateway's event out of an agent's.
type translation func(w *handler, e assent.Event) map[string]json.RawMessage

// standIn is an event of agents in the place of a gateway's.
type standIn struct {
	event   string // the gateway's
	fired   string // the agent's
	context translation
}

var standIns = []standIn{
	{"session:start", assent.SessionStart, session},
	{"session:end", assent.SessionEnd, session},
	{"session:reset", "on_session_reset", session},
	{"session:compress", assent.PreCompact, compression},
	{"agent:start", assent.PreLLMCall, begin},
	{"agent:step", assent.PostToolCall, step},
	{"agent:end", assent.TurnEnd, end},
}

// StandIn is the event of agents that directories hear in the place of a gateway's.
func StandIn(event string) (fired string, ok bool) {
	for _, s := range standIns {
		if s.event == event {
			return s.fired, true
		}
	}
	return "", false
}

const clip = 500 // characters of a message that a context has

// chat reports whether an event comes out of a chat's conversation.
func chat(e assent.Event) bool {
	platform := text(e, "platform")
	return platform != "" && platform != "cli"
}

func session(_ *handler, e assent.Event) map[string]json.RawMessage {
	return map[string]json.RawMessage{
		"platform": quoted("cli"), "user_id": quoted(e.Principal), "session_id": quoted(e.Session), "session_key": quoted(e.Agent + ":" + e.Session),
		"agent": quoted(e.Agent), "cwd": quoted(e.Dir),
	}
}

func compression(w *handler, e assent.Event) map[string]json.RawMessage {
	out := session(w, e)
	delete(out, "user_id")
	delete(out, "session_key")
	out["in_place"] = json.RawMessage("true")
	return out
}

func begin(w *handler, e assent.Event) map[string]json.RawMessage {
	out := session(w, e)
	delete(out, "session_key")
	out["message"] = quoted(short(text(e, "user_message")))
	return out
}

func end(w *handler, e assent.Event) map[string]json.RawMessage {
	out := begin(w, e)
	out["message"] = quoted(short(w.turn.message(e.Session)))
	answer := text(e, "assistant_response")
	if answer == "" {
		answer = text(e, "final_response")
	}
	out["response"] = quoted(short(answer))
	return out
}

func step(w *handler, e assent.Event) map[string]json.RawMessage {
	out := session(w, e)
	delete(out, "session_key")
	tool := hook.Hermes.Tool(e.Tool)
	out["iteration"] = json.RawMessage(strconv.Itoa(w.turn.step(e.Session, w.id)))
	out["tool_names"], _ = json.Marshal([]string{tool})
	one := map[string]json.RawMessage{"name": quoted(tool)}
	if result, ok := e.Extra["result"]; ok {
		one["result"] = result
	}
	out["tools"], _ = json.Marshal([]any{one})
	return out
}

// text is a field that is a string, or the texts of one that is a list of parts.
func text(e assent.Event, field string) string {
	var s string
	if json.Unmarshal(e.Extra[field], &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(e.Extra[field], &parts)
	for _, p := range parts {
		s += p.Text
	}
	return s
}

func short(s string) string {
	if r := []rune(s); len(r) > clip {
		return string(r[:clip])
	}
	return s
}

// turns remembers of each session's running turn what its later events are told of it.
type turns struct {
	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	message string
	steps   map[string]int // by hook: each is told of each step
}

const maxTurns = 1000 // when there are more, all are forgotten

// entry sees every turn begin.
func (t *turns) entry() hook.Entry {
	return hook.Entry{
		ID: "dir (turns)", Kind: hook.KindDir, Event: assent.PreLLMCall, Watch: true,
		Call: func(_ context.Context, c assent.Case) (assent.Reply, error) {
			t.begin(c.Session, text(c.Event, "user_message"))
			return assent.Reply{}, nil
		},
	}
}

func (t *turns) begin(session, message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.get(session).message = message
	clear(t.of[session].steps)
}

func (t *turns) message(session string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.get(session).message
}

// step counts a step of the session's turn that a hook is told of.
func (t *turns) step(session, id string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	steps := t.get(session).steps
	steps[id]++
	return steps[id]
}

func (t *turns) get(session string) *turn {
	if t.of[session] == nil {
		if len(t.of) >= maxTurns {
			clear(t.of)
		}
		t.of[session] = &turn{steps: map[string]int{}}
	}
	return t.of[session]
}
