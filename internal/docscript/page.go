// Package docscript runs the documentation: the commands that a page shows are
// typed into a real shell, and what the page says they print is compared with
// what they print. So a page that is wrong is a failing test.
//
// It reads ```console fences alone; other fences are for reading. It never
// changes a page.
//
//	steps, err := docscript.Parse(page) // "$ command" lines and their output
//	for _, s := range steps {
//		got, err := shell.Do(ctx, s)    // a Shell keeps its directory and variables
//		if !docscript.Match(s.Want, got) { … }
//	}
//
// Steps between "<!-- console" and "-->" are run too, and not shown to a reader:
// they prepare, and wait for what a reader would see happen.
//
// In a fence, "$ " starts a command and "> " continues it. A command that ends
// in " &" runs in the background, as if in another terminal. In the output "..." stands for any lines when
// it is a line, and for any characters within one.
package docscript

import (
	"fmt"
	"strings"
)

// Step is one command of a page and what it prints.
type Step struct {
	Line       int    // where it stands in the page, from 1
	Command    string // without the trailing " &"
	Want       []string
	Background bool
}

// Parse returns the steps of a page's console fences, in order. It is an error
// when a fence does not end, or begins with output.
func Parse(page string) ([]Step, error) {
	var steps []Step
	opened := 0 // the line of the fence we are in
	for i, line := range strings.Split(page, "\n") {
		n := i + 1
		line = strings.TrimRight(line, "\r")
		switch {
		case opened == 0:
			if line == "```console" || line == "<!-- console" {
				opened = n
			}
		case line == "```" || line == "-->":
			opened = 0
		case strings.HasPrefix(line, "$ "):
			steps = append(steps, Step{Line: n, Command: line[2:]})
		case len(steps) == 0 || steps[len(steps)-1].Line < opened:
			return nil, fmt.Errorf("line %d: a console fence begins with a command (\"$ …\")", n)
		default:
			s := &steps[len(steps)-1]
			if more, ok := strings.CutPrefix(line, "> "); ok && len(s.Want) == 0 {
				s.Command += "\n" + more
			} else {
				s.Want = append(s.Want, line)
			}
		}
	}
	if opened != 0 {
		return nil, fmt.Errorf("line %d: the console fence does not end", opened)
	}
	for i := range steps {
		steps[i].Command, steps[i].Background = strings.CutSuffix(steps[i].Command, " &")
	}
	return steps, nil
}
