package config

// The user's own code, as the file names it.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"assent"
	"assent/hook"
	"assent/hook/script"
	"assent/hook/webhook"
)

// Users is the part of the file about the user's own code.
type Users struct {
	Hooks    []HookLine
	Outbound []OutLine
	Accept   bool // hooks_auto_accept
	Enabled  []string
	Disabled []string
	Hermes   bool // plugins of Hermes Agent may be enabled
	Entries  map[string]json.RawMessage
}

// HookLine is one hook of the file.
type HookLine struct {
	Line    int
	Event   string // as it is written: a name of the catalogue, or one of Claude Code's
	Matcher string
	Command string // a command line, or an http(s) URL
	Timeout string // as it is written
	OnError hook.OnError
	Speaks  hook.Dialect // empty: by the event's name
	Secret  string       // reference; of a URL
}

// OutLine is one address that is told of events.
type OutLine struct {
	Line    int
	Name    string
	URL     string
	Events  []string
	Matcher string
	Secret  string // reference
	Timeout string
}

// spec is the line as a hook of its kind takes it.
func (l HookLine) spec() (script.Spec, []string, error) {
	s := script.Spec{Event: l.Event, Matcher: l.Matcher, Command: l.Command, OnError: l.OnError, Dialect: l.Speaks}
	var err error
	if l.Timeout != "" {
		var d Seconds
		d, err = seconds(l.Timeout)
		s.Timeout = time.Duration(d)
		if s.Timeout == 0 {
			s.Timeout = 1 // less than there may be
		}
	}
	if err != nil {
		return s, nil, fmt.Errorf("hook %s (%s): timeout: %w", l.Command, l.Event, err)
	}
	return script.Check(s)
}

func (l OutLine) outbound(h Home) (webhook.Outbound, error) {
	o := webhook.Outbound{Name: l.Name, URL: l.URL, Events: l.Events, Matcher: l.Matcher}
	d, err := Seconds(0), error(nil)
	if l.Timeout != "" {
		d, err = seconds(l.Timeout)
		o.Timeout = time.Duration(d)
	}
	if name, ok := strings.CutPrefix(l.Secret, "env:"); ok {
		o.SecretEnv = name
	} else if l.Secret != "" {
		var failed error
		if o.Secret, failed = h.secret(l.Secret); failed != nil {
			o.SecretEnv = l.Secret // which no variable is called: it is never told without its signature
			err = errors.Join(err, failed)
		}
	}
	if err != nil {
		err = fmt.Errorf("hooks.outbound %s: %w", l.URL, err)
	}
	return o, err
}

var (
	hookKeys = []string{"matcher", "command", "timeout", "fail_closed", "failClosed", "on_error", "speaks", "secret", "hooks", "type"}
	outKeys  = []string{"name", "url", "events", "matcher", "secret", "secret_env", "timeout"}
)

// hooks reads the section: a list of hooks for each event.
func (r *reader) hooks(n ast.Node) error {
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	m, ok := n.(ast.MapNode)
	if !ok {
		return r.fault(line(n), "hooks: events with their hooks were expected")
	}
	for it := m.MapRange(); it.Next(); {
		event := it.Key().GetToken().Value
		var list []ast.Node
		switch v := it.Value().(type) {
		case *ast.NullNode:
		case *ast.SequenceNode:
			list = v.Values
		default:
			return r.fault(line(it.Value()), "hooks.%s: a list was expected", event)
		}
		for _, v := range list {
			var err error
			if event == "outbound" {
				err = r.outbound(v)
			} else {
				err = r.hook(HookLine{Line: line(v), Event: event}, v)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// hook reads one hook; in Claude Code's own form one has several below it.
func (r *reader) hook(h HookLine, n ast.Node) error {
	var below []ast.Node
	err := r.fields("hooks."+h.Event, n, hookKeys, func(key string, v ast.Node) error {
		if seq, ok := v.(*ast.SequenceNode); ok && key == "hooks" {
			below = seq.Values
			return nil
		}
		text, ok := plain(v)
		if !ok {
			return r.fault(line(v), "hooks.%s.%s: one plain value was expected", h.Event, key)
		}
		return r.hookKey(&h, key, text, v)
	})
	if err != nil {
		return err
	}
	for _, v := range below {
		if err := r.hook(HookLine{Line: line(v), Event: h.Event, Matcher: h.Matcher, OnError: h.OnError, Speaks: h.Speaks, Timeout: h.Timeout}, v); err != nil {
			return err
		}
	}
	switch {
	case h.Command == "" && below == nil:
		return r.fault(h.Line, "hooks.%s: a hook has a command", h.Event)
	case h.Command != "":
		if _, _, err := h.spec(); err != nil {
			return r.fault(h.Line, "%s", plainly(err))
		}
		r.file.Users.Hooks = append(r.file.Users.Hooks, h)
	}
	return nil
}

func (r *reader) hookKey(h *HookLine, key, text string, v ast.Node) (err error) {
	switch key {
	case "matcher":
		h.Matcher = text
	case "command":
		h.Command = text
	case "timeout":
		h.Timeout = text
	case "secret":
		h.Secret, err = text, isReference(text)
	case "type":
		_, err = oneOf(text, "command")
	case "speaks":
		h.Speaks, err = oneOf(text, hook.Hermes, hook.Claude, hook.Ours)
	case "on_error":
		var on hook.OnError
		if on, err = oneOf(text, hook.FailAsk, hook.FailDeny, hook.FailIgnore); err == nil {
			err = h.fails(on)
		}
	default: // fail_closed, and its other spelling
		closed := false
		if err = yesNo(func(*File) *bool { return &closed })(nil, text); err == nil && closed {
			err = h.fails(hook.FailDeny)
		} else if err == nil {
			err = h.fails(hook.FailIgnore)
		}
	}
	if err != nil {
		return r.fault(line(v), "hooks.%s.%s: %v", h.Event, key, err)
	}
	return nil
}

// fails says what the hook's failure counts as, in one word or in two that mean the
// same.
func (h *HookLine) fails(on hook.OnError) error {
	if h.OnError != "" && h.OnError != on {
		return fmt.Errorf("a failure counts as %s by one key and as %s by another", h.OnError, on)
	}
	h.OnError = on
	return nil
}

// outbound reads one address.
func (r *reader) outbound(n ast.Node) error {
	o := OutLine{Line: line(n)}
	err := r.fields("hooks.outbound", n, outKeys, func(key string, v ast.Node) (err error) {
		if key == "events" {
			o.Events, err = r.list("hooks.outbound.events", v)
			return err
		}
		text, _ := plain(v)
		switch key {
		case "name":
			o.Name = text
		case "url":
			o.URL = text
			err = address(func(*File) *string { return new(string) })(nil, text)
		case "matcher":
			o.Matcher = text
		case "timeout":
			o.Timeout = text
		case "secret_env":
			o.Secret = "env:" + text
		case "secret":
			o.Secret, err = text, isReference(text)
		}
		if err != nil {
			return r.fault(line(v), "hooks.outbound.%s: %v", key, err)
		}
		return nil
	})
	if err == nil && (o.URL == "" || len(o.Events) == 0) {
		err = r.fault(o.Line, "hooks.outbound: an address has a url and events")
	}
	for _, event := range o.Events {
		if err == nil {
			if err = knownEvent(event); err != nil {
				err = r.fault(o.Line, "hooks.outbound: %v", err)
			}
		}
	}
	r.file.Users.Outbound = append(r.file.Users.Outbound, o)
	return err
}

// plainly is an error without the class that it is of, which the line's fault names.
func plainly(err error) string {
	text := strings.TrimSuffix(err.Error(), assent.ErrInvalid.Error())
	return strings.TrimRight(text, ": ")
}

func knownEvent(name string) error {
	_, _, err := script.Check(script.Spec{Event: name, Command: "-"})
	if err != nil {
		return errors.New(plainly(err))
	}
	return nil
}

// entries reads the settings of plugins, which are theirs alone.
func (r *reader) entries(n ast.Node) error {
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	var all map[string]any
	if err := yaml.NodeToValue(n, &all); err != nil {
		return r.fault(line(n), "plugins.entries: settings by the plugin's name were expected")
	}
	r.file.Users.Entries = map[string]json.RawMessage{}
	for name, v := range all {
		raw, err := json.Marshal(v)
		if err != nil {
			return r.fault(line(n), "plugins.entries.%s: %v", name, err)
		}
		r.file.Users.Entries[name] = raw
	}
	return nil
}
