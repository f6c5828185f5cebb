package peer

// Linux: SO_PEERCRED, a pidfd against reused numbers, and /proc.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"assent"
)

const maxEnviron = 16 << 20 // more than any kernel lets a process have

// ofSocket reads the credentials, then the process, then makes sure by the
// socket's own pidfd that the process read was the one that connected.
func ofSocket(fd int) (assent.Process, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return assent.Process{UID: -1}, fmt.Errorf("peer: credentials: %w", err)
	}
	unknown := assent.Process{UID: int(cred.Uid)}
	e, err := look(int(cred.Pid))
	if err != nil {
		return unknown, err
	}
	pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
	switch err {
	case nil:
		defer unix.Close(pidfd)
		if unix.PidfdSendSignal(pidfd, 0, nil, 0) == unix.ESRCH {
			return unknown, noProcess(int(cred.Pid))
		}
	case unix.ESRCH:
		return unknown, noProcess(int(cred.Pid))
	default: // a kernel before 6.5: the number and start time must do
	}
	e.UID = int(cred.Uid)
	return e.Process, nil
}

// look reads /proc/PID/stat: "pid (name) state ppid pgrp session tty … starttime".
// The name may hold spaces and parentheses; the last ")" ends it.
func look(pid int) (entry, error) {
	if pid <= 0 {
		return entry{}, noProcess(pid)
	}
	dir := "/proc/" + strconv.Itoa(pid)
	raw, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return entry{}, noProcess(pid)
	}
	e, ok := parseStat(raw)
	if !ok || e.PID != pid {
		return entry{}, noProcess(pid)
	}
	e.Boot = bootID()
	e.UID = owner(dir)
	return e, nil
}

// program is the file that a process runs, "" where that is not ours to see.
func program(pid int) string {
	file, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	return file
}

func owner(dir string) int {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return -1
	}
	return int(st.Uid)
}

// The places of fields in /proc/PID/stat after the name, from 0. A process that
// has ended and waits for its parent (state Z or X) is gone.
const (
	statState, statParent, statGroup, statSession, statTTY, statStart = 0, 1, 2, 3, 4, 19
)

func parseStat(raw []byte) (entry, bool) {
	open, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if open < 1 || end < open {
		return entry{}, false
	}
	f := strings.Fields(string(raw[end+1:]))
	if len(f) <= statStart || f[statState] == "Z" || f[statState] == "X" {
		return entry{}, false
	}
	var bad error
	num := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			bad = err
		}
		return n
	}
	start, err := strconv.ParseUint(f[statStart], 10, 64)
	e := entry{parent: num(f[statParent]), name: string(raw[open+1 : end])}
	e.PID = num(strings.TrimSpace(string(raw[:open])))
	e.Group, e.SID, e.TTY = num(f[statGroup]), num(f[statSession]), num(f[statTTY])
	e.Start = start
	return e, bad == nil && err == nil
}

// environ returns the environment the process was started with, or nil if it is
// not ours to read.
func environ(pid int) []string {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, _ := io.ReadAll(io.LimitReader(f, maxEnviron))
	return strings.Split(string(raw), "\x00")
}

var bootID = sync.OnceValue(func() string {
	raw, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(bytes.TrimSpace(raw))
})
