package main

// assent exec: a program is run under a grant, as it was approved.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent"
	"assent/broker"
	"assent/config"
)

// execWait is how long an answer is waited for where nothing else is said: a little less
// than agents give a command.
const execWait = 100 * time.Second

// execFlags are what one run of a program is asked for with.
type execFlags struct {
	grant, handle, dir, wait string
	ask, stdin, tty          bool
	env                      []string
}

func (a *app) execCmd() *cobra.Command {
	var f execFlags
	c := &cobra.Command{
		Use:   "exec [--ask] -- PROGRAM [ARGUMENT…]",
		Short: "Run a program under a grant, exactly as it was approved",
		Long: "Run a program under a grant, exactly as it was approved: these arguments, this directory,\n" +
			"these variables, and what the program and its scripts say. No shell reads them. It finds a\n" +
			"fixed environment, and nothing on its standard input, unless you say otherwise.\n\n" +
			"The exit code is the program's. Where it may not run: 2 nobody was asked, or nobody waits\n" +
			"for the answer; 3 denied; 4 no answer came in time; 6 something changed since it was approved.",
		Example: "  assent exec --ask -- make deploy\n  assent exec --grant gr_7 --env API_KEY -- ./release.sh 1.4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("say what to run: assent exec -- PROGRAM [ARGUMENT…]")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.exec(cmd.Context(), f, args) },
	}
	c.Flags().SetInterspersed(false)
	c.Flags().StringVar(&f.grant, "grant", "", "spend only this grant")
	c.Flags().StringVar(&f.handle, "handle-file", "", "a file that holds a handle of a grant, and that only you can read")
	c.Flags().BoolVar(&f.ask, "ask", false, "where no grant covers it, ask people and wait for their answer")
	c.Flags().StringVar(&f.wait, "wait", "", "how long to wait for an answer, such as 10m; 0: not at all (default: approvals.wait, or 100s)")
	c.Flags().StringArrayVar(&f.env, "env", nil, "give it this variable of yours (again for more)")
	c.Flags().StringVar(&f.dir, "dir", "", "run it in this directory")
	c.Flags().BoolVar(&f.stdin, "stdin", false, "read all of standard input first, and have it approved too")
	c.Flags().BoolVar(&f.tty, "tty", false, "let it read this terminal, whatever is typed")
	return c
}

func (a *app) exec(ctx context.Context, f execFlags, argv []string) error {
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	c, err := a.command(f, argv)
	if err != nil {
		return err
	}
	b, err := a.broker(h, f)
	if err != nil {
		return err
	}
	defer b.Guard.Close()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, handedOn...)
	defer signal.Stop(signals)
	c.Signals = signals
	r, err := b.Exec(context.WithoutCancel(ctx), c) // the signals are the program's
	return a.executed(r, err)
}

// command is what is to be run, with what it reads and writes.
func (a *app) command(f execFlags, argv []string) (broker.Command, error) {
	c := broker.Command{Argv: argv, Dir: f.dir, Env: f.env, Stdout: a.out, Stderr: a.err, BindStdin: f.stdin, Foreground: f.tty}
	in, file := a.in.(*os.File)
	switch {
	case f.stdin && f.tty:
		return c, usage("--stdin and --tty are two ways to give it standard input: choose one")
	case f.tty && !(file && term.IsTerminal(int(in.Fd()))):
		return c, usage("--tty needs a terminal as standard input")
	case f.stdin, f.tty:
		c.Stdin = a.in
	}
	return c, nil
}

// broker is one that spends what the flags say.
func (a *app) broker(h config.Home, f execFlags) (b *broker.Broker, err error) {
	server, err := config.AtServer(h)
	if err != nil {
		return nil, err
	}
	b = &broker.Broker{Gate: &kept{redial{h, a.now}, server}, Places: h.Places(), Now: a.now, Ask: f.ask, Guard: reaper()}
	if f.grant != "" {
		b.Grant = fullID("gr_", f.grant)
	}
	if f.handle != "" {
		if b.Handle, err = handleIn(f.handle); err != nil {
			return nil, err
		}
	}
	switch {
	case f.wait != "" && !f.ask:
		return nil, usage("--wait goes with --ask: nobody else is waited for")
	case f.ask:
		b.Wait, err = patience(h, f.wait)
	}
	return b, err
}

// patience is how long an answer is waited for: what was said, or what the file says.
func patience(h config.Home, said string) (time.Duration, error) {
	if said != "" {
		d, err := config.Length(said)
		if err != nil {
			return 0, usage("--wait takes a length of time, such as 30s or 10m, or 0")
		}
		return d, nil
	}
	file, err := h.Load()
	if err != nil {
		return 0, err
	}
	if w := file.For(file.ProfileOf(assent.Event{Agent: assent.AgentBroker})).Approvals.Wait; w != config.Unset {
		return time.Duration(w), nil
	}
	return execWait, nil
}

// maxHandle is more than any file with a handle in it has.
const maxHandle = 4 << 10

// handleIn reads a handle from a file that only its owner can read, and that is theirs
// who runs this.
func handleIn(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || !private(info) {
		return "", exit{exitForbidden, fmt.Errorf("%s is not a file that only you can read", path), "chmod 600 " + quoted(path)}
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxHandle))
	handle := strings.TrimSpace(string(raw))
	if err == nil && !strings.HasPrefix(handle, assent.HandlePrefix) {
		err = exit{exitInvalid, fmt.Errorf("there is no handle in %s", path), "assent grants handle ID makes one"}
	}
	return handle, err
}
