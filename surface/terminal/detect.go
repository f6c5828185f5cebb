package terminal

// Detect: what the terminal at hand is like.

import (
	"os"

	"golang.org/x/term"
)

// Detect returns Options for writing to f: its width, and colour where f is a
// terminal that wants it. env looks up an environment variable, so that NO_COLOR
// and TERM=dumb are heard. Where f is no terminal the Options are the zero ones.
func Detect(f *os.File, env func(string) string) Options {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Options{}
	}
	o := Options{Color: env("NO_COLOR") == "" && env("TERM") != "dumb"}
	if cols, _, err := term.GetSize(fd); err == nil {
		o.Width = cols
	}
	return o
}
