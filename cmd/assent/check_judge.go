package main

// The judge of check: what the configuration makes of an action, with the very
// engine that a hook would use.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"assent"
	"assent/config"
	"assent/engine"
	"assent/surface/terminal"
)

// postures are the defaults by the names that people know them by.
var postures = []struct {
	name string
	is   config.Posture
}{
	{"strict", config.Posture(assent.Ask)}, {"guard", config.Posture(assent.Allow)}, {"agent", config.Posture(assent.None)},
}

// action is what is to be judged: a command, or the call of another tool.
type action struct {
	Command *string         // of a shell
	Tool    string          // in place of Command
	Input   json.RawMessage // of Tool
	Dir     string          // where it would happen, from the checker's; empty = there
	Agent   string          // who would do it; empty = "check"
	Extra   map[string]json.RawMessage
}

// checker judges actions. It may be used concurrently.
type checker struct {
	engine  *engine.Engine
	home    config.Home
	file    config.File
	posture string
	dir     string
}

// newChecker makes the checker that the configuration and the flags describe.
func (a *app) newChecker(f checkFlags) (*checker, error) {
	h, err := config.Locate(a.env)
	if err != nil {
		return nil, err
	}
	file, err := h.Load()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return nil, err
	}
	k := &checker{dir: dir, home: h}
	for _, p := range postures {
		if p.name == f.posture || f.posture == "" && p.is == file.Default {
			k.posture, file.Default = p.name, p.is
		}
	}
	if k.posture == "" {
		return nil, usage("--posture is strict, guard or agent, not %q", f.posture)
	}
	k.file, k.engine = file, engine.New(config.Options(file, h.Places()))
	return k, nil
}

// judge says what would become of an action. What is not text that can be judged
// is asked about.
func (k *checker) judge(ctx context.Context, d action) terminal.Judgement {
	ev := assent.Event{
		ID: "check", Name: assent.PreToolCall, Agent: cmp.Or(d.Agent, "check"), Session: "check", Principal: "check",
		Dir: k.dir, Tool: d.Tool, Input: d.Input, Extra: d.Extra,
	}
	if d.Dir != "" {
		if ev.Dir = d.Dir; !filepath.IsAbs(d.Dir) {
			ev.Dir = filepath.Join(k.dir, d.Dir)
		}
	}
	j := terminal.Judgement{Case: assent.Case{Event: ev}, Posture: k.posture, Weigh: weigh}
	if d.Command != nil {
		if !utf8.ValidString(*d.Command) {
			j.Verdict = unread("The command is not text in UTF-8, so what would run is not known.")
			return j
		}
		ev.Tool, ev.Input = assent.ToolShell, shellInput(*d.Command)
	}
	j.Case, j.Verdict = k.engine.Check(ctx, ev)
	return j
}

// shellInput is the input of a shell that is to run a command.
func shellInput(command string) json.RawMessage {
	text, err := json.Marshal(command)
	if err != nil {
		return nil // a string always has a JSON form
	}
	return fmt.Appendf(nil, `{"command":%s}`, text)
}

// unread is the verdict on what cannot be judged: a person has to look.
func unread(why string) assent.Verdict {
	r := assent.Reason{By: "assent", Decision: assent.Ask, Text: why}
	return assent.Verdict{Decision: assent.Ask, Reasons: []assent.Reason{r}, Tell: why}
}
