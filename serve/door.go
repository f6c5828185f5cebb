package serve

// The doors: what each lets pass before anything is read, and who is there.

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
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
	local   bool           // over the unix socket
	process assent.Process // PID 0: the process could not be told
}

// principal is who an event of this caller acts for.
func (c caller) principal() string {
	if c.local {
		return fmt.Sprintf("uid:%d", c.process.UID)
	}
	return assent.PrincipalToken
}

type callerKey struct{}

// withCaller looks at a connection once, when it is made.
func withCaller(ctx context.Context, conn net.Conn) context.Context {
	if b, ok := conn.(*boundedConn); ok {
		conn = b.Conn
	}
	var who caller
	if u, ok := conn.(*net.UnixConn); ok {
		who.local = true
		who.process, _ = peer.Of(u) // on failure it carries the user alone
	}
	return context.WithValue(ctx, callerKey{}, who)
}

func callerOf(r *http.Request) caller {
	who, _ := r.Context().Value(callerKey{}).(caller)
	return who
}

// atSocket lets pass whoever runs as our own user.
func (s *Server) atSocket() http.Handler {
	return s.guard(func(r *http.Request) error {
		who := callerOf(r)
		if who.process.UID != os.Getuid() {
			return fmt.Errorf("the socket is for user %d, not for %d: %w", os.Getuid(), who.process.UID, assent.ErrForbidden)
		}
		if r.Header.Get("Origin") != "" {
			return fmt.Errorf("the socket is not for browsers: %w", assent.ErrForbidden)
		}
		return nil
	})
}

// atLoopback lets pass whoever names this very door and bears the token. The
// address a connection comes from proves nothing.
func (s *Server) atLoopback() http.Handler {
	port := s.HTTP.Addr().(*net.TCPAddr).Port
	token := sha256.Sum256([]byte(s.Token))
	return s.guard(func(r *http.Request) error {
		if err := sameSite(r, port); err != nil {
			return err
		}
		if public[r.URL.Path] {
			return nil
		}
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		sum := sha256.Sum256([]byte(given))
		if !ok || subtle.ConstantTimeCompare(sum[:], token[:]) != 1 {
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
func (s *Server) guard(check func(*http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				writeProblem(w, fmt.Errorf("a fault of its own: %v", p))
			}
		}()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if err := check(r); err != nil {
			if err = s.refused(r, err); err != nil {
				writeProblem(w, err)
			}
			return
		}
		s.handler.ServeHTTP(w, r)
	})
}

// refused records an attempt, as long as there are not too many of them: what
// hammers at the door may not fill the log. It returns what to tell the peer.
func (s *Server) refused(r *http.Request, why error) error {
	if !s.tried.pass(s.Engine.Now()) {
		return why
	}
	var p *assent.Peer
	if who := callerOf(r); who.local {
		p = &assent.Peer{Process: who.process}
	}
	if err := s.Engine.Refuse(r.Context(), fmt.Sprintf("%s %s: %v", r.Method, clip(r.URL.Path), why), p); err != nil {
		return err
	}
	return why
}

// clip shortens what a stranger sent before it is kept.
func clip(s string) string {
	const most = 100
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
