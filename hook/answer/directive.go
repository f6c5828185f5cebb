package answer

// Directives: the words of their own that some events hear, made one shape each.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
	"assent/hook"
)

// shape reads the directive of one event. It returns nil where the object holds none,
// and an error where it holds one that is wrong.
type shape func(object) (map[string]string, error)

// form is how one event's directive is read, and the keys that give it away.
type form struct {
	event string
	keys  []string
	read  shape
}

var forms = []form{
	{assent.PreVerify, []string{"action", "decision"}, goOn},
	{"pre_gateway_dispatch", []string{"action"}, dispatch},
	{"command:*", []string{"decision"}, command},
	{"message:pre_route", []string{"decision"}, route},
	{"pre_transcription", []string{"prompt", "language", "model"}, transcription},
	{"pre_tts_synthesis", []string{"action", "text"}, speech},
}

func formOf(event string) (form, bool) {
	row, _ := assent.EventNamed(event) // that of "command:*" for any command
	for _, f := range forms {
		if f.event == row.Name {
			return f, true
		}
	}
	return form{}, false
}

func directiveKeys(event string) []string {
	f, _ := formOf(event)
	return f.keys
}

// directive reads an answer to an event with words of its own.
func (q question) directive(unread error) (assent.Reply, error) {
	f, ok := formOf(q.event)
	if !ok {
		return assent.Reply{}, fmt.Errorf("%s takes no answer of a process", q.event)
	}
	if q.event == assent.PreVerify && q.dialect == hook.Claude && q.out.Exit == exitBlock {
		return q.keepGoing()
	}
	h := q.heard
	switch {
	case unread != nil:
		return assent.Reply{}, unread
	case h.plain != "" || h.text != nil:
		return assent.Reply{}, errors.New(notJSON(h.plain))
	case h.object == nil:
		return q.out.settle(assent.Reply{}, false)
	}
	r := assent.Reply{Fault: h.fault}
	said, err := f.read(h.object)
	switch {
	case err != nil:
		return assent.Reply{}, err
	case said != nil:
		r.Directive, err = json.Marshal(said)
	case len(h.object) > 0 && !h.object.hasAny(answerKeys(q.event)):
		r.Fault = join(r.Fault, unheard(q.event))
	}
	if err != nil {
		return assent.Reply{}, fmt.Errorf("the directive: %w", err)
	}
	return q.out.settle(r, said != nil)
}

// keepGoing is exit status 2 of a hook for Claude Code's Stop: what it wrote is why
// the agent must not stop yet.
func (q question) keepGoing() (assent.Reply, error) {
	why := q.out.said()
	if said, err := goOn(q.heard.object); err == nil && said != nil {
		why = said["message"]
	}
	if why == "" {
		return assent.Reply{}, errors.New("exit status 2 without a word on standard error")
	}
	raw, err := json.Marshal(map[string]string{"action": "continue", "message": why})
	return assent.Reply{Directive: raw, Fault: q.heard.fault}, err
}

// goOn: {"action": "continue", "message": …}; a blank message says nothing.
func goOn(o object) (map[string]string, error) {
	for _, c := range [][]string{{"action", "message", "reason"}, {"decision", "reason", "message"}} {
		word, _ := o.str(c[0])
		if message := o.first(c[1:]...); message != "" && (word == "continue" || word == "block") {
			return map[string]string{"action": "continue", "message": message}, nil
		}
	}
	return nil, nil
}

// dispatch: {"action": "skip" | "allow"} or {"action": "rewrite", "text": …}.
func dispatch(o object) (map[string]string, error) {
	action, ok := o.str("action")
	text, isText := o.str("text")
	switch {
	case !o.has("action"):
		return nil, nil
	case ok && action == "rewrite" && isText:
		return map[string]string{"action": "rewrite", "text": text}, nil
	case ok && action == "skip", ok && action == "allow":
		return with(map[string]string{"action": action}, o, "reason"), nil
	}
	return nil, meaningless(o, "action")
}

// command: {"decision": "allow" | "deny" | "handled", "message": …} or {"decision":
// "rewrite", "command_name": …, "raw_args": …}.
func command(o object) (map[string]string, error) {
	word, ok := o.str("decision")
	word = strings.ToLower(strings.TrimSpace(word))
	name := strings.TrimLeft(strings.TrimSpace(o.first("command_name")), "/")
	switch {
	case !o.has("decision"):
		return nil, nil
	case !ok:
	case word == "allow", word == "deny", word == "handled":
		return with(map[string]string{"decision": word}, o, "message"), nil
	case word == "rewrite" && name != "":
		return with(map[string]string{"decision": word, "command_name": name}, o, "raw_args"), nil
	}
	return nil, meaningless(o, "decision")
}

// route: {"decision": "switch_session", "session_id": …}.
func route(o object) (map[string]string, error) {
	word, _ := o.str("decision")
	session := o.first("session_id")
	switch {
	case !o.has("decision"), word == "allow":
		return nil, nil
	case word == "switch_session" && session != "":
		return map[string]string{"decision": word, "session_id": session}, nil
	}
	return nil, meaningless(o, "decision")
}

// transcription: any of prompt, language and model.
func transcription(o object) (map[string]string, error) {
	said := with(map[string]string{}, o, "prompt", "language", "model")
	if len(said) == 0 {
		return nil, nil
	}
	return said, nil
}

// speech: {"action": "block", "message": …} or {"text": …}.
func speech(o object) (map[string]string, error) {
	action, _ := o.str("action")
	text, isText := o.str("text")
	switch {
	case action == "block":
		return map[string]string{"action": "block", "message": or(o.first("message", "reason"), DefaultText)}, nil
	case o.has("action") && action != "allow":
		return nil, meaningless(o, "action")
	case isText:
		return map[string]string{"text": text}, nil
	case o.has("text"):
		return nil, meaningless(o, "text")
	}
	return nil, nil
}

// with adds the strings that stand under keys.
func with(said map[string]string, o object, keys ...string) map[string]string {
	for _, k := range keys {
		if s, ok := o.str(k); ok {
			said[k] = s
		}
	}
	return said
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func meaningless(o object, key string) error {
	return fmt.Errorf("the answer says %s %s, which means nothing here", key, clip(o[key]))
}
