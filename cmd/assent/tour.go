package main

// The processes of the tour: the program runs itself, as an agent and a person
// would.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"assent"
	"assent/internal/child"
	"assent/surface/terminal"
)

// command is this program with the tour's home and nothing else of the
// environment but what a process needs.
func (t *tour) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.exe, args...)
	cmd.Env = []string{"ASSENT_HOME=" + t.home(), "HOME=" + t.dir, "PATH=" + t.env("PATH"), "TMPDIR=" + os.TempDir()}
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// quiet runs a command of ours and returns what it printed.
func (t *tour) quiet(ctx context.Context, args ...string) (string, error) {
	out, err := t.command(ctx, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("assent %s: %s", strings.Join(args, " "), bytes.TrimSpace(out))
	}
	return string(out), nil
}

// show runs a command as the reader would type it.
func (t *tour) show(ctx context.Context, args ...string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.say("\n$ assent %s", strings.ReplaceAll(commandLine(args), t.key(), "you.key"))
	out, err := t.quiet(ctx, args...)
	fmt.Fprint(t.out, out)
	return err
}

// card shows a request as soon as it is there, as the reader's own terminal would.
func (t *tour) card(ctx context.Context, id string) error {
	if err := t.waiting(ctx, id); err != nil {
		return err
	}
	out, err := t.quiet(ctx, "show", id, "--json")
	if err != nil {
		return err
	}
	var r assent.Request
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		return err
	}
	card, _ := terminal.Card(r, t.screen)
	t.say("\n$ assent show %s\n%s", id, card)
	return nil
}

// waiting returns once the request is there.
func (t *tour) waiting(ctx context.Context, id string) error {
	for end := t.now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, err := t.quiet(ctx, "show", id)
		if err == nil || t.now().After(end) {
			return err
		}
	}
}

// agentCall is the hook of one tool call while it runs.
type agentCall struct {
	cmd *exec.Cmd
	out bytes.Buffer
	err bytes.Buffer
}

// hook starts the hook for one tool call of the recorded agent.
func (t *tour) hook(ctx context.Context, command string) (*agentCall, error) {
	t.calls++
	quoted, err := json.Marshal(command)
	if err != nil {
		return nil, err
	}
	payload := strings.ReplaceAll(demoCall, `"COMMAND"`, string(quoted))
	payload = strings.ReplaceAll(payload, "NUMBER", fmt.Sprint(t.calls))
	if t.calls > 1 {
		t.say("The agent wants to run: %s", command)
	}
	c := &agentCall{cmd: t.command(ctx, "demo", "--agent")}
	c.cmd.SysProcAttr = child.Apart()
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(os.Interrupt) } // it ends its hook
	t.open = append(t.open, c)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = strings.NewReader(payload), &c.out, &c.err
	return c, c.cmd.Start()
}

// playAgent is the process of the recorded agent: it runs the hook as its child.
// It lives apart from the reader's own processes, as an agent in another
// terminal does: what shares its session could not approve.
func (a *app) playAgent(ctx context.Context) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	hook := exec.CommandContext(ctx, exe, "hook", "claude", "--event", "PreToolUse")
	hook.Stdin, hook.Stdout, hook.Stderr = a.in, a.out, a.err
	return hook.Run()
}

// answer waits for what the hook tells the agent.
func (c *agentCall) answer() (string, error) {
	if err := c.cmd.Wait(); err != nil {
		return "", fmt.Errorf("the hook failed: %w: %s", err, c.err.String())
	}
	return strings.TrimSpace(c.out.String()), nil
}

// told shows what the agent was told, and fails if it is not what was to be.
func (t *tour) told(c *agentCall, want string) error {
	out, err := c.answer()
	if err != nil {
		return err
	}
	t.say("assent answers the agent: %s", out)
	if got := claudeDecision([]byte(out)); got != want {
		return fmt.Errorf("the agent was told %q, and should have been told %q", got, want)
	}
	return nil
}
