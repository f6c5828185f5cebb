//go:build unix

package e2e

// Running Claude Code: headless, with an environment of its own.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Agent is one set-up of Claude Code. It may run several times, also at once.
type Agent struct {
	Program string   // its path
	Home    string   // HOME; settings are under .claude
	Project string   // working directory
	Model   string   // address of the model
	Env     []string // more of its environment, NAME=value
}

// Result is what a headless run says at its end.
type Result struct {
	Session  string   `json:"session_id"`
	Text     string   `json:"result"`
	Stop     string   `json:"stop_reason"`
	Ended    string   `json:"terminal_reason"`
	Failed   bool     `json:"is_error"`
	Denials  []Denial `json:"permission_denials"`
	Deferred *struct {
		ID string `json:"id"`
	} `json:"deferred_tool_use"`
}

// Denial is a call that was not made.
type Denial struct {
	Tool string          `json:"tool_name"`
	Call string          `json:"tool_use_id"`
	Raw  json.RawMessage `json:"tool_input"`
}

// Run starts the agent with a prompt and waits for its end. The permission mode
// is the one that asks nobody, unless args name another.
func (a Agent) Run(ctx context.Context, prompt string, args ...string) (Result, error) {
	cmd := a.command(ctx, prompt, args)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var r Result
	if json.Unmarshal(out.Bytes(), &r) != nil || r.Session == "" {
		return r, fmt.Errorf("claude: %v\n%s\n%s", err, out.String(), errs.String())
	}
	return r, nil
}

func (a Agent) command(ctx context.Context, prompt string, args []string) *exec.Cmd {
	all := append([]string{"-p", prompt, "--output-format", "json"}, args...)
	if !has(args, "--permission-mode") {
		all = append(all, "--dangerously-skip-permissions")
	}
	cmd := exec.CommandContext(ctx, a.Program, all...)
	cmd.Dir = a.Project
	cmd.Env = append([]string{
		"HOME=" + a.Home, "CLAUDE_CONFIG_DIR=" + filepath.Join(a.Home, ".claude"),
		"PATH=/usr/bin:/bin", "TERM=xterm-256color", "USER=tester", "SHELL=/bin/sh", "TMPDIR=" + a.Home,
		"ANTHROPIC_BASE_URL=" + a.Model, "ANTHROPIC_API_KEY=sk-mock",
		"IS_SANDBOX=1", // lets root skip permissions
		"DO_NOT_TRACK=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}, a.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal of whoever runs the test
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func has(args []string, flag string) bool {
	for _, a := range args {
		if a == flag {
			return true
		}
	}
	return false
}
