package script

// The hooks: section of a config.yaml, in the form that Hermes Agent's users wrote it.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"assent/hook"
)

// reserved are keys of the section that are no events.
var reserved = []string{"outbound", "output_spill"}

// Section reads the value of a hooks: key, as a YAML reader gives it. Events come in
// the order of their names, the hooks of one in their own. What is wrong with one
// entry is a warning, and the others stand.
func Section(hooks any) (list []Spec, warnings []string) {
	m, ok := hooks.(map[string]any)
	if !ok {
		return nil, nil
	}
	for _, event := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(reserved, event) || m[event] == nil {
			continue
		}
		entries, ok := m[event].([]any)
		if !ok {
			warnings = append(warnings, fmt.Sprintf("hooks.%s is no list, and skipped", event))
			continue
		}
		for i, e := range entries {
			s, notes, err := one(event, e)
			warnings = append(warnings, notes...)
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("hooks.%s[%d] is skipped: %v", event, i, err))
				continue
			}
			list = append(list, s)
		}
	}
	return Unique(list), warnings
}

// one reads one entry of the section.
func one(event string, entry any) (Spec, []string, error) {
	m, ok := entry.(map[string]any)
	if !ok {
		return Spec{}, nil, fmt.Errorf("it is no mapping")
	}
	command, ok := m["command"].(string)
	if !ok {
		return Spec{}, nil, fmt.Errorf("it has no command")
	}
	r := reading{at: fmt.Sprintf("hook %s (%s): ", strings.TrimSpace(command), event)}
	s := Spec{Event: event, Command: command, Matcher: r.text(m, "matcher")}
	s.Dialect, s.Timeout = hook.Dialect(r.text(m, "dialect")), r.seconds(m)
	s.OnError = r.onError(m)
	if !slices.Contains([]hook.Dialect{"", hook.Hermes, hook.Claude, hook.Ours}, s.Dialect) {
		r.warn("dialect %q is none of hermes, claude and assent", s.Dialect)
		s.Dialect = ""
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains([]string{"command", "matcher", "timeout", "fail_closed", "failClosed", "on_error", "dialect"}, key) {
			r.warn("the key %s means nothing", key)
		}
	}
	s, warnings, err := Check(s)
	return s, append(r.warnings, warnings...), err
}

// reading collects what is odd about one entry.
type reading struct {
	at       string
	warnings []string
}

func (r *reading) warn(format string, args ...any) {
	r.warnings = append(r.warnings, r.at+fmt.Sprintf(format, args...))
}

func (r *reading) text(m map[string]any, key string) string {
	s, ok := m[key].(string)
	if !ok && m[key] != nil {
		r.warn("%s is no text, and dropped", key)
	}
	return s
}

// seconds reads a whole number of at least 1; what is none is the default.
func (r *reading) seconds(m map[string]any) time.Duration {
	var n int64
	switch v := m["timeout"].(type) {
	case nil:
		return 0
	case int:
		n = int64(v)
	case int64:
		n = v
	case uint64:
		n = int64(min(v, math.MaxInt64))
	}
	if n < 1 {
		r.warn("timeout %v is no whole number of seconds above 0; it is %s now", m["timeout"], hook.DefaultTimeout)
		return hook.DefaultTimeout
	}
	return time.Duration(min(n, 1e6)) * time.Second
}

// onError reads on_error, and fail_closed in both of its spellings.
func (r *reading) onError(m map[string]any) hook.OnError {
	if word := hook.OnError(r.text(m, "on_error")); word != "" {
		if slices.Contains([]hook.OnError{hook.FailAsk, hook.FailDeny, hook.FailIgnore}, word) {
			return word
		}
		r.warn("on_error %q is none of ask, deny and ignore", word)
	}
	for _, key := range []string{"fail_closed", "failClosed"} {
		v, there := m[key]
		closed, ok := v.(bool)
		switch {
		case !there:
			continue
		case !ok:
			r.warn("%s is neither true nor false, and dropped", key)
			return ""
		case closed:
			return hook.FailDeny
		}
		return hook.FailIgnore
	}
	return ""
}
