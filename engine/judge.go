package engine

// Judging: every voice is heard, and the fold decides. Failure is never an Allow.

import (
	"context"
	"fmt"

	"assent"
)

// matter is a case with its digest, which is computed once.
type matter struct {
	assent.Case
	digest string
}

// Check judges an event and does nothing else: nothing is recorded, spent or
// asked. An event that could not be read, or whose input is not JSON, is denied.
func (e *Engine) Check(ctx context.Context, ev assent.Event) (assent.Case, assent.Verdict) {
	m, v := e.judge(ctx, ev)
	return m.Case, v
}

func (e *Engine) judge(ctx context.Context, ev assent.Event) (matter, assent.Verdict) {
	m := matter{Case: assent.Case{Event: ev}}
	if ev.Invalid != "" {
		return m, refused(ev.Invalid)
	}
	c, err := e.analyse(ev)
	if err != nil {
		return m, unreadable(err.Error())
	}
	m.Case, m.digest = c, c.Digest()
	if m.digest == "" {
		return m, unreadable("its input is not JSON, or its text not UTF-8")
	}
	v := assent.Fold(e.voices(ctx, c))
	v.Ask = e.o.Ask
	return m, v
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

// voices asks everybody. Whoever fails asks for a person.
func (e *Engine) voices(ctx context.Context, c assent.Case) assent.Tiers {
	var t assent.Tiers
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
	hear(&t.BuiltIn, e.o.BuiltIn, "built-in")
	if e.o.Default != nil {
		var last []assent.Reply
		if hear(&last, e.o.Default, "default"); len(last) > 0 {
			t.Default = last[0]
		}
	}
	return t
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
