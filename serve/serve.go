// Package serve is assent's doors: a unix socket and HTTP on loopback, with one
// API behind both, and the Client that speaks it.
//
// It never decides anything, and never believes what a peer says of itself: who
// is at the other end is what the kernel and the token say. It keeps nothing
// that would be missed after a restart.
//
//	s := &serve.Server{Engine: e, Socket: path, HTTP: listener, Token: token}
//	err := s.Run(ctx)          // until ctx ends
//
//	c := serve.Dial(path)      // in another process
//	v, err := c.Handle(ctx, event)
package serve

// The Server: what it is made of, and its life from Listen to the end of Run.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"assent"
)

// Engine is what the doors lead to. *engine.Engine is one.
type Engine interface {
	assent.Decider
	Check(ctx context.Context, e assent.Event) (assent.Case, assent.Verdict)
	Answer(ctx context.Context, a assent.Answer) (assent.Request, error)
	Revoke(ctx context.Context, r assent.Revocation) ([]assent.Grant, error)
	Forward(ctx context.Context, f assent.Forwarding) (assent.Grant, error)
	Enroll(ctx context.Context, n assent.Enrollment) error
	Refuse(ctx context.Context, note string, p *assent.Peer) error
	Changed() <-chan struct{}
	Store() assent.Store
	Now() time.Time
	Boot() string
}

// Bounds and limits of the doors (law 12).
const (
	DefaultPolls   = 1024
	DefaultStreams = 64

	maxConns    = 2048             // open connections of one door
	maxHeader   = 16 << 10         // bytes of a request's head
	headTime    = 5 * time.Second  // for a request's head to arrive
	bodyTime    = 10 * time.Second // for its body
	replyTime   = 30 * time.Second // for a reply to be taken
	idleTime    = time.Minute      // between requests
	grace       = 3 * time.Second  // for requests under way when the server stops
	beat        = 15 * time.Second // between signs of life on a stream
	maxHold     = time.Minute      // of one long poll
	defaultHold = 55 * time.Second
)

// Server opens the doors to one engine. Fields are set before Listen and not
// changed after. The caller holds the lock of assent's home: that is what makes
// a socket nobody answers on a stale one.
type Server struct {
	Engine  Engine
	Socket  string       // path of the unix socket
	HTTP    net.Listener // on loopback; nil = that door stays shut
	Token   string       // what HTTP requests must bear; required with HTTP
	Version string       // of the program, for /healthz
	Rules   Rules        // for /healthz
	Polls   int          // most long polls at once; 0 = DefaultPolls
	Streams int          // most streams at once; 0 = DefaultStreams

	unix    net.Listener
	handler http.Handler
	doors   []*http.Server
	open    conns
	polls   chan struct{}
	streams chan struct{}
	stopped context.Context
	stop    context.CancelFunc
	started time.Time
	seen    agents
	tried   limiter
	pending gauge

	patience time.Duration // how long a reader may take nothing; 0 = replyTime
}

// Listen opens the doors without serving yet: callers who connect wait. It
// closes HTTP when it fails. ErrLocked: somebody answers on the socket.
// ErrInvalid: a path that is too long, an address that is not loopback, no token.
func (s *Server) Listen() error {
	err := s.checkHTTP()
	if err == nil {
		s.unix, err = listenUnix(s.Socket)
	}
	if err != nil {
		if s.HTTP != nil {
			s.HTTP.Close()
		}
		return err
	}
	s.polls = make(chan struct{}, orDefault(s.Polls, DefaultPolls))
	s.streams = make(chan struct{}, orDefault(s.Streams, DefaultStreams))
	s.started = s.Engine.Now()
	s.handler = s.routes()
	return nil
}

func (s *Server) checkHTTP() error {
	if s.HTTP == nil {
		return nil
	}
	addr, ok := s.HTTP.Addr().(*net.TCPAddr)
	switch {
	case !ok || !addr.IP.IsLoopback():
		return fmt.Errorf("HTTP would listen on %s, which is not loopback: %w", s.HTTP.Addr(), assent.ErrInvalid)
	case s.Token == "":
		return fmt.Errorf("HTTP has no token, so it stays shut: %w", assent.ErrInvalid)
	}
	return nil
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// Close shuts the doors of a server that Listen opened and Run never served.
func (s *Server) Close() error {
	var errs []error
	for _, l := range []net.Listener{s.unix, s.HTTP} {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Run serves until ctx ends, then lets requests under way finish: long polls and
// streams return at once. It listens first if Listen was not called. When it
// returns, no goroutine of the server is left.
func (s *Server) Run(ctx context.Context) error {
	if s.unix == nil {
		if err := s.Listen(); err != nil {
			return err
		}
	}
	// Requests outlive ctx for the grace that stop gives them.
	base := context.WithoutCancel(ctx)
	s.stopped, s.stop = context.WithCancel(base)
	defer s.stop()
	failed := make(chan error, 2)
	s.admit(base, s.unix, s.atSocket(), failed)
	if s.HTTP != nil {
		s.admit(base, s.HTTP, s.atLoopback(), failed)
	}
	var first error
	left := len(s.doors)
	select {
	case <-ctx.Done():
	case first = <-failed:
		left--
	}
	s.shut(base)
	for ; left > 0; left-- {
		first = errors.Join(first, <-failed)
	}
	s.open.Wait()
	return first
}

// admit serves one door on a goroutine that ends with one send on failed.
func (s *Server) admit(base context.Context, l net.Listener, h http.Handler, failed chan<- error) {
	d := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          silent,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext:       withCaller,
		ConnState:         s.open.follow,
	}
	s.doors = append(s.doors, d)
	go func() {
		err := d.Serve(bounded(l, maxConns))
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		failed <- err
	}()
}

// shut ends every door: politely for the time of grace, then at once.
func (s *Server) shut(base context.Context) {
	s.stop()
	s.open.dropUnused()
	ctx, cancel := context.WithTimeout(base, grace)
	defer cancel()
	var wg sync.WaitGroup
	for _, d := range s.doors {
		wg.Go(func() {
			if d.Shutdown(ctx) != nil {
				d.Close()
			}
		})
	}
	wg.Wait()
}
