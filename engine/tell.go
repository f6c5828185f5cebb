package engine

// What the user's hooks are told of requests: that one waits, and what became of it.

import (
	"context"
	"encoding/json"
	"strings"

	"assent"
	"assent/internal/redact"
)

// asked tells of a request that was opened, or joined by one more call.
func (e *Engine) asked(ctx context.Context, r assent.Request) {
	e.tell(ctx, assent.ApprovalRequest, r, map[string]any{"coalesced": r.Asked > 1})
	e.tell(ctx, assent.HumanRequest, r, map[string]any{"kind": "approval", "prompt": redact.Text(why(r))})
}

// resolved tells what became of a request.
func (e *Engine) resolved(ctx context.Context, r assent.Request) {
	choice := Choice(r)
	more := map[string]any{"choice": choice, "outcome": string(r.State)}
	if r.Answer != nil {
		more["decided_by"], more["reason"], more["surface"] = r.Answer.By.String(), r.Answer.Note, r.Answer.By.Surface
	}
	if r.Answer != nil && r.Answer.By.Approver() && e.o.Notify != nil {
		more["notify"] = e.o.Notify(r.Case.Profile, r.Answer.Decision)
	}
	if r.State == assent.Withdrawn {
		more["cancelled"] = "withdrawn"
	}
	e.tell(ctx, assent.ApprovalResponse, r, more)
	e.tell(ctx, assent.HumanResolved, r, map[string]any{"kind": "approval", "prompt": "", "outcome": choice})
}

// Choice is what became of a settled request in the words that hooks know: once,
// session, always, deny, timeout, cancelled, and the same of approvers
// (hook_approve, hook_deny, smart_approve, smart_deny).
func Choice(r assent.Request) string {
	switch r.State {
	case assent.Expired:
		return "timeout"
	case assent.Withdrawn, assent.Pending:
		return "cancelled"
	}
	yes := r.State == assent.Approved
	switch {
	case r.Answer == nil:
	case r.Answer.By.Surface == assent.SurfaceHook && yes:
		return "hook_approve"
	case r.Answer.By.Surface == assent.SurfaceHook:
		return "hook_deny"
	case r.Answer.By.Surface == assent.SurfaceJudge && yes:
		return "smart_approve"
	case r.Answer.By.Surface == assent.SurfaceJudge:
		return "smart_deny"
	}
	switch {
	case !yes:
		return "deny"
	case r.Answer != nil && (r.Answer.Width == assent.InSess || r.Answer.Width == assent.ForTurns):
		return "session"
	case r.Answer != nil && r.Answer.Width == assent.Always:
		return "always"
	}
	return "once"
}

// tell gives the user's hooks an event of our own. They only watch: nothing that
// goes wrong there goes wrong here.
func (e *Engine) tell(ctx context.Context, name string, r assent.Request, more map[string]any) {
	if e.o.Users == nil {
		return
	}
	extra := map[string]json.RawMessage{}
	set := func(key string, v any) { extra[key], _ = json.Marshal(v) }
	var in struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(r.Case.Input, &in)
	keys := []string{}
	for _, f := range r.Case.Findings {
		keys = append(keys, f.Code)
	}
	set("command", redact.Text(in.Command))
	set("description", redact.Text(why(r)))
	set("pattern_key", append(keys, r.Case.Tool)[0])
	set("pattern_keys", keys)
	set("session_key", r.Case.Session)
	set("surface", "assent")
	set("request_id", r.ID)
	set("request_digest", r.Digest)
	for k, v := range more {
		set(k, v)
	}
	ev := assent.Event{
		ID: r.ID + "/" + name, Name: name, At: e.o.Now(), Agent: r.Case.Agent, Profile: r.Case.Profile, Session: r.Case.Session,
		Turn: r.Case.Turn, Call: r.Case.Call, Principal: r.Case.Principal, Dir: r.Case.Dir, Extra: extra,
	}
	_, _ = askOne(ctx, e.o.Users, assent.Case{Event: ev})
}

func why(r assent.Request) string {
	var texts []string
	for _, s := range r.Reasons {
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
	}
	return strings.Join(texts, "; ")
}
