package main

// Synthetic events: one of each kind, with sensible values, for hooks to be tried on.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"assent"
	"assent/hook"
)

// samples are the values of events' fields: of all events, and what is different for
// some.
//
//go:embed demo/events.json
var samples []byte

// sampleSession is the session of events that nobody has fired.
const sampleSession = "try"

// eventMeant is the event of a name: ours, one of Claude Code's, or one of a family.
func eventMeant(name string) (string, error) {
	if ours, ok := hook.EventOf(name); ok {
		return ours, nil
	}
	if t, ok := assent.EventNamed(name); ok && (name != t.Name || !strings.HasSuffix(name, "*")) {
		return name, nil
	}
	if family, wild := strings.CutSuffix(name, "*"); wild && family == "command:" {
		return family + "new", nil
	}
	return "", unknownEvent(name)
}

// sample is a synthetic event.
func sample(name, dir, tool string) (assent.Event, error) {
	e := assent.Event{ID: "try", Name: name, Agent: "assent", Session: sampleSession, Turn: "try-turn", Dir: dir, Principal: fmt.Sprintf("uid:%d", os.Getuid())}
	var values map[string]map[string]json.RawMessage
	if err := json.Unmarshal(samples, &values); err != nil {
		return e, err
	}
	t, _ := assent.EventNamed(name)
	e.Extra = map[string]json.RawMessage{}
	for _, f := range t.Fields {
		if f.Name == "tool_call_id" { // which has a place of its own
			e.Call = "try-call"
			continue
		}
		v, ok := values[t.Name][f.Name]
		if !ok {
			v = values["*"][f.Name]
		}
		e.Extra[f.Name] = v
	}
	if command, ok := strings.CutPrefix(name, "command:"); ok {
		e.Extra["command"], _ = json.Marshal(command)
	}
	if slices.ContainsFunc(t.Fields, func(f assent.Field) bool { return f.Name == "tool_name" }) {
		for _, own := range []string{"tool_name", "args"} { // so have these
			delete(e.Extra, own)
		}
		e.Tool = oursOf(tool)
		e.Input = inputOf(e.Tool, dir)
	}
	return e, nil
}

// ourTools are the tools that have a name of ours.
var ourTools = []string{assent.ToolShell, assent.ToolRead, assent.ToolWrite, assent.ToolEdit, assent.ToolFetch, assent.ToolAgent}

// oursOf is the tool that a name of any agent's means; none is the shell.
func oursOf(name string) string {
	if name == "" {
		return assent.ToolShell
	}
	for _, t := range ourTools {
		if slices.ContainsFunc(hook.Names(t), func(n string) bool { return strings.EqualFold(n, name) }) {
			return t
		}
	}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok {
			return "mcp/" + server + "/" + tool
		}
	}
	if strings.HasPrefix(name, "mcp/") {
		return name
	}
	return strings.ToLower(name)
}

// strangeTool says of a name that no agent is known to have a tool of it, if it is
// much like one that is.
func strangeTool(name string) string {
	ours := oursOf(name)
	if slices.Contains(ourTools, ours) || strings.HasPrefix(ours, "mcp/") {
		return ""
	}
	var known []string
	for _, t := range ourTools {
		known = append(known, hook.Names(t)...)
	}
	text := fmt.Sprintf("no tool is known by the name %s", name)
	if like := assent.Nearest(name, known); like != "" {
		text += fmt.Sprintf("; did you mean %s?", like)
	}
	return text
}

// payloadKeys are what any payload may say of an event.
var payloadKeys = []string{"session_id", "cwd", "turn_id", "tool_call_id", "agent", "hook_event_name", "profile", "extra"}

// strangePayload says that nothing in a payload is a field of the event.
func strangePayload(e assent.Event, raw []byte) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &m) // what it is not, merge says
	known := append(slices.Sorted(maps.Keys(e.Extra)), payloadKeys...)
	if e.Tool != "" {
		known = append([]string{"tool_name", "tool_input", "args"}, known...)
	}
	for key := range m {
		if slices.Contains(known, key) {
			return ""
		}
	}
	return fmt.Sprintf("nothing in the payload file is a field of %s, so the hooks see the synthetic event; its fields are such as %s", e.Name, strings.Join(known[:min(len(known), 3)], ", "))
}

// inputOf is what a tool may be called with.
func inputOf(tool, dir string) json.RawMessage {
	in := map[string]string{}
	switch tool {
	case assent.ToolShell:
		in["command"] = canaryCommand
	case assent.ToolRead:
		in["path"] = dir + "/README.md"
	case assent.ToolWrite:
		in["path"], in["content"] = dir+"/README.md", "hello\n"
	case assent.ToolEdit:
		in["path"], in["old_string"], in["new_string"] = dir+"/README.md", "hello", "good day"
	case assent.ToolFetch:
		in["url"] = "https://example.org/"
	case assent.ToolAgent:
		in["prompt"] = "look at the change log"
	}
	raw, _ := json.Marshal(in)
	return raw
}

// merge puts the members of a payload file over a synthetic event's.
func merge(e *assent.Event, raw []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &m); err != nil || m == nil {
		return exit{exitUsage, errors.New("the payload file holds no JSON object"), `one holds such as {"tool_name": "Bash", "tool_input": {"command": "ls"}}`}
	}
	tool := ""
	for key, into := range map[string]*string{"session_id": &e.Session, "cwd": &e.Dir, "turn_id": &e.Turn, "tool_call_id": &e.Call, "agent": &e.Agent, "tool_name": &tool} {
		if v, ok := m[key]; ok && json.Unmarshal(v, into) != nil {
			return exit{code: exitUsage, err: fmt.Errorf("the payload file's %s is no text", key)}
		}
		delete(m, key)
	}
	if tool != "" {
		e.Tool = oursOf(tool)
		e.Input = inputOf(e.Tool, e.Dir)
	}
	for _, key := range []string{"args", "tool_input"} {
		v, ok := m[key]
		if delete(m, key); !ok || e.Tool == "" {
			continue
		}
		in, err := assent.Canonical(hook.Claude.Back(e.Tool, v))
		if err != nil || string(in) == "null" {
			return exit{code: exitUsage, err: fmt.Errorf("the payload file's %s is no JSON object", key)}
		}
		e.Input = in
	}
	var extra map[string]json.RawMessage
	_ = json.Unmarshal(m["extra"], &extra) // where it is none, there is none
	for _, key := range []string{"extra", "hook_event_name", "profile"} {
		delete(m, key)
	}
	maps.Copy(e.Extra, m)
	maps.Copy(e.Extra, extra)
	return nil
}
