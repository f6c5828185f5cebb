//go:build unix && !linux

package broker

// The umask of this process, which can only be told by setting it.

import (
	"fmt"
	"sync"
	"syscall"
)

var asking sync.Mutex

func umask() string {
	asking.Lock()
	defer asking.Unlock()
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return fmt.Sprintf("%04o", mask)
}
