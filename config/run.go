package config

// The server: the main job. One process holds the home's lock and opens its
// doors.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"assent"
	"assent/engine"
	"assent/serve"
)

const (
	sweepAgain = 5 * time.Second // before what failed is tried again
	advisors   = 8               // requests that are put to approvers at once
)

// Opened is what a server listens on.
type Opened struct {
	Socket string `json:"socket"`         // where hooks ask; those of the other facets are beside it
	HTTP   string `json:"http,omitempty"` // base URL; empty = off
	Tokens string `json:"tokens"`         // directory of the tokens, a file for each facet
	Note   string `json:"note,omitempty"` // what is not as configured
}

// Server is a home's server before it runs.
type Server struct {
	Home    Home
	Version string
	Now     func() time.Time
	Ready   func(Opened) // called once, when the doors are open
	Trouble func(error)  // called for what fails while it runs, once for each failure in a row
}

// Run serves the home until ctx ends. ErrLocked names the process that serves it
// already.
func (s Server) Run(ctx context.Context) error {
	if err := s.Home.Make(); err != nil {
		return err
	}
	if err := makePrivate(s.Home.socketDir()); err != nil {
		return err
	}
	file, err := s.Home.Load()
	if err != nil {
		return err
	}
	release, err := s.Home.hold(ctx, s.Now())
	if err != nil {
		return err
	}
	e, mine, err := s.Home.open(ctx, file, s.Now, nil)
	if err != nil {
		return errors.Join(err, release())
	}
	err = s.serve(ctx, e, mine, file)
	return errors.Join(err, e.Store().Close(), mine.end(), release())
}

// serve opens the doors, and closes them when ctx has ended.
func (s Server) serve(ctx context.Context, e *engine.Engine, mine *users, file File) error {
	tokens, err := s.Home.EnsureTokens()
	if err != nil {
		return err
	}
	opened := Opened{Socket: s.Home.Socket(), Tokens: s.Home.Tokens()}
	web, err := listen(file.Listen, &opened)
	if err != nil {
		return err
	}
	doors := &serve.Server{Engine: e, Sockets: s.Home.Sockets(), HTTP: web, Tokens: tokens, Version: s.Version, Rules: s.Home.Rules(file)}
	if err := doors.Listen(); err != nil {
		return err
	}
	if err := note(ctx, e, s.Home, "started", opened); err != nil {
		return errors.Join(err, doors.Close())
	}
	if err := writeFile(s.Home.Address(), []byte(opened.HTTP+"\n"), 0o600); err != nil {
		return errors.Join(err, doors.Close())
	}
	if err := mine.announce(); err != nil {
		return errors.Join(err, doors.Close())
	}
	s.Ready(opened)
	err = s.run(ctx, e, mine, doors)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if dir := s.Home.socketDir(); dir != s.Home.Dir {
		_ = os.Remove(dir) // it held the sockets, and nothing else
	}
	return errors.Join(err, note(last, e, s.Home, "stopped", opened), removed(os.Remove(s.Home.Address())))
}

// run serves and sweeps, tells hooks and asks approvers until ctx ends or the doors
// fail.
func (s Server) run(ctx context.Context, e *engine.Engine, mine *users, doors *serve.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	for _, work := range []func(){
		func() { s.again(ctx, e.Run) },
		func() { s.again(ctx, func(ctx context.Context) error { return e.Advise(ctx, advisors) }) },
		func() { s.again(ctx, func(ctx context.Context) error { return mine.run(ctx, e) }) },
		func() { s.again(ctx, func(ctx context.Context) error { return watchClock(ctx, e, mine.clock) }) },
	} {
		beside.Go(work)
	}
	err := doors.Run(ctx)
	cancel()
	beside.Wait()
	return err
}

// again does what runs until ctx ends. A store that fails meanwhile is no reason to
// stop: until it is mended every call is denied, and then it goes on.
func (s Server) again(ctx context.Context, work func(context.Context) error) {
	said := ""
	for ctx.Err() == nil {
		began := time.Now()
		err := work(ctx)
		if time.Since(began) > 2*sweepAgain {
			said = "" // it went well in between
		}
		if err != nil && ctx.Err() == nil && err.Error() != said {
			said = err.Error()
			s.Trouble(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(sweepAgain):
		}
	}
}

// listen opens the HTTP door. An address that cannot be had is no reason not to
// start: any free port does, and the note says so.
func listen(addr string, o *Opened) (net.Listener, error) {
	if addr == "off" {
		return nil, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		host, _, _ := net.SplitHostPort(addr) // Load has seen to it that it is one
		o.Note = fmt.Sprintf("%s could not be had (%v); another port is used", addr, err)
		if errors.Is(err, syscall.EADDRINUSE) {
			o.Note = addr + " is in use; another port is used"
		}
		if l, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
	}
	o.HTTP = "http://" + l.Addr().String()
	return l, nil
}

// note records that the server started or stopped.
func note(ctx context.Context, e *engine.Engine, h Home, what string, o Opened) error {
	data, err := json.Marshal(struct {
		PID    int    `json:"pid"`
		Home   string `json:"home"`
		Socket string `json:"socket"`
		HTTP   string `json:"http,omitempty"`
	}{os.Getpid(), filepath.Base(h.Dir), o.Socket, o.HTTP})
	if err != nil {
		return err
	}
	_, err = e.Store().Append(ctx, assent.Draft{Record: assent.Record{
		At: e.Now(), Kind: assent.KindServe, Note: what, Data: data,
	}})
	return err
}
