package claude

// Wiring: what a settings file does for the gate, and what it fails to do.

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assent"
)

// Status is what one settings file does.
type Status struct {
	Hooks    []Wired  // our entries, one row for every event that Wire adds
	Disabled bool     // disableAllHooks is set: no hook of any file runs
	Ignored  string   // why Claude Code would not load the file at all; empty: not known that it would not
	Unproved []string // keys of which it is not known that Claude Code loads the file with them
	Env      []string // names the file sets in every hook's environment that assent itself goes by
}

// Wired is our entry for one event.
type Wired struct {
	Event   string
	Gates   bool
	Program string        // empty: there is no entry
	Args    []string      // of the program
	Timeout time.Duration // Claude Code's own limit for it
	Problem string        // one sentence, empty when it is as Wire writes it
}

// Wiring reads a settings file. Empty settings wire nothing. The error is
// ErrInvalid when not even that can be told, and then Ignored says why too.
func Wiring(settings []byte) (Status, error) {
	text, _ := cutBOM(settings)
	var s Status
	var doc document
	if !blank(text) {
		var err error
		if doc, err = parse(text); err != nil {
			return Status{Ignored: err.Error()}, err
		}
		s.readKeys(doc)
	}
	own := doc.own("")
	for _, r := range rows {
		if r.wired {
			s.Hooks = append(s.Hooks, wiredAs(r, own))
		}
	}
	return s, nil
}

// readKeys reads what stands beside the hooks.
func (s *Status) readKeys(doc document) {
	if !doc.root.IsStandard() {
		s.Ignored = "it has comments or trailing commas, with which Claude Code loads nothing of a file"
	}
	raw, err := canonicalValue(doc.root)
	var top map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &top)
	}
	if err != nil {
		s.Ignored = err.Error()
		return
	}
	s.Disabled = top["disableAllHooks"] != nil && string(top["disableAllHooks"]) != "false"
	for _, k := range slices.Sorted(maps.Keys(top)) {
		switch proved(k, top[k]) {
		case mismatch:
			s.Ignored = fmt.Sprintf("%q has a value with which Claude Code loads nothing of a file", k)
		case unknown:
			s.Unproved = append(s.Unproved, k)
		}
	}
	var env map[string]json.RawMessage
	if json.Unmarshal(top["env"], &env) == nil {
		for _, k := range slices.Sorted(maps.Keys(env)) {
			if steers(k) {
				s.Env = append(s.Env, k)
			}
		}
	}
}

// steers reports whether a variable says where assent's own files are, or the
// agent's.
func steers(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "ASSENT_") || name == "HOME" || name == "USERPROFILE" || name == "CLAUDE_CONFIG_DIR"
}

// wiredAs judges our entries for one event.
func wiredAs(r row, own []place) Wired {
	w := Wired{Event: r.event, Gates: r.gates, Problem: "it is not wired"}
	for _, p := range own {
		if p.event != r.event {
			continue
		}
		w.Program, w.Args = p.entry.Command, p.entry.Args
		w.Timeout = p.entry.limit(r)
		if w.Problem = p.problem(r, w.Timeout); w.Problem == "" {
			break
		}
	}
	return w
}

func (p place) problem(r row, limit time.Duration) string {
	e := p.entry
	switch {
	case !filepath.IsAbs(e.Command):
		return "the program has no absolute path"
	case r.matched && p.matcher != "" && p.matcher != "*":
		return fmt.Sprintf("its matcher is %q and not \"*\"", p.matcher)
	case e.If != nil || e.Async != nil || e.AsyncRewake != nil || e.Once != nil:
		return "if, async, asyncRewake or once keep Claude Code from waiting for every call"
	case limit < r.limit:
		return fmt.Sprintf("its timeout is %s and not %s, after which the call runs or is lost", limit, r.limit)
	case r.gates && e.OnFailure != "block":
		return "without \"onFailure\": \"block\" a call runs when assent fails"
	}
	return ""
}

// limit is how long Claude Code waits for the entry; -1 when it is no number.
func (e entry) limit(r row) time.Duration {
	if e.Timeout == nil {
		if r.limit == hold {
			return hold // Claude Code's own default
		}
		return 0
	}
	var sec float64
	if json.Unmarshal(e.Timeout, &sec) != nil || sec < 0 || sec > 1e9 {
		return -1
	}
	return time.Duration(sec * float64(time.Second))
}

// Closed reports whether Claude Code loads the file, as far as can be told, and
// asks assent before every call.
func (s Status) Closed() bool { return len(s.Problems()) == 0 }

// Problems says, one sentence each, what keeps the gate from being closed.
// Observers that are missing are not among them: see Hooks.
func (s Status) Problems() []string {
	var out []string
	if s.Ignored != "" {
		out = append(out, "Claude Code ignores the settings file: "+s.Ignored)
	}
	if s.Disabled {
		out = append(out, "disableAllHooks is set, so no hook runs")
	}
	for _, name := range s.Env {
		out = append(out, "the settings set "+name+" for every hook, which moves assent's own files")
	}
	for _, w := range s.Hooks {
		if w.Gates && w.Problem != "" {
			out = append(out, w.Event+": "+w.Problem)
		}
	}
	return out
}

// Unwired reports whether a settings file, as a ConfigChange of this source
// names it, would loosen the gate if Claude Code took it up now. The user's own
// settings wire assent, so they must do that, and it must be certain that Claude
// Code loads them: with one value that it does not take, it runs on without any
// hook. Other files can only switch hooks off or move assent's files.
// Skills can do neither.
func Unwired(source string, settings []byte) bool {
	switch source {
	case "skills":
		return false
	case "user_settings":
		s, err := Wiring(settings)
		return err != nil || !s.Closed() || len(s.Unproved) > 0
	}
	if !json.Valid(settings) {
		return false // Claude Code ignores it
	}
	if _, err := assent.Canonical(settings); err != nil {
		return true // it can be read in two ways
	}
	s, err := Wiring(settings)
	return err == nil && (s.Disabled || len(s.Env) > 0)
}
