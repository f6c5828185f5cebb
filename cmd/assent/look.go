package main

// How the terminal is: what may be shown on it.

import (
	"os"

	"golang.org/x/term"

	"assent/surface/terminal"
)

// look returns how to draw for where the output goes.
func (a *app) look() terminal.Options {
	o := terminal.Options{Now: a.now()}
	f, ok := a.out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return o
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil {
		o.Width = w
	}
	o.Color = a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
	return o
}
