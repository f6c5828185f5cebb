package child

// Groups on Linux: children die with their parent, and their line can be read.

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// attributes of a child: a group of its own, and no life after ours.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// descendants are the children of a process, their children, and so on, whatever
// groups they are in.
func descendants(pid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, e := range entries {
		if child, err := strconv.Atoi(e.Name()); err == nil {
			parent := parentOf(e.Name())
			children[parent] = append(children[parent], child)
		}
	}
	line := []int{pid}
	for i := 0; i < len(line); i++ {
		line = append(line, children[line[i]]...)
	}
	return line[1:]
}

// peopled reports whether any of a process group still runs: one that has ended, and
// that nobody has asked about yet, does not.
func peopled(pgid int) bool {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return true
	}
	for _, e := range entries {
		f := status(e.Name())
		if len(f) > 2 && string(f[2]) == strconv.Itoa(pgid) && f[0][0] != 'Z' && f[0][0] != 'X' {
			return true
		}
	}
	return false
}

// parentOf is the parent of a process, or 0.
func parentOf(pid string) int {
	f := status(pid)
	if len(f) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(f[1]))
	return parent
}

// status are the fields of a process's stat from its state on, or none. Its name, which
// may hold anything, ends at the last parenthesis.
func status(pid string) [][]byte {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}
