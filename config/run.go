package config

// Serve: the main job. One process holds the home's lock and opens its doors.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assent"
	"assent/engine"
	"assent/serve"
)

// Opened is what a server listens on.
type Opened struct {
	Socket string `json:"socket"`
	HTTP   string `json:"http,omitempty"` // base URL; empty = off
	Token  string `json:"token_file,omitempty"`
	Note   string `json:"note,omitempty"` // what is not as configured
}

// Serve runs the home's server until ctx ends. ready is called once, when the
// doors are open. ErrLocked names the process that serves this home already.
func Serve(ctx context.Context, h Home, version string, now func() time.Time, ready func(Opened)) error {
	if err := h.Make(); err != nil {
		return err
	}
	release, err := h.hold(fmt.Sprintf("assent serve (pid %d, since %s)", os.Getpid(), now().Format(time.RFC3339)))
	if err != nil {
		return err
	}
	e, err := h.open(ctx, now, nil)
	if err != nil {
		return errors.Join(err, release())
	}
	err = h.serve(ctx, e, version, ready)
	return errors.Join(err, e.Store().Close(), release())
}

func (h Home) serve(ctx context.Context, e *engine.Engine, version string, ready func(Opened)) error {
	token, err := h.EnsureToken()
	if err != nil {
		return err
	}
	file, err := Load(h.Config())
	if err != nil {
		return err
	}
	opened := Opened{Socket: h.Socket(), Token: h.Token()}
	web, err := listen(file.Listen, &opened)
	if err != nil {
		return err
	}
	s := serve.Server{Engine: e, Socket: h.Socket(), HTTP: web, Token: token, Version: version}
	if err := s.Listen(); err != nil {
		return err
	}
	if err := h.note(ctx, e, "started", opened); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := writeFile(h.Address(), []byte(opened.HTTP+"\n"), 0o600); err != nil {
		return errors.Join(err, s.Close())
	}
	ready(opened)
	err = h.run(ctx, e, &s)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, h.note(last, e, "stopped", opened))
}

// run serves and sweeps until ctx ends or either fails.
func (h Home) run(ctx context.Context, e *engine.Engine, s *serve.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	swept := make(chan error, 1)
	go func() {
		defer cancel()
		swept <- e.Run(ctx)
	}()
	err := s.Run(ctx)
	cancel()
	return errors.Join(err, <-swept)
}

// listen opens the HTTP door. A taken port is no reason not to start: any free
// one does, and the note says so.
func listen(addr string, o *Opened) (net.Listener, error) {
	if addr == "off" || addr == "" {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(strings.Trim(host, "[]")); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen: %q is not a loopback address with a port, such as 127.0.0.1:7070: %w", addr, assent.ErrInvalid)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		o.Note = fmt.Sprintf("%s is taken; another port was used", addr)
		if l, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
	}
	o.HTTP = "http://" + l.Addr().String()
	return l, nil
}

// note records that the server started or stopped.
func (h Home) note(ctx context.Context, e *engine.Engine, what string, o Opened) error {
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
