package child

// Groups on Windows: a job object, which ends with this process.

import (
	"os"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pipeRoom is what a fresh pipe takes without anybody reading: nothing is promised.
const pipeRoom = 0

// group is a child and what it started.
type group struct {
	process *os.Process
	job     windows.Handle // 0 = could not be had: the child alone is killed
	unwatch func()

	mu     sync.Mutex
	over   bool
	killed bool
}

func adopt(p *os.Process) *group {
	g := &group{process: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, handle)
		windows.CloseHandle(handle)
	}
	if err != nil {
		windows.CloseHandle(job)
		return g
	}
	g.job = job
	g.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
	return g
}

func (g *group) limit(flags uint32) {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = flags
	_, _ = windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
}

// kill ends all of the job.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return
	}
	g.killed = true
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = g.process.Kill()
}

// close says that the child has ended, and reports whether it was killed. What it
// left behind lives on.
func (g *group) close() bool {
	g.unwatch()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	if g.job != 0 {
		g.limit(0)
		windows.CloseHandle(g.job)
		g.job = 0
	}
	return g.killed
}

// killGroup has nothing to do: jobs end with the process that held them.
func killGroup(int) {}

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}
