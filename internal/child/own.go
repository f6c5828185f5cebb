package child

// Own: a child that its caller has prepared itself, with what it reads and writes.

import (
	"os"
	"os/exec"
)

// Owned is a running child. Its methods may be called from any goroutine; Wait must be
// called, once.
type Owned struct {
	PID   int
	cmd   *exec.Cmd
	group *group
	tty   *os.File
}

// Own starts a command in a group of its own, which dies with this process, as children
// of Run do. With tty, the terminal of this process, the group is in its foreground until
// Wait returns. The errors are those of Run. cmd.WaitDelay bounds how long its output is
// waited for after its own end; 0 = Grace.
func Own(cmd *exec.Cmd, tty *os.File, guard *Guard) (*Owned, error) {
	cmd.SysProcAttr = attributes()
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = Grace
	}
	if tty != nil {
		foreground(cmd.SysProcAttr, tty)
	}
	g, err := start(cmd, guard)
	if err != nil {
		reclaim(tty)
		return nil, err
	}
	return &Owned{PID: cmd.Process.Pid, cmd: cmd, group: g, tty: tty}, nil
}

// Signal hands a signal on to all of the group. A child that has ended hears nothing.
func (o *Owned) Signal(s os.Signal) { o.group.signal(s) }

// Wait returns when the child has ended: its exit status, or -1 and the signal's number
// and name.
func (o *Owned) Wait() (exit, signal int, name string) {
	_ = o.cmd.Wait() // the state has it all; what could not be read or written is the child's affair
	o.group.close()
	reclaim(o.tty)
	exit, name = ended(o.cmd.ProcessState)
	return exit, signalNumber(o.cmd.ProcessState), name
}
