package main

// A peer: any program that answers Claude Code's PreToolUse hook, asked through
// processes as Claude Code would.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assent"
)

// peerLimit is how long a peer may take. Claude Code goes on without one that
// takes longer than its limit, so that counts as let through.
const peerLimit = 30 * time.Second

// peer is a program that answers the hook.
type peer struct {
	command string // for a shell
	dir     string // where it runs, and where the calls are made
}

// judgePeer prints the rows of the peer, and those of assent for the same
// commands.
func judgePeer(ctx context.Context, out io.Writer, o options) error {
	rows, err := o.rows()
	if err != nil {
		return err
	}
	at, err := newPlace()
	if err != nil {
		return err
	}
	defer os.RemoveAll(at.dir)
	answers, err := peer{o.peer, at.dir}.askAll(ctx, rows, max(o.parallel, 1))
	if err != nil {
		return err
	}
	g := newGraded()
	for posture := range defaults {
		if posture != "agent" {
			g.add(posture, posture == "strict", rows, answers)
		}
	}
	slices.Sort(g.postures)
	fmt.Fprintf(out, "%s, %d commands, graded as each posture would be\n", o.peer, len(rows))
	g.print(out)
	printTimes(out, answers)
	if err := g.write(o.wrong); err != nil {
		return err
	}
	own, err := gradeAll(ctx, rows, at, o)
	if err == nil {
		fmt.Fprintf(out, "\nassent itself, the same commands\n")
		own.print(out)
	}
	return err
}

// newPlace makes an empty directory in the user's home: some peers judge nothing
// where there is no directory, and what is temporary may be thrown away.
func newPlace() (at place, err error) {
	if at.home, err = os.UserHomeDir(); err != nil {
		return at, err
	}
	at.dir, err = os.MkdirTemp(at.home, "project-")
	return at, err
}

func printTimes(out io.Writer, answers []answer) {
	took := make([]time.Duration, len(answers))
	for i, a := range answers {
		took[i] = a.took
	}
	slices.Sort(took)
	fmt.Fprintf(out, "a process: p50 %s, p99 %s, max %s\n", ms(quantile(took, 0.5)), ms(quantile(took, 0.99)), ms(quantile(took, 1)))
}

// askAll asks about every row, some at a time.
func (p peer) askAll(ctx context.Context, rows []row, parallel int) ([]answer, error) {
	answers := make([]answer, len(rows))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rows) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				answers[i] = p.ask(ctx, i, rows[i].Command)
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return answers, nil
}

// ask runs the peer once, on a call of a session of its own.
func (p peer) ask(ctx context.Context, n int, command string) answer {
	ctx, stop := context.WithTimeout(ctx, peerLimit)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", p.command)
	cmd.Dir, cmd.WaitDelay = p.dir, time.Second
	cmd.Stdin = bytes.NewReader(p.payload(n, command))
	var out bytes.Buffer
	cmd.Stdout = &out
	start := time.Now()
	err := cmd.Run()
	a := answer{took: time.Since(start)}
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		a.fault = "it took longer than " + peerLimit.String()
	case errors.As(err, &ended) && ended.ExitCode() == 2:
		a.decision = assent.Deny
	case err != nil:
		a.fault = err.Error()
	default:
		a.decision, a.fault = heard(out.Bytes())
	}
	return a
}

// payload is what Claude Code writes to a hook before it runs a command.
func (p peer) payload(n int, command string) []byte {
	raw, err := json.Marshal(map[string]any{
		"session_id": fmt.Sprintf("11111111-2222-4333-8444-%012d", n), "transcript_path": p.dir + "/transcript.jsonl", "cwd": p.dir,
		"permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": fmt.Sprintf("toolu_%d", n),
		"tool_input": map[string]string{"command": command, "description": "Run it"},
	})
	if err != nil {
		return nil // text and numbers always have a JSON form
	}
	return raw
}

// words are the decisions as hooks write them, now and in earlier versions.
var words = map[string]assent.Decision{
	"allow": assent.Allow, "approve": assent.Allow, "ask": assent.Ask, "defer": assent.Ask, "deny": assent.Deny, "block": assent.Deny,
}

// heard reads what a hook printed. Nothing at all, and what is not JSON, is no
// opinion.
func heard(out []byte) (d assent.Decision, fault string) {
	var says struct {
		Continue *bool
		Decision string
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	out = bytes.TrimSpace(out)
	if len(out) == 0 || out[0] != '{' {
		return assent.None, ""
	}
	if err := json.Unmarshal(out, &says); err != nil {
		return assent.None, "its JSON cannot be read"
	}
	if says.Continue != nil && !*says.Continue {
		return assent.Deny, ""
	}
	if d, ok := words[says.Specific.Decision]; ok {
		return d, ""
	}
	return words[says.Decision], ""
}
