package claude

// Hiding what a tool returned whose form is not known: every text goes, and the form
// stays, or Claude Code would take no replacement and show what there was.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// kindKeys are members whose values say of which kind something is. Their words stay.
var kindKeys = []string{"type", "kind", "mode", "status", "subtype", "role", "service_tier"}

// hidden is a result without its texts: the longest is replaced by this one, all others
// by nothing.
func hidden(was []byte, text string) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(was, &v); err != nil {
		return nil, fmt.Errorf("%v: %w", err, assent.ErrInvalid)
	}
	longest := ""
	overTexts(v, "", func(s string) string {
		if len(s) > len(longest) {
			longest = s
		}
		return s
	})
	if longest == "" {
		return nil, fmt.Errorf("it holds no text that another could stand for: %w", assent.ErrInvalid)
	}
	return json.Marshal(overTexts(v, "", func(s string) string {
		if s == longest {
			return text
		}
		return ""
	}))
}

// overTexts is a value with each of its texts changed, the names of members aside.
func overTexts(v any, key string, change func(string) string) any {
	switch v := v.(type) {
	case string:
		if slices.Contains(kindKeys, key) && !strings.ContainsFunc(v, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' && r != '-' }) {
			return v
		}
		return change(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = overTexts(v[i], key, change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = overTexts(v[k], k, change)
		}
		return out
	}
	return v
}
