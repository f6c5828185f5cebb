package main

// How the terminal is: what may be shown on it.

import (
	"os"
	"strconv"
	"time"

	"assent/config"
	"assent/internal/peer"
	"assent/surface/terminal"
)

// look returns how to draw for where the output goes.
func (a *app) look() terminal.Options {
	var o terminal.Options
	if f, ok := a.out.(*os.File); ok {
		o = terminal.Detect(f, a.env)
	}
	o.Now, o.Boot, o.UID = a.now(), peer.BootID(), strconv.Itoa(os.Getuid())
	return o
}

// clock is the time as the home has it, which is not that of a wall clock that was set
// back.
func (a *app) clock() time.Time {
	h, err := config.Locate(a.env)
	if err != nil {
		return a.now()
	}
	return h.Clock(a.now).Now()
}
