package assent

// Decisions, the replies of hooks, and the fold that makes one verdict of them.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Decision is what is to become of an event. The stricter is the greater.
type Decision int

// The four decisions. None is "no opinion": the agent's own permission system
// decides.
const (
	None Decision = iota
	Allow
	Ask
	Deny
)

var decisionNames = [...]string{"none", "allow", "ask", "deny"}

// String returns the decision's name in lower case.
func (d Decision) String() string {
	if d < None || d > Deny {
		return fmt.Sprintf("decision(%d)", int(d))
	}
	return decisionNames[d]
}

// MarshalText writes the decision's name.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a decision's name; anything else is ErrInvalid.
func (d *Decision) UnmarshalText(b []byte) error {
	for i, name := range decisionNames {
		if string(b) == name {
			*d = Decision(i)
			return nil
		}
	}
	return fmt.Errorf("decision %q: %w", b, ErrInvalid)
}

// Reason is one voice in a verdict: who said what, and why.
type Reason struct {
	By       string   `json:"by"`       // the hook, rule, analyzer or tier that spoke
	Decision Decision `json:"decision"` // what it asked for
	Text     string   `json:"text"`     // one sentence for people
}

// Reply is what one hook says to one event. The zero Reply is "no opinion".
// Which of its fields an event hears stands in the catalogue (Events).
type Reply struct {
	By       string          `json:"by,omitempty"`
	Decision Decision        `json:"decision"`
	Reason   string          `json:"reason,omitempty"`
	Rewrite  json.RawMessage `json:"rewrite,omitempty"` // a proposed input, judged anew before it runs
	Context  string          `json:"context,omitempty"` // words to add for the model

	Text      *string         `json:"text,omitempty"`      // a replacement text; nil = none
	Directive json.RawMessage `json:"directive,omitempty"` // the event's own directive: a JSON object

	Took  Duration `json:"took,omitempty"`  // how long it took to say so
	Fault string   `json:"fault,omitempty"` // what was wrong with the hook, for the log and the doctor
	Parts []Reply  `json:"parts,omitempty"` // the replies that this one was folded from: a Fold hears them in its place
}

// AskMode says who asks the person when a verdict is Ask.
type AskMode string

// The ask modes (design section 9, "Who asks").
const (
	AskHold   AskMode = "hold"   // assent holds the call and asks
	AskAgent  AskMode = "agent"  // the agent's own prompt asks
	AskResume AskMode = "resume" // the agent ends and is resumed later
)

// Verdict is the answer to an event: the fold of every reply.
type Verdict struct {
	Decision Decision        `json:"decision"`
	Reasons  []Reason        `json:"reasons,omitempty"`
	Tell     string          `json:"tell,omitempty"`    // one sentence for the agent
	Request  string          `json:"request,omitempty"` // the request that asks a person, or asked
	Grant    string          `json:"grant,omitempty"`   // the grant of which one use was spent
	Rewrite  json.RawMessage `json:"rewrite,omitempty"` // the input to run instead
	Context  string          `json:"context,omitempty"` // words to add for the model
	Ask      AskMode         `json:"ask_mode,omitempty"`

	Text      *string         `json:"text,omitempty"`      // what stands in place of a text; nil = nothing does
	Directive json.RawMessage `json:"directive,omitempty"` // the event's own directive: a JSON object

	// Of a Use: what was judged, and for which session, as the door found out. Start and
	// End name both.
	Session string `json:"session,omitempty"`
	Digest  string `json:"digest,omitempty"`
}

// Tiers are the voices on one case, grouped by who may overrule whom
// (design section 8).
type Tiers struct {
	Floor   []Reply // facts that nothing overrules
	Said    []Reply // the user's rules and hooks, and whatever failed
	BuiltIn []Reply // the built-in judgement
	Default Reply   // the profile's posture, for when nobody spoke
}

// Fold makes one verdict: the first tier that speaks decides, within a tier the
// strictest wins, and every reason is kept.
//
// The order is floor, deny said, ask said, allow said, built-in, default.
func Fold(t Tiers) Verdict {
	v := Verdict{Decision: t.Default.Decision}
	voices := make([]Reason, 0, len(t.Floor)+len(t.Said)+len(t.BuiltIn))
	spoken := None
	// The floor is Deny, which is the strictest of what is said in any case.
	for _, tier := range [][]Reply{slices.Concat(t.Floor, t.Said), t.BuiltIn} {
		strictest := None
		for _, r := range Voices(tier) {
			if r.Decision == None {
				continue
			}
			strictest = max(strictest, r.Decision)
			voices = append(voices, Reason{By: r.By, Decision: r.Decision, Text: r.Reason})
		}
		if spoken == None {
			spoken = strictest
		}
	}
	if spoken != None {
		v.Decision = spoken
	} else if d := t.Default; d.Reason != "" {
		voices = append(voices, Reason{By: d.By, Decision: d.Decision, Text: d.Reason})
	}
	if len(voices) > 0 {
		v.Reasons = voices
	}
	v.Tell = v.tell()
	return v
}

// Voices are replies with each that was folded from others replaced by those.
func Voices(replies []Reply) []Reply {
	if !slices.ContainsFunc(replies, func(r Reply) bool { return len(r.Parts) > 0 }) {
		return replies
	}
	var out []Reply
	for _, r := range replies {
		if len(r.Parts) == 0 {
			out = append(out, r)
		} else {
			out = append(out, Voices(r.Parts)...)
		}
	}
	return out
}

// tell joins the texts of the reasons that carried the verdict.
func (v Verdict) tell() string {
	var texts []string
	for _, r := range v.Reasons {
		if r.Decision == v.Decision && r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, "; ")
}
