package hook

// The folds: how the answers of several hooks become one, event by event.

import (
	"encoding/json"
	"maps"
	"strings"

	"assent"
)

// fold makes one reply of several. What each of them decided stays in the Parts.
func fold(c assent.Case, parts []assent.Reply) assent.Reply {
	out := assent.Reply{Parts: parts}
	var words []string
	for _, r := range parts {
		if r.Context != "" {
			words = append(words, r.Context)
		}
		if out.Text == nil && r.Text != nil && (*r.Text != "" || c.Name != "transform_llm_output") {
			out.Text = r.Text
		}
	}
	out.Context = strings.Join(words, "\n\n")
	out.Rewrite = merged(c.Input, parts)
	t, _ := assent.EventNamed(c.Name)
	if d := directives[t.Name]; d != nil {
		out.Directive = d(parts)
	}
	return out
}

// merged is the input with what each hook changed of it, key by key, the later last.
// nil: nobody changed anything.
func merged(input json.RawMessage, parts []assent.Reply) json.RawMessage {
	var all map[string]json.RawMessage
	for _, r := range parts {
		var m map[string]json.RawMessage
		if len(r.Rewrite) == 0 || json.Unmarshal(r.Rewrite, &m) != nil {
			continue
		}
		if all == nil {
			all = map[string]json.RawMessage{}
			_ = json.Unmarshal(input, &all)
		}
		maps.Copy(all, m)
	}
	if all == nil {
		return nil
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil
	}
	if canon, err := assent.Canonical(raw); err == nil && string(canon) != string(input) {
		return canon
	}
	return nil
}

// directives is the fold of each event that hears words of its own.
var directives = map[string]func([]assent.Reply) json.RawMessage{
	"command:*":                          first(func(d map[string]any) bool { return text(d, "decision") != "allow" }),
	"message:pre_route":                  first(nil),
	"pre_gateway_dispatch":               first(nil),
	assent.PreVerify:                     first(func(d map[string]any) bool { return text(d, "message") != "" }),
	"pre_tts_synthesis":                  strictest,
	"pre_transcription":                  lastOfEach,
	"transform_api_error_classification": first(func(d map[string]any) bool { return text(d, "reason") != "" }),
}

func text(d map[string]any, key string) string {
	s, _ := d[key].(string)
	return strings.TrimSpace(s)
}

func object(r assent.Reply) (d map[string]any) {
	_ = json.Unmarshal(r.Directive, &d)
	return d
}

// first takes the first directive that counts.
func first(counts func(map[string]any) bool) func([]assent.Reply) json.RawMessage {
	return func(parts []assent.Reply) json.RawMessage {
		for _, r := range parts {
			if d := object(r); d != nil && (counts == nil || counts(d)) {
				return r.Directive
			}
		}
		return nil
	}
}

// strictest takes the first that blocks, else the first of all.
func strictest(parts []assent.Reply) json.RawMessage {
	blocks := first(func(d map[string]any) bool { return text(d, "action") == "block" })(parts)
	if blocks != nil {
		return blocks
	}
	return first(nil)(parts)
}

// lastOfEach joins directives: the last writer of each field wins.
func lastOfEach(parts []assent.Reply) json.RawMessage {
	all := map[string]any{}
	for _, r := range parts {
		maps.Copy(all, object(r))
	}
	if len(all) == 0 {
		return nil
	}
	raw, _ := json.Marshal(all)
	return raw
}
