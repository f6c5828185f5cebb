// Package script makes hooks of command lines: the shell hooks of config.yaml. A hook
// is a process that reads the event as JSON on standard input, and answers with JSON
// on standard output and an exit status.
//
// It uses no shell, runs nothing that nobody has allowed, and leaves nothing running.
//
//	s, warnings, err := script.Check(script.Spec{Event: assent.PreToolCall, Matcher: "terminal", Command: "~/guards/push.sh"})
//	entry, err := script.New(s, script.Host{Home: home, Consent: allowlist.Look})
//	d := hook.New(hook.Options{}, entry)
package script

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/answer"
	"assent/hook/consent"
	"assent/internal/child"
)

// Spec is one hook as it is configured.
type Spec struct {
	Event   string // a name of the catalogue, a family like "agent:*", or a name of Claude Code's
	Matcher string // which tools; empty = all
	Command string
	Args    []string      // in place of Command's words; Command still names the hook
	Timeout time.Duration // 0 = hook.DefaultTimeout
	OnError hook.OnError
	Dialect hook.Dialect // whose words it reads and writes; empty = Hermes Agent's
	Profile string       // of the agents that it is for; empty = all
}

// Host is what hooks run in.
type Host struct {
	Home       string   // what "~" stands for
	AssentHome string   // empty: the variable stays as it is
	HermesHome string   // likewise
	Env        []string // nil = that of this process; secrets of ours are taken out
	Guard      *child.Guard

	// Consent says whether a command may run for an event in a directory; nil allows
	// nothing.
	Consent func(event, command, dir string) consent.State
}

// New makes the entry of a hook that Check has passed. The warning is about its
// matcher, and empty where that is a good one.
func New(s Spec, h Host) (e hook.Entry, warning string) {
	match, err := hook.Compile(s.Matcher)
	if err != nil {
		warning = fmt.Sprintf("hook %s: matcher %q is no regular expression and is taken literally: %v", s.Command, s.Matcher, err)
	}
	h.Env = h.environ()
	return hook.Entry{
		ID: "script " + s.Command, Kind: hook.KindScript, Event: s.Event, Match: match,
		Profile: s.Profile, Timeout: s.Timeout, OnError: s.OnError,
		Call: func(ctx context.Context, c assent.Case) (assent.Reply, error) {
			if err := h.allowed(s, existing(c.Dir)); err != nil {
				return assent.Reply{}, err
			}
			t := try(ctx, s, h, c)
			return t.Reply, t.Err
		},
	}, warning
}

// allowed is nil if the hook may run, and else says what to do about it.
func (h Host) allowed(s Spec, dir string) error {
	state := consent.Missing
	if h.Consent != nil {
		state = h.Consent(s.Event, s.Command, dir)
	}
	hint := fmt.Sprintf("assent hooks allow %s", quoted(s.Command))
	gone := s.gone(consent.Place{Home: h.Home, Dir: dir})
	switch {
	case state.May():
		return nil
	case gone != "":
		return fmt.Errorf("script not found: %s", gone)
	case state == consent.Changed:
		return fmt.Errorf("its script has changed since it was allowed, and it is not run until you look at it: %s", hint)
	}
	return fmt.Errorf("it is not allowed to run yet: %s", hint)
}

// quoted is a command as one word of a shell.
func quoted(command string) string {
	return "'" + strings.ReplaceAll(command, "'", `'\''`) + "'"
}

// Trial is one run of a hook, with all that was said.
type Trial struct {
	Args   []string // what was run
	Given  []byte   // on standard input
	Result child.Result
	Reply  assent.Reply // what that means
	Err    error        // why it means nothing: the hook failed
}

// Try runs a hook once, whether it is allowed or not: whoever calls it answers for
// that. It may be called concurrently.
func Try(ctx context.Context, s Spec, h Host, c assent.Case) Trial {
	h.Env = h.environ()
	return try(ctx, s, h, c)
}

func try(ctx context.Context, s Spec, h Host, c assent.Case) (t Trial) {
	place := consent.Place{Home: h.Home, Dir: existing(c.Dir)}
	if t.Args, t.Err = s.args(place); t.Err != nil {
		return t
	}
	if t.Given, t.Err = payload(c.Event, s.dialect()); t.Err != nil {
		return t
	}
	limit := s.Timeout
	if limit == 0 {
		limit = hook.DefaultTimeout
	}
	t.Result, t.Err = child.Run(ctx, child.Spec{
		Args: t.Args, Dir: place.Dir, Env: h.of(c.Event, place.Script(s.Command)), Stdin: t.Given, Timeout: limit, Guard: h.Guard,
	})
	switch r := t.Result; {
	case t.Err != nil:
	case r.TimedOut:
		t.Err = fmt.Errorf("no answer in time (%s), so it was killed", r.Took.Round(time.Millisecond))
	case r.Exit != 0 && s.gone(place) != "":
		t.Err = fmt.Errorf("script not found: %s", s.gone(place))
	default:
		t.Reply, t.Err = answer.Read(c.Name, s.dialect(), c.Tool, answer.Output{
			Stdout: r.Stdout, Stderr: r.Stderr, Exit: r.Exit, Signal: r.Signal, Truncated: r.Truncated,
		})
	}
	return t
}

// args are the words of the command, with an interpreter where the system needs one
// to run a script.
func (s Spec) args(p consent.Place) ([]string, error) {
	words := s.Args
	if len(words) == 0 {
		var err error
		if words, err = p.Words(s.Command); err != nil {
			return nil, err
		}
	}
	return interpreted(words, runtime.GOOS), nil
}

// gone is the script that the command's program was to run, if there is none: what
// such a program says then, by its exit status too, is no decision of the hook.
func (s Spec) gone(p consent.Place) string {
	script := p.Script(s.Command)
	if len(s.Args) > 0 || script == "" {
		return ""
	}
	if _, err := os.Stat(script); errors.Is(err, os.ErrNotExist) {
		return script
	}
	return ""
}

func (s Spec) dialect() hook.Dialect {
	if s.Dialect == "" {
		return hook.Hermes
	}
	return s.Dialect
}

func existing(dir string) string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}
