package approve

// The payload: what an approval hook is given of a request.

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"assent"
	"assent/hook"
	"assent/internal/redact"
)

// payload is a request on standard input. The first six keys are always there.
type payload struct {
	Tool     string `json:"tool"`    // in Hermes' words
	Command  string `json:"command"` // empty where it is no command line
	Reason   string `json:"reason"`
	Session  string `json:"session_id"`
	Platform string `json:"platform"`
	User     string `json:"user_id"`

	Request string          `json:"request_id"`
	Input   json.RawMessage `json:"tool_input"`
	Facts   []fact          `json:"findings"`
	Dir     string          `json:"cwd"`
	Agent   string          `json:"agent"`
	Profile string          `json:"profile"`
	Parent  string          `json:"parent_session_id"`
	Digest  string          `json:"digest"`
	Expires string          `json:"expires_at"`
	Offers  []offer         `json:"offers"`
}

type fact struct {
	Code   string `json:"code"`
	Target string `json:"target"`
	Note   string `json:"note"`
}

type offer struct {
	Offer int          `json:"offer"` // what the answer names it by
	Text  string       `json:"text"`
	Scope assent.Scope `json:"scope"`
}

// given is the payload of a request, with its secrets or without.
func given(r assent.Request, secrets bool) ([]byte, error) {
	c := r.Case
	p := payload{
		Tool: hook.Hermes.Tool(c.Tool), Command: command(c), Reason: reasons(r), Session: c.Session,
		Platform: text(c, "platform"), User: text(c, "user_id"),
		Request: r.ID, Input: c.Input, Facts: []fact{}, Dir: c.Dir, Agent: c.Agent, Profile: c.Profile, Parent: c.ParentSession,
		Digest: r.Digest, Expires: r.Expires.UTC().Format(time.RFC3339), Offers: []offer{},
	}
	for _, f := range c.Findings {
		p.Facts = append(p.Facts, fact{f.Code, f.Target, f.Note})
	}
	for i, o := range r.Offers {
		p.Offers = append(p.Offers, offer{i, o.Text, o.Scope})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // people read it too
	if err := e.Encode(p); err != nil {
		return nil, err
	}
	if !secrets {
		return redact.JSON(out.Bytes()), nil
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// reasons are why somebody is asked, as one text.
func reasons(r assent.Request) string {
	var texts []string
	for _, s := range r.Reasons {
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// text is a field of the event that is a string, or empty.
func text(c assent.Case, field string) string {
	var s string
	_ = json.Unmarshal(c.Extra[field], &s)
	return s
}
