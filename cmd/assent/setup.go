package main

// How assent is put in front of each agent: where its settings are, and what
// goes into them.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"assent"
	"assent/config"
	"assent/harness/claude"
)

// setup is one agent that init can wire. A new agent is one value in setups.
type setup struct {
	name, agent string
	settings    func(env func(string) string, home string) string
	programs    func(env func(string) string, home string) []string
	wire        func(settings []byte, program string, more ...string) ([]byte, error)
	unwire      func(settings []byte) ([]byte, error)
	problems    func(settings []byte, home string) (program string, args []string, problems []problem)
	canary      func(command, dir string) []byte
	blocked     func(answer []byte) bool
	project     []string                          // settings files of a project, below its directory
	loosens     func(projectSettings []byte) bool // whether one of them opens the gate
}

var setups = []setup{{
	name: "claude", agent: "Claude Code",
	settings: claude.SettingsPath, programs: claude.Programs, wire: claude.Wire, unwire: claude.Unwire,
	problems: claudeProblems, canary: claudeCanary, blocked: claudeBlocked,
	project: []string{".claude/settings.json", ".claude/settings.local.json"},
	loosens: func(text []byte) bool { return claude.Unwired("project_settings", text) },
}}

func setupNamed(name string) (setup, error) {
	var known []string
	for _, s := range setups {
		if s.name == name {
			return s, nil
		}
		known = append(known, s.name)
	}
	return setup{}, usage("assent cannot set up %q; it can: %s", name, strings.Join(known, ", "))
}

// claudeCanary is a tool call that must be stopped, marked as one that nobody is
// asked about.
func claudeCanary(command, dir string) []byte {
	raw, _ := json.Marshal(map[string]any{
		"session_id": "assent-canary", "transcript_path": filepath.Join(dir, "none.jsonl"), "cwd": dir,
		"permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
		"tool_input": map[string]string{"command": command}, "tool_use_id": "toolu_canary", config.CanaryField: true,
	})
	return raw
}

func claudeBlocked(answer []byte) bool { return claudeDecision(answer) == "deny" }

// claudeDecision is what an answer tells Claude Code of a call; empty is no
// opinion.
func claudeDecision(answer []byte) string {
	var out struct {
		Hook struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(answer, &out) != nil {
		return "unreadable"
	}
	return out.Hook.Decision
}

// here reports whether the agent is on this machine.
func (s setup) here(a *app, h config.Home) bool { return s.installed(a, h.User) != "" }

// wired reports whether the agent's settings name assent, whether or not the
// agent itself is still here.
func (s setup) wired(a *app, h config.Home) bool {
	_, text, err := s.read(a, h.User)
	if err != nil {
		return true // which is then said
	}
	rest, err := s.unwire(text)
	return err != nil || !bytes.Equal(rest, text)
}

// installed returns the agent's program, or "" if it is in none of its places.
func (s setup) installed(a *app, home string) string {
	for _, p := range s.programs(a.env, home) {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return ""
}

// read returns the settings file behind any links, and its content; a file that
// is not there is empty.
func (s setup) read(a *app, home string) (path string, old []byte, err error) {
	path = s.settings(a.env, home)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	if err != nil {
		return path, nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return path, old, nil
}

// canaryCommand is judged dangerous by every posture.
const canaryCommand = "git push --force origin main"

// tryCanary runs the hook as the settings would, with a call that must be
// stopped, and returns how long the answer took.
func (s setup) tryCanary(ctx context.Context, a *app, settings []byte, home config.Home) (time.Duration, error) {
	program, args, _ := s.problems(settings, home.Dir)
	if program == "" {
		return 0, fmt.Errorf("%s's settings name no program to ask: %w", s.agent, assent.ErrNotFound)
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(s.canary(canaryCommand, home.User)), &out, &errs
	start := a.now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("the canary's hook did not run (%s %s): %w: %s", program, strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	took := a.now().Sub(start)
	if !s.blocked(out.Bytes()) {
		return took, fmt.Errorf("the canary was NOT blocked; the hook answered %q %s", bytes.TrimSpace(out.Bytes()), bytes.TrimSpace(errs.Bytes()))
	}
	return took, nil
}
