package child

// A process of its own group.

import "syscall"

// Apart starts a process in a group of its own.
func Apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
