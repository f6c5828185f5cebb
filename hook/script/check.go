package script

// The rules of a hook's configuration, over plain values.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/hook"
)

// The bounds of a hook's time.
const (
	MinTimeout = time.Second
	MaxTimeout = 300 * time.Second
)

// pythonOnly are the events that no process is asked about.
var pythonOnly = []string{"transform_api_error_classification"}

// toolEvents are the events whose hooks may say which tools they are for.
var toolEvents = []string{assent.PreToolCall, assent.PostToolCall, assent.TransformResult}

// Check puts a hook in order: names of Claude Code's become ours, bounds are kept, and
// what means nothing is dropped. The warnings say what was changed. With an error
// there is no such hook.
func Check(s Spec) (Spec, []string, error) {
	var warnings []string
	warn := func(format string, args ...any) {
		warnings = append(warnings, fmt.Sprintf("hook %s (%s): ", s.Command, s.Event)+fmt.Sprintf(format, args...))
	}
	s.Command, s.Matcher = strings.TrimSpace(s.Command), strings.TrimSpace(s.Matcher)
	if ours, ok := hook.EventOf(s.Event); ok {
		s.Event = ours
		if s.Dialect == "" {
			s.Dialect = hook.Claude
		}
	}
	if err := checkEvent(s.Event); err != nil {
		return Spec{}, nil, err
	}
	if s.Command == "" {
		return Spec{}, nil, fmt.Errorf("a hook for %s has no command: %w", s.Event, assent.ErrInvalid)
	}
	if s.Matcher != "" && !slices.Contains(toolEvents, s.Event) {
		warn("%s has no tool, so its matcher is dropped and it always runs", s.Event)
		s.Matcher = ""
	}
	switch {
	case s.Timeout > MaxTimeout:
		warn("a timeout of %s is more than %s, which it is now", s.Timeout, MaxTimeout)
		s.Timeout = MaxTimeout
	case s.Timeout != 0 && s.Timeout < MinTimeout:
		warn("a timeout of %s is less than %s; it is %s now", s.Timeout, MinTimeout, hook.DefaultTimeout)
		s.Timeout = hook.DefaultTimeout
	}
	if row, _ := assent.EventNamed(s.Event); stops(s.OnError) && !assent.Gates(s.Event) && !(row.Hears == assent.HearsText && s.OnError == hook.FailDeny) {
		warn("%s can stop nothing, so its failure is ignored", s.Event)
		s.OnError = hook.FailIgnore
	}
	return s, warnings, nil
}

func stops(o hook.OnError) bool { return o == hook.FailDeny || o == hook.FailAsk }

func checkEvent(name string) error {
	if slices.Contains(pythonOnly, name) {
		return fmt.Errorf("hooks for %s are functions of plugins: no process is asked: %w", name, assent.ErrInvalid)
	}
	if _, ok := assent.EventNamed(name); ok {
		return nil
	}
	var names []string
	for _, t := range assent.Events {
		family, _, inFamily := strings.Cut(t.Name, ":")
		if inFamily && name == family+":*" {
			return nil
		}
		names = append(names, t.Name)
	}
	if like := assent.Nearest(name, names); like != "" {
		return fmt.Errorf("no event is called %q; did you mean %q? %w", name, like, assent.ErrInvalid)
	}
	slices.Sort(names)
	return fmt.Errorf("no event is called %q; there are %s: %w", name, strings.Join(names, ", "), assent.ErrInvalid)
}

// Unique are the hooks without those that stand there twice.
func Unique(list []Spec) []Spec {
	var out []Spec
	for _, s := range list {
		twice := slices.ContainsFunc(out, func(o Spec) bool {
			return o.Profile == s.Profile && o.Event == s.Event && o.Matcher == s.Matcher && o.Command == s.Command
		})
		if !twice {
			out = append(out, s)
		}
	}
	return out
}
