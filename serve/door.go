package serve

// The doors: what each lets pass before anything is read, and who is there.

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"assent"
	"assent/internal/peer"
)

// caller is who made a connection, as the door found out.
type caller struct {
	local   bool           // over a unix socket
	process assent.Process // PID 0: the process could not be told
	facet   Facet
	tried   *limiter // of its door
}

// principal is who an event of this caller acts for.
func (c caller) principal() string {
	if c.local {
		return fmt.Sprintf("uid:%d", c.process.UID)
	}
	return assent.PrincipalToken
}

// door is where connections are made.
type door struct {
	facet Facet // of a socket; over HTTP the token says it
	tried limiter
}

type callerKey struct{}

// caller looks at a connection once, when it is made.
func (d *door) caller(ctx context.Context, conn net.Conn) context.Context {
	who := caller{facet: d.facet, tried: &d.tried}
	if b, ok := conn.(*boundedConn); ok && b.unix != nil {
		who.local = true
		who.process, _ = peer.Of(b.unix) // on failure it carries the user alone
	}
	return context.WithValue(ctx, callerKey{}, who)
}

func callerOf(r *http.Request) caller {
	who, _ := r.Context().Value(callerKey{}).(caller)
	return who
}

// atSocket lets pass whoever runs as our own user, and to the granter's door nobody who
// leads to an agent.
func (s *Server) atSocket() http.Handler {
	return s.guard(func(r *http.Request, who *caller) error {
		if who.process.UID != os.Getuid() {
			return fmt.Errorf("the socket is for user %d, not for %d: %w", os.Getuid(), who.process.UID, assent.ErrForbidden)
		}
		if r.Header.Get("Origin") != "" {
			return fmt.Errorf("the socket is not for browsers: %w", assent.ErrForbidden)
		}
		if who.facet != Granter {
			return nil
		}
		p, err := s.stands(r.Context(), who.process)
		if err == nil && p.Agent != "" {
			err = &selfApproval{p.Agent}
		}
		return err
	})
}

// selfApproval is what an agent is told at the granter's door.
type selfApproval struct{ how string }

func (e *selfApproval) Error() string { return e.how + ": " + assent.ErrSelfApproval.Error() }
func (e *selfApproval) Unwrap() error { return assent.ErrSelfApproval }

// atLoopback lets pass whoever names this very door and bears a token, which says for
// which facet. The address a connection comes from proves nothing.
func (s *Server) atLoopback() http.Handler {
	port := s.HTTP.Addr().(*net.TCPAddr).Port
	var tokens [len(s.Tokens)][sha256.Size]byte
	for f, token := range s.Tokens {
		tokens[f] = sha256.Sum256([]byte(token))
	}
	return s.guard(func(r *http.Request, who *caller) error {
		if err := sameSite(r, port); err != nil {
			return err
		}
		given, ok := strings.CutPrefix(strings.Join(r.Header.Values("Authorization"), ", "), "Bearer ")
		sum, of := sha256.Sum256([]byte(given)), -1
		for f := range tokens {
			if subtle.ConstantTimeCompare(sum[:], tokens[f][:]) == 1 {
				of = f
			}
		}
		switch {
		case ok && of >= 0:
			who.facet = Facet(of)
		case !public[r.URL.Path]:
			return errToken
		}
		return nil
	})
}

// public are the paths that need no token: they tell nothing of anybody.
var public = map[string]bool{"/healthz": true, "/openapi.json": true}

// sameSite refuses what a web page could send: a name that was rebound to this
// machine, or another site's script.
func sameSite(r *http.Request, port int) error {
	host, p, err := net.SplitHostPort(r.Host)
	ip := net.ParseIP(host)
	if err != nil || p != fmt.Sprint(port) || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("the host %q is not this door: use 127.0.0.1:%d: %w", r.Host, port, errHost)
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && origins[0] != "http://"+r.Host {
		return fmt.Errorf("pages of %q may not use this door: %w", origins, errHost)
	}
	return nil
}

// guard runs the check before the API, records what it refuses, and turns a
// panic into a failure.
func (s *Server) guard(check func(*http.Request, *caller) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				writeProblem(w, fmt.Errorf("a fault of its own: %v", p))
			}
		}()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		who := callerOf(r)
		if err := check(r, &who); err != nil {
			writeProblem(w, s.refused(r, who, err))
			return
		}
		s.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, who)))
	})
}

// refused records an attempt, as long as there are not too many of them at this door:
// what hammers at one may not fill the log. It returns what to tell the peer.
func (s *Server) refused(r *http.Request, who caller, why error) error {
	if !who.tried.pass(s.Engine.Now()) {
		return why
	}
	var p *assent.Peer
	if who.local {
		p = &assent.Peer{Process: who.process, Line: peer.Line(who.process)}
	}
	var self *selfApproval
	if errors.As(why, &self) {
		p.Agent = self.how
	}
	if err := s.Engine.Refuse(r.Context(), fmt.Sprintf("%s %s: %v", r.Method, clip(r.URL.Path), why), p); err != nil {
		return err
	}
	return why
}

// foreign records that somebody else writes on a connection than who made it. Nothing of
// that is read.
func (s *Server) foreign(ctx context.Context, d *door, of assent.Process, pid int) {
	if d.tried.pass(s.Engine.Now()) {
		note := fmt.Sprintf("the %s's door: process %d writes on a connection of process %d: nothing of it is read", d.facet, pid, of.PID)
		_ = s.Engine.Refuse(ctx, note, &assent.Peer{Process: of}) // nobody is there to be told
	}
}

// clip shortens what a stranger sent before it is kept.
func clip(s string) string {
	const most = 100
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
