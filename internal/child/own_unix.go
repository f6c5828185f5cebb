//go:build unix

package child

// The terminal, and signals to a group (Unix).

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// foreground has the child's group take over the terminal.
func foreground(a *syscall.SysProcAttr, tty *os.File) {
	a.Foreground, a.Ctty = true, int(tty.Fd())
}

// reclaim takes the terminal back. Whoever is not in its foreground would be stopped for
// asking, which is ignored for the moment.
func reclaim(tty *os.File) {
	if tty == nil {
		return
	}
	signal.Ignore(syscall.SIGTTOU)
	_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPGRP, unix.Getpgrp()) // a terminal that has gone needs nobody
	signal.Reset(syscall.SIGTTOU)
}

// Terminal is the terminal of this process if it is in its foreground, else nil. The
// caller closes it.
func Terminal() *os.File {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	if front, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP); err != nil || front != unix.Getpgrp() {
		tty.Close()
		return nil
	}
	return tty
}

// Stop ends the child and its group as Stop does, if it has not ended.
func (o *Owned) Stop(ctx context.Context, grace time.Duration) error {
	o.group.mu.Lock()
	over := o.group.over
	o.group.mu.Unlock()
	if over {
		return nil
	}
	return Stop(ctx, o.PID, grace)
}

// signal hands a signal on to the group, while it is the child's.
func (g *group) signal(s os.Signal) {
	number, ok := s.(syscall.Signal)
	g.mu.Lock()
	defer g.mu.Unlock()
	if ok && !g.over {
		_ = syscall.Kill(-g.pid, number)
	}
}

func signalNumber(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal())
	}
	return 0
}
