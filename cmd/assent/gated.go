package main

// assent doctor, for one agent: does it really ask before every call?

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assent"
	"assent/config"
)

func (a *app) checkAgent(ctx context.Context, s setup, h config.Home) []check {
	path, settings, err := s.read(a, h.User)
	if err != nil {
		return []check{failing(s.name, err, "")}
	}
	program, _, problems := s.problems(settings, h.Dir)
	var out []check
	for _, p := range problems {
		if program != "" || p.unread { // otherwise all of it is missing, which is said at once
			out = append(out, check{Name: s.name, Text: p.text, Hint: p.cure(s, path)})
		}
	}
	switch {
	case program == "" && s.installed(a, h.User) == "":
		return append(out, check{Name: s.name, OK: true, Note: true, Text: s.agent + " is not here"})
	case program == "" && len(out) > 0:
		return out
	case program == "":
		return []check{{Name: s.name, Text: fmt.Sprintf("%s is here, and nothing gates it (%s)", s.agent, path), Hint: "assent init " + s.name}}
	case len(out) == 0:
		out = append(out, check{Name: s.name, OK: true, Text: fmt.Sprintf("%s asks %s before every call%s", s.agent, filepath.Base(program), a.lastCalled(ctx, s, h))})
	}
	out = append(out, s.checkProject()...)
	return a.checkHook(ctx, s, h, settings, program, out)
}

// checkHook tries the hook itself, after what was found so far.
func (a *app) checkHook(ctx context.Context, s setup, h config.Home, settings []byte, program string, out []check) []check {
	took, err := s.tryCanary(ctx, a, settings, h)
	if err != nil {
		return append(out, failing(s.name, err, "assent init "+s.name))
	}
	open := slices.ContainsFunc(out, func(c check) bool { return !c.OK })
	if self, err := os.Executable(); err == nil && self != program {
		out = append(out, check{Name: s.name, OK: true, Note: true, Text: "its hook runs " + program + ", this is " + self})
	}
	if open {
		return append(out, check{Name: s.name, OK: true, Note: true, Text: "the hook blocks when it is called"})
	}
	return append(out, check{Name: s.name, OK: true, Text: fmt.Sprintf("canary blocked in %d ms", took.Milliseconds())})
}

// checkProject looks for settings in the current directory that open the gate.
func (s setup) checkProject() []check {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	var out []check
	for _, name := range s.project {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if text, err := os.ReadFile(path); err == nil && s.loosens(text) {
			out = append(out, check{Name: s.name, Text: path + " switches hooks off or moves assent's files for sessions in this directory", Hint: "take those lines out"})
		}
	}
	return out
}

// lastCalled says when the agent really asked for the last time.
func (a *app) lastCalled(ctx context.Context, s setup, h config.Home) string {
	store, err := config.OpenLog(ctx, h)
	if err != nil {
		return ""
	}
	defer store.Close()
	const newest = 2000
	head, err := store.Head(ctx)
	if err != nil {
		return ""
	}
	lines, err := store.Lines(ctx, head.N-min(head.N, newest), newest)
	if err != nil {
		return ""
	}
	for i := len(lines) - 1; i >= 0; i-- {
		var r assent.Record
		if json.Unmarshal(lines[i].Leaf, &r) == nil && r.Agent == s.name && r.Kind == assent.KindEvent && r.Session != "assent-canary" {
			return "; it last did at " + r.At.Local().Format("2006-01-02 15:04:05")
		}
	}
	return "; it has not yet"
}
