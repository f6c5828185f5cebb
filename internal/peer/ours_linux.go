package peer

// Ours, where /proc says what a process runs.

import (
	"os"
	"strconv"

	"assent"
)

// Ours reports whether the living process runs the very program file that this one
// does. A program that was replaced meanwhile is another one.
func Ours(p assent.Process) bool {
	mine, err := os.Stat("/proc/self/exe")
	if err != nil {
		return false
	}
	its, err := os.Stat("/proc/" + strconv.Itoa(p.PID) + "/exe")
	return err == nil && os.SameFile(mine, its) && Lives(p) // Lives last: then it was that process's
}
