package child

// Start: a child that lives long and is spoken with, such as an interpreter.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Proc is a running child. Stdin and Stdout are the caller's to use, from one
// goroutine each; Wait must be called, once.
type Proc struct {
	PID    int
	Stdin  io.WriteCloser
	Stdout io.Reader // ends soon after the child did, whoever holds its other end

	cmd    *exec.Cmd
	group  *group
	stdout *os.File
	errs   *lines
	stop   func() bool
	from   time.Time
	once   sync.Once
	result Result
}

// Start starts a child. It is killed, with all of its group, when the context ends.
// Its standard error goes to Spec.OnLine, from one goroutine; Stdin, Timeout, MaxOut
// and MaxErr of the Spec mean nothing here. Errors are those of Run.
func Start(ctx context.Context, s Spec) (*Proc, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd, err := command(s)
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("standard output: %w", err)
	}
	p := &Proc{Stdin: in, Stdout: ours, cmd: cmd, stdout: ours, errs: &lines{take: s.OnLine}, from: time.Now()}
	cmd.Stdout, cmd.Stderr = theirs, p.errs
	p.group, err = start(cmd, s.Guard)
	theirs.Close()
	if err != nil {
		in.Close()
		ours.Close()
		return nil, err
	}
	p.PID = cmd.Process.Pid
	p.stop = context.AfterFunc(ctx, p.group.kill)
	return p, nil
}

// Kill ends the child and all of its group. It may be called at any time, from any
// goroutine, and more than once.
func (p *Proc) Kill() { p.group.kill() }

// Wait returns when the child has ended, by itself or by Kill. Stdout then ends
// within Grace for whoever still reads it, and Stdin is closed.
func (p *Proc) Wait() Result {
	p.once.Do(func() {
		_ = p.cmd.Wait()
		p.stop()
		p.group.close()
		p.errs.flush()
		if err := p.stdout.SetReadDeadline(time.Now().Add(Grace)); errors.Is(err, os.ErrNoDeadline) {
			p.stdout.Close() // no such thing here: what was not read by now is lost
		}
		p.result.Took = time.Since(p.from)
		p.result.Exit, p.result.Signal = ended(p.cmd.ProcessState)
	})
	return p.result
}
