// Package plain speaks assent's own neutral JSON, for every agent that has no
// codec of its own: one Event in, one Verdict out, in the root package's words.
//
// It is pure functions: it opens nothing, decides nothing, and believes nothing
// of what a sender says of who it acts for.
//
//	in  {"name":"pre_tool_call","session":"s1","tool":"shell","input":{"command":"ls"}}
//	out {"decision":"allow"}
//
//	event, err := plain.Codec.Decode("pre_tool_call", stdin, os.Getenv)
//	os.Stdout.Write(plain.Codec.Encode("pre_tool_call", verdict))
package plain

// The codec as one value, and its two directions.

import (
	"bytes"
	"encoding/json"
	"time"

	"assent"
)

// Name is the codec's short name, in commands and in Event.Agent.
const Name = "plain"

// Codec is the neutral one.
var Codec = assent.Codec{
	Name:  Name,
	Agent: "any agent, in assent's own JSON",
	Rows:  natives(),
	Can: assent.Powers{
		Block: true, Ask: true, Grant: true, Rewrite: true, Context: true,
		OnTimeout: "runs", OnCrash: "runs", // what the sender does then, nobody knows
	},
	Margin:  5 * time.Second,
	Decode:  decode,
	Restore: restore,
	Encode:  encode,
}

// limit is how long a sender is expected to wait.
const limit = 600 * time.Second

// natives is the catalogue: here an event's own name is ours.
func natives() []assent.Native {
	out := make([]assent.Native, len(assent.Events))
	for i, t := range assent.Events {
		out[i] = assent.Native{Event: t.Name, Name: t.Name, Gates: assent.Gates(t.Name), Limit: limit}
	}
	return out
}

// restore changes nothing: the sender's shape is ours.
func restore(_ assent.Event, v assent.Verdict) (assent.Verdict, error) {
	if len(v.Rewrite) == 0 {
		return v, nil
	}
	var err error
	v.Rewrite, err = assent.Canonical(v.Rewrite)
	return v, err
}

// encode writes the verdict as one line, and of it what the event hears.
func encode(native string, v assent.Verdict) []byte {
	if v.Decision < assent.None || v.Decision > assent.Deny {
		v.Decision = assent.Deny
	}
	if t, ok := assent.EventNamed(native); ok && t.Hears != assent.HearsDecision {
		v = heard(t, v)
	}
	if v.Decision == assent.Deny {
		v.Rewrite = nil // nothing runs
	}
	if v.Decision != assent.Ask {
		v.Ask = ""
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`{"decision":"deny","tell":"The rewritten input is not JSON, so the call was not made."}` + "\n")
	}
	return b.Bytes()
}

// heard is what an event that hears no decision hears of a verdict.
func heard(t assent.EventType, v assent.Verdict) (out assent.Verdict) {
	if t.Hears == assent.HearsContext || t.Name == assent.PostToolCall {
		out.Context = v.Context
	}
	if t.Hears == assent.HearsText {
		out.Text = v.Text
	}
	if t.Hears == assent.HearsDirective && json.Valid(v.Directive) {
		out.Directive = v.Directive
	}
	return out
}
