package main

// Commands that only a person may run: the one who is gated does not move the
// gate.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"

	"assent"
	"assent/config"
)

// personOnly refuses to go on in a process that leads to an agent, and has the
// attempt recorded. command is what was run.
func (a *app) personOnly(ctx context.Context, h config.Home, command string) error {
	err := config.NoAgent(ctx, h)
	if errors.Is(err, assent.ErrSelfApproval) {
		err = errors.Join(err, a.attempted(ctx, h, command))
	}
	return err
}

// attempted records the command as what it is: a call that an agent made, which
// is judged and denied like any other. It asks nobody.
func (a *app) attempted(ctx context.Context, h config.Home, command string) error {
	d, err := config.Dial(ctx, h, a.now)
	if err != nil {
		return err
	}
	defer d.Close()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return err
	}
	dir, _ := os.Getwd() // empty is not known
	id := "attempt-" + rand.Text()
	_, err = d.Handle(ctx, assent.Event{
		ID: id, Call: id, Name: assent.PreToolCall, At: a.now(), Agent: "assent", Session: "attempts",
		Dir: dir, Tool: assent.ToolShell, Input: input, Synthetic: true,
	})
	return err
}
