package main

// assent demo: a guided tour in a temporary home. Recorded payloads of a real
// agent go through the real hook, one process per call, to a real server.

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent/surface/terminal"
)

//go:embed demo/call.json
var demoCall string

func (a *app) demoCmd() *cobra.Command {
	var agent bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "A two-minute tour in a temporary home: no agent, no network",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if agent {
				return a.playAgent(cmd.Context())
			}
			if a.json {
				return usage("the demo is for people, and has no --json")
			}
			t, err := a.newTour()
			if err != nil {
				return err
			}
			defer os.RemoveAll(t.dir)
			// A reader who goes ends the tour by a failed write, not by a signal.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			return t.run(cmd.Context())
		},
	}
	c.Flags().BoolVar(&agent, "agent", false, "play the recorded agent (the tour runs this itself)")
	_ = c.Flags().MarkHidden("agent")
	return c
}

// tour is one run of the demo.
type tour struct {
	*app
	dir    string        // everything the tour writes
	exe    string        // this program
	calls  int           // tool calls so far
	keys   <-chan string // the reader's lines; nil without a terminal
	open   []*agentCall  // every one that was begun
	paper  *outlet
	screen terminal.Options
}

// outlet notes whether anybody still reads what the tour prints.
type outlet struct {
	io.Writer
	err error
}

func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// errStopped is a tour that its reader ended.
var errStopped = errors.New("the tour was stopped; nothing of it is left")

func (a *app) newTour() (*tour, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "assent-demo-")
	if err != nil {
		return nil, fmt.Errorf("the tour needs a temporary directory: %w", err)
	}
	own := *a
	t := &tour{app: &own, dir: dir, exe: exe, paper: &outlet{Writer: a.out}, screen: a.look()}
	own.out = t.paper
	if f, ok := a.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.keys = lines(f)
	}
	return t, nil
}

// lines hands over what is typed, line by line, until the process ends.
func lines(f *os.File) <-chan string {
	typed := make(chan string)
	go func() {
		for s := bufio.NewScanner(f); s.Scan(); {
			typed <- s.Text()
		}
		close(typed)
	}()
	return typed
}

// run shows the stops of the tour in order.
func (t *tour) run(ctx context.Context) error {
	stop, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for _, c := range t.open { // a hook that outlives the tour would make its home anew
			_ = c.cmd.Wait()
		}
	}()
	for _, step := range []func(context.Context) error{t.harmless, t.approved, t.denied, t.revoked, t.verified} {
		switch err := step(ctx); {
		case ctx.Err() != nil, t.paper.err != nil:
			return errStopped
		case err != nil:
			return fmt.Errorf("the tour broke off: %w", err)
		}
	}
	t.say("\nThat was all. Everything it wrote is gone again. Next: assent init")
	return nil
}

// begin starts the server and makes the reader's key.
func (t *tour) begin(ctx context.Context) (stop func(), err error) {
	if err := os.Mkdir(t.home(), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(t.home(), "config.yaml"), []byte("listen: off\n"), 0o600); err != nil {
		return nil, err
	}
	t.say("This tour runs the real thing in a temporary home: a server, the hook that an agent would run,")
	t.say("and your answers. The agent is played by recorded messages of Claude Code.")
	serve := t.command(ctx, "serve", "--attached") // it ends with this process, however that ends
	life, err := serve.StdinPipe()
	if err != nil {
		return nil, err
	}
	serve.Cancel = func() error { return serve.Process.Signal(os.Interrupt) }
	if err := serve.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = life.Close()
		_ = serve.Wait()
	}
	for end := t.now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if t.served() {
			break
		}
		if t.now().After(end) {
			stop()
			return nil, errors.New("the server did not start in ten seconds")
		}
	}
	if _, err := t.quiet(ctx, "keys", "create", "--name", "you", "--out", t.key()); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

func (t *tour) home() string { return filepath.Join(t.dir, "home") }
func (t *tour) key() string  { return filepath.Join(t.dir, "you.key") }

func (t *tour) served() bool {
	_, err := os.Stat(filepath.Join(t.home(), "http.addr"))
	return err == nil
}

func (t *tour) harmless(ctx context.Context) error {
	t.title("1. Most calls are none of your business")
	t.say("The agent wants to run: git status")
	h, err := t.hook(ctx, "git status")
	if err != nil {
		return err
	}
	out, err := h.answer()
	t.say("assent answers the agent: %s   (no opinion: the agent's own rules decide)", out)
	return err
}

func (t *tour) approved(ctx context.Context) error {
	t.title("2. A risky one is held, and you are asked")
	h, err := t.hook(ctx, "rm -rf build ../shop-backup")
	if err != nil {
		return err
	}
	if err := t.card(ctx, "req_1"); err != nil {
		return err
	}
	t.ask(ctx, "Press Enter to approve it, once: ")
	if err := t.show(ctx, "approve", "req_1", "--once", "--key", t.key()); err != nil {
		return err
	}
	return t.told(h, "allow")
}

func (t *tour) denied(ctx context.Context) error {
	t.title("3. Once is once: the same call again is asked again")
	h, err := t.hook(ctx, "rm -rf build ../shop-backup")
	if err != nil {
		return err
	}
	if err := t.waiting(ctx, "req_2"); err != nil {
		return err
	}
	t.ask(ctx, "Press Enter to deny it this time: ")
	if err := t.show(ctx, "deny", "req_2", "-m", "the backup stays", "--key", t.key()); err != nil {
		return err
	}
	return t.told(h, "deny")
}

func (t *tour) revoked(ctx context.Context) error {
	t.title("4. A yes can reach further, and can be taken back")
	first, err := t.hook(ctx, "git clean -fdx")
	if err != nil {
		return err
	}
	if err := t.waiting(ctx, "req_3"); err != nil {
		return err
	}
	t.ask(ctx, "Press Enter to allow it for this session: ")
	if err := t.show(ctx, "approve", "req_3", "--session", "--key", t.key()); err != nil {
		return err
	}
	if err := t.told(first, "allow"); err != nil {
		return err
	}
	if err := t.show(ctx, "grants"); err != nil {
		return err
	}
	t.ask(ctx, "Press Enter to revoke it: ")
	if err := t.show(ctx, "revoke", "gr_2", "--key", t.key()); err != nil {
		return err
	}
	if err := t.setWait(); err != nil {
		return err
	}
	t.say("The agent tries once more, and nobody is there to answer:")
	again, err := t.hook(ctx, "git clean -fdx")
	if err != nil {
		return err
	}
	return t.told(again, "deny")
}

// setWait makes held calls give up at once.
func (t *tour) setWait() error {
	return os.WriteFile(filepath.Join(t.home(), "config.yaml"), []byte("listen: off\napprovals:\n  wait: 0\n"), 0o600)
}

func (t *tour) verified(ctx context.Context) error {
	t.title("5. Every decision is in a log that cannot be edited unnoticed")
	if err := t.show(ctx, "log"); err != nil {
		return err
	}
	return t.show(ctx, "log", "verify")
}

func (t *tour) title(text string) {
	fmt.Fprintf(t.out, "\n%s\n%s\n", text, strings.Repeat("-", len(text)))
}

func (t *tour) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

// ask waits for Enter, where there is somebody to press it.
func (t *tour) ask(ctx context.Context, prompt string) {
	fmt.Fprint(t.out, prompt)
	if t.keys == nil {
		fmt.Fprintln(t.out, "(no terminal: the tour goes on by itself)")
		return
	}
	select {
	case <-t.keys:
	case <-ctx.Done():
		fmt.Fprintln(t.out)
	}
}
