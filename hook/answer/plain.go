package answer

// Context, texts and observers: answers to events that decide nothing.

import (
	"strings"

	"assent"
	"assent/hook"
)

// answerKeys are the keys that make an object an answer to an event.
func answerKeys(event string) []string {
	common := []string{"continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"}
	switch hears(event) {
	case assent.HearsDecision:
		return append(common, "action", "decision", "permissionDecision", "behavior", "updatedInput", "additionalContext", "context")
	case assent.HearsDirective:
		return append(common, directiveKeys(event)...)
	case assent.HearsText:
		if event == assent.TransformResult {
			common = append(common, "context", "additionalContext", "decision", "reason")
		}
		return append(common, "text")
	case assent.HearsContext:
		return append(common, "context", "additionalContext")
	}
	return append(common, "action", "decision", "reason", "context", "additionalContext")
}

func unheard(event string) string { return "nothing in the answer means anything to " + event }

// context reads an answer to an event that hears words for the model. Claude Code's
// hooks may give them as they are.
func (q question) context(unread error) (assent.Reply, error) {
	if unread != nil {
		return assent.Reply{}, unread
	}
	r := assent.Reply{Fault: q.heard.fault}
	switch h := q.heard; {
	case h.object != nil:
		r.Context = contextOf(h.object)
		if r.Context == "" && len(h.object) > 0 && !h.object.hasAny(answerKeys(q.event)) {
			r.Fault = join(r.Fault, unheard(q.event))
		}
	case h.text != nil:
		r.Context = strings.TrimSpace(*h.text)
	case h.plain != "" && q.dialect == hook.Claude && h.plain[0] != '{':
		r.Context = h.plain
	case h.plain != "":
		r.Fault = notJSON(h.plain)
	}
	return q.out.settle(r, r.Context != "")
}

// contextOf are the words for the model in an answer.
func contextOf(o object) string {
	if s := o.first("context", "additionalContext"); s != "" {
		return s
	}
	return o.under("hookSpecificOutput").first("additionalContext")
}

// text reads an answer to an event that hears a replacement: {"text": "…"}, or a JSON
// string. Beside a result there may be words for the model, or an objection.
func (q question) text(unread error) (assent.Reply, error) {
	if q.isResult() && (q.out.Exit == exitBlock || q.objects()) {
		return q.tooLate(unread), nil
	}
	if unread != nil {
		return assent.Reply{}, unread
	}
	r := assent.Reply{Fault: q.heard.fault, Text: q.heard.text}
	switch h := q.heard; {
	case h.object != nil:
		r.Text = replacement(h.object)
		if q.isResult() {
			r.Context = contextOf(h.object)
		}
		if r.Text == nil && r.Context == "" && len(h.object) > 0 && !(q.isResult() && h.object.hasAny(answerKeys(q.event))) {
			r.Fault = join(r.Fault, unheard(q.event))
		}
	case h.plain != "":
		r.Fault = notJSON(h.plain)
	}
	return q.out.settle(r, r.Text != nil || r.Context != "")
}

// replacement is the text of an answer; nil where it has none. What Claude Code's hooks
// give in place of a result is of the result's own form: its JSON.
func replacement(o object) *string {
	if s, ok := o.str("text"); ok {
		return &s
	}
	specific := o.under("hookSpecificOutput")
	for _, key := range []string{"updatedToolOutput", "updatedMCPToolOutput"} {
		if s, ok := specific.str(key); ok {
			return &s
		}
		if specific.has(key) {
			s := string(specific[key])
			return &s
		}
	}
	return nil
}

// observer reads what a hook says that is not asked anything. Only its failure is of
// interest, and an objection to what has been done: the agent is to know of it, and
// that it was done.
func (q question) observer(unread error) (assent.Reply, error) {
	if q.isResult() && (q.out.Exit == exitBlock || q.objects()) {
		return q.tooLate(unread), nil
	}
	r := assent.Reply{Fault: q.heard.fault}
	switch {
	case unread != nil:
		r.Fault = unread.Error()
	case q.heard.plain != "":
		r.Fault = notJSON(q.heard.plain)
	case q.isResult():
		r.Context = contextOf(q.heard.object)
	}
	return q.out.settle(r, false)
}

// isResult reports whether the event tells of a call that has been made.
func (q question) isResult() bool {
	return q.event == assent.PostToolCall || q.event == assent.TransformResult
}

// objects reports whether the answer says no.
func (q question) objects() bool { return q.objection() != "" }

func (q question) objection() string {
	for _, o := range q.heard.answers {
		opinions, _ := opinionsOf(o, q.dialect) // what means nothing is no objection
		for _, op := range opinions {
			if op.decision == assent.Deny {
				return op.reason
			}
		}
	}
	return ""
}

// tooLate tells the agent of an objection to what has been done: it must not believe
// that it was undone, and do it again.
func (q question) tooLate(unread error) assent.Reply {
	done := "already run; not undone"
	if q.tool == assent.ToolWrite || q.tool == assent.ToolEdit {
		done = "already written; not undone"
	}
	why := q.objection()
	if why == "" {
		why = q.out.said()
	}
	r := assent.Reply{Context: done + after(": ", why), Fault: q.heard.fault}
	if extra := contextOf(q.heard.object); extra != "" {
		r.Context += "\n\n" + extra
	}
	if unread != nil {
		r.Fault = join(r.Fault, unread.Error())
	}
	return r
}
