package peer

// Line: a process and its parents in words, for the log: when somebody asks who that was,
// they are gone.

import (
	"fmt"

	"assent"
)

const (
	maxTold    = 16  // processes of a line that are told
	maxProgram = 200 // bytes of a program's path that are told
)

// Line is the process and its parents as they are now, nearest first: the number of each,
// and the file of its program, where the system tells that. A process that is gone has
// none. It may be called concurrently.
func Line(p assent.Process) []string {
	w := here()
	e, ok := w.living(p)
	if !ok {
		return nil
	}
	line := []string{told(e.Process)}
	for up := range w.above(e) {
		if len(line) == maxTold {
			break
		}
		line = append(line, told(up))
	}
	return line
}

func told(p assent.Process) string {
	name := program(p.PID)
	return fmt.Sprintf("%d %s", p.PID, name[:min(len(name), maxProgram)])
}
