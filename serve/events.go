package serve

// Events: what an agent is about to do, or did.

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"assent"
	"assent/internal/peer"
)

// Checked is the answer to a dry run.
type Checked struct {
	Case    assent.Case    `json:"case"`
	Verdict assent.Verdict `json:"verdict"`
}

// event reads an event, and says itself who sent it, from where and when.
func (c *call) event() (assent.Event, error) {
	raw, err := c.body()
	if err != nil {
		return assent.Event{}, err
	}
	var e assent.Event
	if err := decode(raw, &e); err != nil {
		return assent.Event{}, err
	}
	if e.Agent == assent.AgentBroker {
		return assent.Event{}, fmt.Errorf("what assent executes itself is a use, and comes by the %s's door: %w", Holder, assent.ErrForbidden)
	}
	if e.ID == "" {
		e.ID = "ev_" + rand.Text()
	}
	e.At, e.Raw, e.Principal = c.Engine.Now(), raw, c.who.principal()
	e.Again = e.Again && c.who.local && e.Agent != "plain" // of a codec's second gate, which our own hook process brings
	return e, nil
}

func (c *call) told() (any, error) {
	e, err := c.event()
	if err != nil {
		return nil, err
	}
	if e.Process, err = c.asker(e); err != nil {
		return nil, err
	}
	return c.Engine.Handle(c.r.Context(), e)
}

// asker returns the process of the agent behind an event, and remembers it and
// whoever brought the event: none of them will answer. A canary has no agent.
func (c *call) asker(e assent.Event) (*assent.Process, error) {
	if !c.who.local || c.who.process.PID == 0 || e.Synthetic {
		return nil, nil
	}
	hint := 0
	if raw, ok := e.Extra["agent_pid"]; ok && json.Unmarshal(raw, &hint) != nil {
		return nil, fmt.Errorf("agent_pid is a number: %w", assent.ErrInvalid)
	}
	agent, ok := peer.AgentProcess(c.who.process, hint)
	if !ok {
		agent = c.who.process // it speaks for itself
	}
	for _, p := range []assent.Process{agent, c.who.process} {
		if err := c.seen.add(p, e.Agent); err != nil {
			return nil, fmt.Errorf("too many agents: %w", err)
		}
	}
	return &agent, nil
}

func (c *call) check() (any, error) {
	e, err := c.event()
	if err != nil {
		return nil, err
	}
	var r Checked
	r.Case, r.Verdict = c.Engine.Check(c.r.Context(), e)
	return r, nil
}
