package mockllm

// Message content, which is a string or a list of typed parts.

import (
	"encoding/json"
	"strings"
)

// obj is shorthand for a JSON object.
type obj = map[string]any

type part struct {
	Type, Text string
	Content    json.RawMessage // of a tool result
}

func parts(raw json.RawMessage) []part {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []part{{Type: "text", Text: s}}
	}
	var ps []part
	_ = json.Unmarshal(raw, &ps) // what is neither has no text
	return ps
}

// flat joins the texts of a content value; without any it is the value itself.
func flat(raw json.RawMessage) string {
	var b strings.Builder
	for _, p := range parts(raw) {
		b.WriteString(p.Text)
	}
	if b.Len() == 0 {
		return string(raw)
	}
	return b.String()
}
