//go:build unix

package child

// Groups: a child with all that it started, and its end (Unix).

import (
	"os"
	"sync"
	"syscall"
)

// pipeRoom is what a fresh pipe takes without anybody reading.
const pipeRoom = 4096

// group is a child and what it started.
type group struct {
	pid     int
	unwatch func()

	mu     sync.Mutex
	over   bool
	killed bool
}

func adopt(p *os.Process) *group { return &group{pid: p.Pid} }

// kill ends all of the group, and whoever of the child's line has left it.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return
	}
	g.killed = true
	_ = syscall.Kill(-g.pid, syscall.SIGSTOP) // so that nobody is born while we look
	strays := descendants(g.pid)
	killGroup(g.pid)
	for _, pid := range strays {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// close says that the child has ended, and reports whether it was killed. Its number
// may be another's from now on.
func (g *group) close() bool {
	g.unwatch()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	return g.killed
}

func killGroup(pgid int) { _ = syscall.Kill(-pgid, syscall.SIGKILL) }

// apart are the attributes of a helper that must outlive this process.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
