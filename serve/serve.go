// Package serve is assent's doors: a unix socket for each facet, and HTTP on loopback
// with a token for each, with one API behind them, and the Client that speaks it.
//
// It never decides anything, and never believes what a peer says of itself: who
// is at the other end is what the kernel and the token say. It keeps nothing
// that would be missed after a restart.
//
//	s := &serve.Server{Engine: e, Sockets: paths, HTTP: listener, Tokens: tokens}
//	err := s.Run(ctx)                // until ctx ends
//
//	c := serve.Dial(paths, genuine)  // in another process
//	v, err := c.Handle(ctx, event)
package serve

// The Server: what it is made of, and its life from Listen to the end of Run.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"assent"
)

// Engine is what the doors lead to. *engine.Engine is one.
type Engine interface {
	assent.Decider
	Check(ctx context.Context, e assent.Event) (assent.Case, assent.Verdict)
	Answer(ctx context.Context, a assent.Answer) (assent.Request, error)
	Revoke(ctx context.Context, r assent.Revocation) (assent.Revoked, error)
	Forward(ctx context.Context, f assent.Forwarding) (assent.Grant, error)
	Renew(ctx context.Context, r assent.Renewal) (assent.Grant, error)
	Hold(ctx context.Context, h assent.Handling) (handle string, held assent.Held, err error)
	Use(ctx context.Context, u assent.Use) (assent.Verdict, error)
	Begin(ctx context.Context, s assent.Start) error
	End(ctx context.Context, n assent.End) error
	Receipt(ctx context.Context, w assent.ReceiptWish) (string, error)
	Usable(ctx context.Context, p *assent.Peer) ([]assent.Grant, error)
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
// sockets that nobody answers on stale ones.
type Server struct {
	Engine  Engine
	Sockets PerFacet     // paths of the unix sockets
	HTTP    net.Listener // on loopback; nil = that door stays shut
	Tokens  PerFacet     // what HTTP requests must bear; required with HTTP
	Version string       // of the program, for /healthz
	Rules   Rules        // for /healthz
	Polls   int          // most long polls at once; 0 = DefaultPolls
	Streams int          // most streams at once; 0 = DefaultStreams

	unix    []net.Listener // one for each facet
	handler http.Handler
	doors   []*http.Server
	open    conns
	polls   chan struct{}
	streams chan struct{}
	stopped context.Context
	stop    context.CancelFunc
	started time.Time
	seen    agents
	pending gauge
	secret  string // of which the words are made that a process has to repeat

	patience time.Duration // how long a reader may take nothing; 0 = replyTime
}

// Listen opens the doors without serving yet: callers who connect wait. It
// closes HTTP when it fails. ErrLocked: somebody answers on the socket.
// ErrInvalid: a path that is too long, an address that is not loopback, a token that is
// missing or stands twice.
func (s *Server) Listen() error {
	err := s.checkHTTP()
	if err == nil {
		s.unix, err = listenAll(s.Sockets)
	}
	if err != nil {
		if s.HTTP != nil {
			s.HTTP.Close()
		}
		return err
	}
	s.polls = make(chan struct{}, orDefault(s.Polls, DefaultPolls))
	s.streams = make(chan struct{}, orDefault(s.Streams, DefaultStreams))
	s.started, s.secret = s.Engine.Now(), rand.Text()
	s.handler = s.routes()
	return nil
}

func (s *Server) checkHTTP() error {
	if s.HTTP == nil {
		return nil
	}
	addr, ok := s.HTTP.Addr().(*net.TCPAddr)
	tokens := slices.Sorted(slices.Values(s.Tokens[:]))
	switch {
	case !ok || !addr.IP.IsLoopback():
		return fmt.Errorf("HTTP would listen on %s, which is not loopback: %w", s.HTTP.Addr(), assent.ErrInvalid)
	case tokens[0] == "" || len(slices.Compact(tokens)) < len(s.Tokens):
		return fmt.Errorf("HTTP has no token of its own for each facet, so it stays shut: %w", assent.ErrInvalid)
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
	for _, l := range append(slices.Clone(s.unix), s.HTTP) {
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
	failed := make(chan error, len(s.unix)+1)
	for f, l := range s.unix {
		s.admit(base, l, s.atSocket(), &door{facet: Facet(f)}, failed)
	}
	if s.HTTP != nil {
		s.admit(base, s.HTTP, s.atLoopback(), &door{}, failed)
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
func (s *Server) admit(base context.Context, l net.Listener, h http.Handler, at *door, failed chan<- error) {
	d := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          silent,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext:       at.caller,
		ConnState:         s.open.follow,
	}
	s.doors = append(s.doors, d)
	go func() {
		err := d.Serve(bounded(l, maxConns, func(of assent.Process, pid int) { s.foreign(base, at, of, pid) }))
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
