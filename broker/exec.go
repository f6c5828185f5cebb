package broker

// Exec: a program is run, if it may be, and as it was approved.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"assent"
	"assent/internal/child"
	"assent/internal/peer"
)

// Command is a program to run.
type Command struct {
	Argv []string
	Dir  string   // "" = that of this process
	Env  []string // names of the caller's variables that it is given beside the fixed ones

	// What it reads; nil = nothing. With BindStdin all of it is read before, and is part
	// of what is approved; else it is whatever comes. Only an *os.File is handed on as it
	// is, and so are Stdout and Stderr; nil drops what it writes.
	Stdin          io.Reader
	BindStdin      bool
	Stdout, Stderr io.Writer

	Foreground bool             // it takes over the terminal of this process, if that is in its foreground
	Signals    <-chan os.Signal // handed on to it; before its start the first ends the wait. nil = none
}

// Result is how a program ended.
type Result struct {
	Exit    int    `json:"exit"`             // -1 when a signal ended it
	Signal  string `json:"signal,omitempty"` // that signal's name
	Number  int    `json:"-"`                // and number
	Started bool   `json:"started"`
	Call    string `json:"call,omitempty"`
	Grant   string `json:"grant,omitempty"` // what was spent; empty = a rule allows it
	Out     int64  `json:"out,omitempty"`   // bytes that it wrote, where they passed through here
}

// Grace is how long a program that has to end may take before it is killed.
const Grace = 2 * time.Second

// Exec runs a program to its end. An error before its start is a *Refused, ErrChanged,
// or says what went wrong, and nothing was started (Result.Started). After the start the
// Result holds whatever the error: ErrRevoked, what ran was ended, for its grant was
// revoked meanwhile; or its end could not be recorded. When ctx ends, the program is
// ended.
//
// An interpreter opens a script by its path: what a script says is compared immediately
// before its interpreter starts, and a moment is left between the two. The same is true
// of the program itself where the system cannot start what is held open. What
// else a program loads, such as its libraries, is not bound.
func (b *Broker) Exec(ctx context.Context, c Command) (Result, error) {
	j, err := b.prepare(c)
	if err != nil {
		return Result{}, err
	}
	defer j.close()
	asking, heard := c.until(ctx)
	v, err := b.use(asking, j.ev)
	heard()
	if err != nil {
		return Result{}, err
	}
	r, err := j.run(ctx, v)
	r.Call, r.Grant = j.ev.Call, v.Grant
	return r, err
}

// until is a context that ends with a first signal, until the returned function is
// called: nobody waits any longer for an answer.
func (c Command) until(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c.Signals:
			cancel()
		case <-over:
		}
	}()
	return ctx, func() {
		close(over)
		<-done
		cancel()
	}
}

// run starts the program and waits for its end. Its use is spent: what cannot be started
// gives it back.
func (j *job) run(ctx context.Context, v assent.Verdict) (Result, error) {
	cmd, release, err := j.command(ctx)
	if err != nil {
		return Result{}, j.b.giveBack(ctx, j.ev, v, err)
	}
	var tty *os.File
	if j.c.Foreground {
		tty = child.Terminal()
		defer tty.Close() // which nil takes
	}
	p, err := child.Own(cmd, tty, j.b.Guard)
	release()
	if err != nil {
		return Result{}, j.b.giveBack(ctx, j.ev, v, err)
	}
	r := Result{Started: true}
	over := j.watch(ctx, p)
	begun := j.begin(ctx, v, p)
	r.Exit, r.Number, r.Signal = p.Wait()
	over()
	r.Out = j.out.n.Load()
	return r, errors.Join(begun(), j.b.ended(ctx, assent.End{
		Session: v.Session, Call: j.ev.Call, Digest: v.Digest, Started: true, Exit: r.Exit, Out: r.Out, Note: r.Signal,
	}))
}

// soon is how long a program has run when assent hears that it does: of what is over by
// then it hears the end alone. A revocation comes no later for it: who ends what runs
// has no less time to wait for what was allowed and is not started yet.
const soon = 2 * time.Millisecond

// begin tells that it runs, as soon as it has for a moment. The returned function says
// that it has ended, and returns what went wrong.
func (j *job) begin(ctx context.Context, v assent.Verdict, p *child.Owned) (ended func() error) {
	if v.Grant == "" { // what a rule allows no revocation ends, so nobody has to know
		return func() error { return nil }
	}
	over, done := make(chan struct{}), make(chan error, 1)
	go func() {
		select {
		case <-over:
			done <- nil
		case <-time.After(soon):
			done <- j.tell(ctx, v, p)
		}
	}()
	return func() error {
		close(over)
		return <-done
	}
}

// tell tells that it runs. What may not go on is ended.
func (j *job) tell(ctx context.Context, v assent.Verdict, p *child.Owned) error {
	s := assent.Start{Session: v.Session, Call: j.ev.Call, Digest: v.Digest}
	if leader, err := peer.Inspect(p.PID); err == nil { // else it is over by now
		s.Child = &leader
	}
	err := j.b.Gate.Begin(ctx, s)
	if err != nil {
		err = errors.Join(err, p.Stop(ctx, Grace))
	}
	return err
}

// watch ends the program with ctx, and hands signals on to it, until the returned
// function is called.
func (j *job) watch(ctx context.Context, p *child.Owned) (over func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		cancelled := ctx.Done()
		for {
			select {
			case s := <-j.c.Signals:
				p.Signal(s)
			case <-cancelled:
				cancelled = nil
				_ = p.Stop(context.WithoutCancel(ctx), Grace)
			case <-ended:
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}

// command is what is started: what was approved, if it still is that.
func (j *job) command(ctx context.Context) (*exec.Cmd, func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if err := j.unchanged(); err != nil {
		return nil, nil, err
	}
	argv := j.argv()
	path, release, err := j.program().steady()
	if err != nil {
		return nil, nil, err
	}
	cmd := &exec.Cmd{Path: path, Args: argv, Env: j.env, Dir: j.dir.start()}
	if j.stdin != nil {
		cmd.Stdin = j.stdin
	} else if j.c.Stdin != nil {
		cmd.Stdin = j.c.Stdin
	}
	cmd.Stdout, cmd.Stderr = j.out.seen(j.c.Stdout), j.out.seen(j.c.Stderr)
	return cmd, release, nil
}
