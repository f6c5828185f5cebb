package peer

// macOS: LOCAL_PEERCRED, LOCAL_PEERPID and sysctl.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"assent"
)

func ofSocket(fd int) (assent.Process, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return assent.Process{UID: -1}, fmt.Errorf("peer: credentials: %w", err)
	}
	unknown := assent.Process{UID: int(cred.Uid)}
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return unknown, noProcess(0)
	}
	e, err := look(pid)
	if err != nil {
		return unknown, err
	}
	e.UID = int(cred.Uid)
	return e.Process, nil
}

// look asks the kernel's process table. Start is in microseconds since 1970.
func look(pid int) (entry, error) {
	if pid <= 0 {
		return entry{}, noProcess(pid)
	}
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return entry{}, noProcess(pid)
	}
	started := k.Proc.P_starttime
	e := entry{parent: int(k.Eproc.Ppid), name: unix.ByteSliceToString(k.Proc.P_comm[:])}
	e.PID, e.UID, e.Boot = pid, int(k.Eproc.Ucred.Uid), bootID()
	e.Start = uint64(started.Sec)*1_000_000 + uint64(started.Usec)
	e.Group = int(k.Eproc.Pgid)
	e.SID, _ = unix.Getsid(pid)
	if k.Eproc.Tdev != -1 { // NODEV: no terminal
		e.TTY = int(k.Eproc.Tdev)
	}
	return e, nil
}

// program is the name of the file that a process runs.
func program(pid int) string {
	e, _ := look(pid) // on failure it has no name
	return e.name
}

// environ reads kern.procargs2: a count of arguments, the program's path, NULs,
// the arguments, then the environment.
func environ(pid int) []string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < 4 {
		return nil
	}
	args := int(binary.LittleEndian.Uint32(raw))
	_, rest, ok := bytes.Cut(raw[4:], []byte{0})
	words := strings.Split(strings.TrimLeft(string(rest), "\x00"), "\x00")
	if !ok || args < 0 || args > len(words) {
		return nil
	}
	return words[args:]
}

var bootID = sync.OnceValue(func() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
})
