package engine

// Judging: every voice is heard, and the fold decides. Failure is never an Allow.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"assent"
)

// matter is a case with its digest, which is computed once.
type matter struct {
	assent.Case
	digest string
	heard  []assent.Heard // what the user's hooks said
	paid   paid           // how it is paid for, where assent executes it
}

// Check judges an event and does nothing else: nothing is recorded, spent or
// asked. An event that could not be read, or whose input is not JSON, is denied.
// The user's own code is asked as it is for the event itself.
func (e *Engine) Check(ctx context.Context, ev assent.Event) (assent.Case, assent.Verdict) {
	if e.o.Profile != nil {
		ev.Profile = e.o.Profile(ev)
	}
	m, v := e.judge(ctx, ev)
	return m.Case, v
}

// judge judges an event, and once more with the input that hooks have made of it:
// what is judged is what would run. What they would change of that is not heard, and
// a denial of the first is final.
func (e *Engine) judge(ctx context.Context, ev assent.Event) (matter, assent.Verdict) {
	m, v, changed := e.weigh(ctx, ev)
	if changed == nil || v.Decision == assent.Deny {
		return m, v
	}
	ev.Input = changed
	n, w, _ := e.weigh(ctx, ev)
	n.heard = append(m.heard, n.heard...)
	w.Rewrite, w.Context = changed, cmp.Or(w.Context, v.Context)
	return n, w
}

// weigh judges an event as it stands, and returns the input that hooks would rather
// have.
func (e *Engine) weigh(ctx context.Context, ev assent.Event) (matter, assent.Verdict, json.RawMessage) {
	m := matter{Case: assent.Case{Event: ev}}
	if ev.Invalid != "" {
		return m, refused(ev.Invalid), nil
	}
	c, err := e.analyse(ev)
	if err != nil {
		return m, unreadable(err.Error()), nil
	}
	m.Case, m.digest = c, c.Digest()
	if m.digest == "" {
		return m, unreadable("its input is not JSON, or its text not UTF-8"), nil
	}
	users, earlier := e.unheard(ctx, m)
	t, said := e.voices(ctx, c, users)
	m.heard = heard(said)
	v := assent.Fold(t)
	if earlier != nil && v.Decision != assent.Deny {
		v = assent.Fold(assent.Tiers{Said: earlier})
	}
	v.Ask, v.Context = e.o.Ask, said.Context
	return m, v, said.Rewrite
}

// unheard is the user's own code, if it has not been asked about this very call. One
// that waits for an answer, or has it, was looked at, and what was said of it then is
// why it waits.
func (e *Engine) unheard(ctx context.Context, m matter) (users assent.Hook, earlier []assent.Reply) {
	if e.o.Users == nil {
		return nil, nil
	}
	call, r, err := e.call(ctx, m)
	switch {
	case err == nil && call.Request != "" && call.Closed.IsZero():
	case e.secondGate(ctx, m):
		return nil, nil
	default:
		return e.o.Users, nil
	}
	for _, why := range r.Reasons {
		earlier = append(earlier, assent.Reply{By: why.By, Decision: min(why.Decision, assent.Ask), Reason: why.Text})
	}
	if !slices.ContainsFunc(earlier, func(s assent.Reply) bool { return s.Decision == assent.Ask }) {
		earlier = append(earlier, assent.Reply{By: r.ID, Decision: assent.Ask})
	}
	return nil, earlier
}

// heard is what the user's hooks said, as the record has it.
func heard(said assent.Reply) []assent.Heard {
	var out []assent.Heard
	for _, r := range said.Parts {
		changed := r.Context != "" || r.Text != nil || len(r.Rewrite)+len(r.Directive) > 0
		out = append(out, assent.Heard{By: r.By, Took: r.Took, Decision: r.Decision, Changed: changed, Fault: r.Fault})
	}
	return out
}

func unreadable(why string) assent.Verdict {
	return refused("what is about to happen could not be read: " + why)
}

func refused(why string) assent.Verdict {
	r := assent.Reason{By: "assent", Decision: assent.Deny, Text: why}
	return assent.Verdict{Decision: assent.Deny, Reasons: []assent.Reason{r}, Tell: r.Text}
}

// analyse catches a panic of an analyzer: what cannot be analysed is denied.
func (e *Engine) analyse(ev assent.Event) (c assent.Case, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("analysis failed: %v", p)
		}
	}()
	return e.o.Analyse(ev), nil
}

// voices asks everybody, and returns what the user's own code said besides; nil is not
// asked. Whoever fails asks for a person.
func (e *Engine) voices(ctx context.Context, c assent.Case, own assent.Hook) (t assent.Tiers, users assent.Reply) {
	hear := func(tier *[]assent.Reply, h assent.Hook, name string) {
		r, err := askOne(ctx, h, c)
		if err != nil {
			t.Said = append(t.Said, assent.Reply{By: name, Decision: assent.Ask, Reason: fmt.Sprintf("%s failed: %v", name, err)})
			return
		}
		if r.By == "" {
			r.By = name
		}
		*tier = append(*tier, r)
	}
	hear(&t.Floor, e.o.Floor, "floor")
	for i, h := range e.o.Hooks {
		hear(&t.Said, h, fmt.Sprintf("hook %d", i+1))
	}
	if own != nil {
		var said []assent.Reply
		hear(&said, own, "hooks")
		t.Said = append(t.Said, said...)
		if len(said) > 0 {
			users = said[0]
		}
	}
	hear(&t.BuiltIn, e.o.BuiltIn, "built-in")
	if e.o.Default != nil {
		var last []assent.Reply
		if hear(&last, e.o.Default, "default"); len(last) > 0 {
			t.Default = last[0]
		}
	}
	return t, users
}

func askOne(ctx context.Context, h assent.Hook, c assent.Case) (r assent.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r, err = h.Judge(ctx, c)
	if err == nil && (r.Decision < assent.None || r.Decision > assent.Deny) {
		err = fmt.Errorf("it answered %s: %w", r.Decision, assent.ErrInvalid)
	}
	return r, err
}
