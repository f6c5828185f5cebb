package main

// assent mcp: agents that speak the Model Context Protocol act through grants.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/internal/child"
	"assent/serve/mcp"
	"assent/surface/terminal"
)

const (
	// mcpWait is how long a call waits for people at most where it does not say so
	// itself: many clients give up after a minute.
	mcpWait = 45 * time.Second
	// mcpLook is how often it is looked whether the grants of a connection changed.
	mcpLook = 5 * time.Second
)

const mcpHelp = `Serve one agent over the Model Context Protocol, on standard input and output.

The agent gets five tools: exec runs a program without a shell, read_file, write_file
and fetch do what they say, and ask_for asks you for one of these beforehand. Each call
needs a grant; where none covers it, you are asked as always (assent requests), and the
agent is told the name of the request. It works with and without assent serve.

Your agent starts it. To add it to

  Claude Code   claude mcp add --scope user assent -- assent mcp
  Codex         codex mcp add assent -- assent mcp
  Gemini CLI    gemini mcp add --scope user assent assent mcp
  OpenCode      "mcp": {"assent": {"type": "local", "command": ["assent", "mcp"]}} in opencode.json
  others        "mcpServers": {"assent": {"command": "assent", "args": ["mcp"]}}

More in docs/mcp.md.`

func (a *app) mcpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent over the Model Context Protocol: tools that act under grants",
		Long:  mcpHelp,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.atTerminal() {
				fmt.Fprintln(a.err, "assent mcp waits for an agent that speaks the Model Context Protocol here; Ctrl-D ends it. How to add it to yours: assent mcp --help")
			}
			return a.mcp(cmd.Context())
		},
	}
}

// mcp serves until the input ends, or this process is told to.
func (a *app) mcp(ctx context.Context) error {
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	if _, err := h.Load(); err != nil {
		return err // here it can be said
	}
	defer notByPipes()()
	g := redial{h, a.now}
	d := doer{gate: g, places: h.Places(), now: a.now, guard: reaper()}
	defer d.guard.Close()
	err = mcp.Server{Version: version, Runner: d, Grants: g.usable, Wait: g.waits, Every: mcpLook}.Run(ctx, a.in, a.out)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// waits is how long a call waits for people, as the file says now.
func (g redial) waits() time.Duration {
	d, err := patience(g.home, "")
	if err != nil {
		return 0 // the call itself will say what is wrong
	}
	return min(d, mcpWait)
}

// reaper ends what runs if this process is killed.
func reaper() *child.Guard {
	self, err := os.Executable()
	if err != nil {
		return nil // the kernel alone does, where it can
	}
	return &child.Guard{Command: []string{self, "reap"}}
}

// usable are the live grants of whoever speaks through this process.
func (g redial) usable(ctx context.Context) ([]mcp.Grant, error) {
	return step(ctx, g, func(d config.Assent) ([]mcp.Grant, error) {
		live, err := d.Usable(ctx, nil)
		if err != nil {
			return nil, err
		}
		o := terminal.Options{Now: g.now(), Asked: func(id string) (assent.Request, bool) {
			r, err := d.Request(ctx, id)
			return r, err == nil
		}}
		var list []mcp.Grant
		for _, l := range live {
			list = append(list, mcp.Grant{ID: l.ID, Tool: mcpTool(l, o), Text: terminal.Covers(l, o), Left: l.Scope.Uses - l.Used, Until: l.Until})
		}
		return list, nil
	})
}

// mcpTools are our names of what the tools do.
var mcpTools = map[string]string{assent.ToolExec: "exec", assent.ToolRead: "read_file", assent.ToolWrite: "write_file", assent.ToolFetch: "fetch"}

// mcpTool is the tool that a grant is of; empty: it may be of any.
func mcpTool(g assent.Grant, o terminal.Options) string {
	tool := g.Scope.Tool
	if g.Scope.Digest != "" && g.Request != "" {
		if r, ok := o.Asked(g.Request); ok {
			tool = r.Case.Tool
		}
	}
	if name, ours := mcpTools[tool]; ours || tool == "" || tool == assent.AnyTool {
		return name
	}
	return tool // of what the agent does by itself: none of ours
}
