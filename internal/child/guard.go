package child

// Guard: a helper process that kills what runs if this process is killed itself.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// slow is how long a child must have run for the guard to hear of it: the quick ones
// never pay for a helper.
const slow = 50 * time.Millisecond

// Guard watches over children by a helper process, which it starts when the first
// slow child needs it and keeps. The zero Guard, and a nil one, is no guard. It may
// be used concurrently.
type Guard struct {
	Command []string // runs Reap on its standard input; empty = no guard

	mu     sync.Mutex
	groups map[int]bool
	helper *os.Process
	pipe   io.WriteCloser
	died   chan struct{} // closed when the helper has ended
}

// watch has the guard know of a process group until the returned function is called.
func (g *Guard) watch(pgid int) (done func()) {
	if g == nil || len(g.Command) == 0 {
		return func() {}
	}
	over := false // under g.mu
	t := time.AfterFunc(slow, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if !over {
			g.add(pgid)
		}
	})
	return func() {
		t.Stop()
		g.mu.Lock()
		defer g.mu.Unlock()
		over = true
		g.drop(pgid)
	}
}

func (g *Guard) add(pgid int) {
	if g.groups == nil {
		g.groups = map[int]bool{}
	}
	g.groups[pgid] = true
	if g.lives() && g.tell('+', pgid) == nil {
		return
	}
	g.restart() // and if that fails, the child has its parent-death signal left
}

func (g *Guard) lives() bool {
	select {
	case <-g.died:
		return false
	default:
		return g.helper != nil
	}
}

func (g *Guard) drop(pgid int) {
	if g.groups[pgid] && g.pipe != nil {
		_ = g.tell('-', pgid) // a helper that is gone kills nothing
	}
	delete(g.groups, pgid)
}

func (g *Guard) tell(sign byte, pgid int) error {
	_, err := fmt.Fprintf(g.pipe, "%c%d\n", sign, pgid)
	return err
}

// restart starts a helper in the place of one that died, or of none. It finds the list
// in its pipe: there is no moment at which it runs and knows nothing.
func (g *Guard) restart() {
	g.end()
	theirs, ours, err := os.Pipe()
	if err != nil {
		return
	}
	defer theirs.Close()
	g.pipe = ours
	for pgid := range g.groups {
		_ = g.tell('+', pgid)
	}
	cmd := exec.Command(g.Command[0], g.Command[1:]...)
	cmd.Stdin, cmd.SysProcAttr = theirs, apart()
	if err := cmd.Start(); err != nil {
		g.end()
		return
	}
	died := make(chan struct{})
	g.helper, g.died = cmd.Process, died
	go func() {
		defer close(died)
		_ = cmd.Wait()
	}()
}

func (g *Guard) end() {
	if g.pipe != nil {
		g.pipe.Close()
	}
	if g.helper != nil {
		<-g.died
	}
	g.helper, g.pipe = nil, nil
}

// Close ends the helper, which kills whatever is still watched. The Guard can be used
// again.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
}

// Reap is what the helper process does: it reads "+PGID" and "-PGID" from r, one a
// line, and when r ends it kills every process group that is still listed. It ignores
// the signals that ask a process to end: only the end of r ends it.
func Reap(r io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	groups := map[int]bool{}
	for in := bufio.NewScanner(r); in.Scan(); {
		line := in.Text()
		if len(line) < 2 {
			continue
		}
		pgid, err := strconv.Atoi(line[1:])
		switch {
		case err != nil || pgid <= 1: // -1 would be everybody
		case line[0] == '+':
			groups[pgid] = true
		case line[0] == '-':
			delete(groups, pgid)
		}
	}
	for pgid := range groups {
		killGroup(pgid)
	}
}
