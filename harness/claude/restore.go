package claude

// Restore: what a verdict rewrites, in the shape of Claude Code's own tool. Claude
// Code ignores an output that its tool's schema does not take, and shows the model
// the original: so nothing goes out that is not known to fit.

import (
	"encoding/json"
	"fmt"
	"strings"

	"assent"
)

func restore(e assent.Event, v assent.Verdict) (assent.Verdict, error) {
	if len(v.Rewrite) > 0 {
		in, err := restoreInput(e, v.Rewrite)
		if err != nil {
			return v, fmt.Errorf("rewritten input: %w", err)
		}
		v.Rewrite = in
	}
	if v.Text != nil {
		out, err := restoreResult(e, *v.Text)
		if err != nil {
			return v, fmt.Errorf("replaced result: %w", err)
		}
		text := string(out)
		v.Text = &text
	}
	return v, nil
}

// native is the name of the event's tool as Claude Code calls it.
func native(e assent.Event) (string, error) {
	var name string
	if json.Unmarshal(e.Extra[ExtraTool], &name) != nil || name == "" {
		return "", fmt.Errorf("event %s has no tool: %w", e.ID, assent.ErrInvalid)
	}
	return name, nil
}

// restoreInput turns an Input of ours back into the tool's own. The prose that went
// to Extra does not come back: it spoke of another command.
func restoreInput(e assent.Event, input json.RawMessage) (json.RawMessage, error) {
	name, err := native(e)
	if err != nil {
		return nil, err
	}
	f := open(input)
	if t := toolOf(name); f.err == nil && t.path != "" {
		if f.left[t.path] != nil || f.left["path"] == nil {
			f.fail("exactly one path was expected")
		} else {
			f.left[t.path] = f.take("path")
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	return f.rest(), f.err
}

// restoreResult puts a text in the place of what came of a call. A text that is JSON
// of the same shape stands for the whole, as it does when a hook has changed words
// within; any other goes where the tool keeps what the model reads, or, where that is
// not known, in the place of every text there is.
func restoreResult(e assent.Event, text string) (json.RawMessage, error) {
	name, err := native(e)
	if err != nil {
		return nil, err
	}
	var was string
	if json.Unmarshal(e.Extra[extraResult], &was) != nil {
		return nil, fmt.Errorf("event %s has no result: %w", e.ID, assent.ErrInvalid)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	var before, after any
	if err := json.Unmarshal([]byte(was), &before); err != nil {
		return nil, fmt.Errorf("the result of event %s: %v: %w", e.ID, err, assent.ErrInvalid)
	}
	if canon, err := assent.Canonical([]byte(text)); err == nil && json.Unmarshal(canon, &after) == nil && alike(before, after) {
		return canon, nil
	}
	if _, object := before.(map[string]any); !object || strings.HasPrefix(name, "mcp__") {
		return quoted(text), nil // tools of MCP servers may say a mere string
	}
	return placed(e, name, []byte(was), text)
}

// placed is a structured result whose text is another.
func placed(e assent.Event, name string, was []byte, text string) (json.RawMessage, error) {
	var m, file map[string]json.RawMessage
	_ = json.Unmarshal(was, &m)
	_ = json.Unmarshal(m["file"], &file)
	switch {
	case name == "Bash" && m["stdout"] != nil && m["interrupted"] != nil:
		m = map[string]json.RawMessage{"stdout": quoted(text), "stderr": quoted(""), "interrupted": m["interrupted"]}
	case name == "Read" && file["content"] != nil && string(m["type"]) == `"text"`:
		file["content"] = quoted(text)
		m["file"], _ = json.Marshal(file)
	case name == "Read" && file != nil: // a picture, or another kind that is no text
		var in struct{ Path string }
		_ = json.Unmarshal(e.Input, &in)
		return json.Marshal(map[string]any{"type": "text", "file": map[string]any{
			"filePath": in.Path, "content": text, "numLines": 1, "startLine": 1, "totalLines": 1,
		}})
	default:
		return hidden(was, text)
	}
	return json.Marshal(m)
}

// alike reports whether b is of a's shape: the same members, each of the same kind,
// and of the same type where they name one.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		m, ok := b.(map[string]any)
		if kind, named := a["type"].(string); !ok || len(m) != len(a) || named && m["type"] != kind {
			return false
		}
		for k, v := range a {
			if w, there := m[k]; !there || !alike(v, w) {
				return false
			}
		}
		return true
	case []any:
		list, ok := b.([]any)
		for _, v := range list {
			if len(a) > 0 && !alike(a[0], v) {
				return false
			}
		}
		return ok
	}
	return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b)
}
