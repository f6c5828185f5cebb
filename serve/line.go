package serve

// The client's line to the server: one connection for each call, written by
// hand. A hook process makes one call in its life, and net/http's Transport
// would cost it more than the call.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"assent"
	"assent/internal/peer"
)

const (
	maxReply  = 64 << 20             // bytes of one reply
	fullRetry = 5 * time.Millisecond // between attempts at a full queue
)

// line connects to one socket.
type line struct {
	socket  string
	genuine func(assent.Process) error // why a process is not the server; nil = our own user's is

	keep bool // a connection is used for the next call too: each call does the same once, however often it is made

	mu    sync.Mutex
	ready net.Conn // what ping made, or a call has left
}

func (l *line) ping(ctx context.Context) error {
	conn, err := l.dial(ctx)
	if err == nil {
		l.leave(conn)
	}
	return err
}

// leave has the next call use a connection.
func (l *line) leave(conn net.Conn) {
	l.mu.Lock()
	old := l.ready
	l.ready = conn
	l.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

func (l *line) take() net.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn := l.ready
	l.ready = nil
	return conn
}

func (l *line) hangUp() error {
	if conn := l.take(); conn != nil {
		return conn.Close()
	}
	return nil
}

// dial connects. A queue that is full for the moment is tried again until ctx
// ends.
func (l *line) dial(ctx context.Context) (net.Conn, error) {
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", l.socket)
		switch {
		case err == nil:
			return l.ours(conn)
		case ctx.Err() != nil:
			return nil, fmt.Errorf("connecting to assent: %w", ctx.Err())
		case errors.Is(err, os.ErrPermission):
			return nil, fmt.Errorf("connecting to assent: %v: %w", err, assent.ErrForbidden)
		case !errors.Is(err, syscall.EAGAIN):
			return nil, fmt.Errorf("connecting to assent: %v: %w", err, assent.ErrUnavailable)
		}
		select {
		case <-ctx.Done():
		case <-time.After(fullRetry):
		}
	}
}

// ours lets pass a server of our own user alone, and one that is genuine: where
// somebody else answers, he could allow everything, and gather what people sign. Where
// the system does not tell who answers, nothing of it is known.
func (l *line) ours(conn net.Conn) (net.Conn, error) {
	u, ok := conn.(*net.UnixConn)
	if !ok {
		return conn, nil
	}
	p, err := peer.Of(u) // on failure it carries the user alone
	if p.UID != os.Getuid() {
		conn.Close()
		return nil, fmt.Errorf("user %d answers in place of assent: %w", p.UID, assent.ErrForbidden)
	}
	if l.genuine == nil || errors.Is(err, errors.ErrUnsupported) {
		return conn, nil
	}
	if err := l.genuine(p); err != nil {
		conn.Close()
		if !peer.Lives(p) { // it was killed, perhaps, and comes back
			err = fmt.Errorf("the server has gone, or which process it is cannot be told: %w", assent.ErrUnavailable)
		}
		return nil, fmt.Errorf("%s: %w", l.socket, err)
	}
	return conn, nil
}

// do makes one call: in is sent as JSON unless nil, the reply is read into out.
func (l *line) do(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = encode(in); err != nil {
			return fmt.Errorf("%v: %w", err, assent.ErrInvalid)
		}
		if len(body) > maxBody {
			return errLarge
		}
	}
	resp, done, err := l.send(ctx, l.head(method, path, "", len(body), in != nil), body)
	if err != nil {
		return err
	}
	defer done()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return lost(ctx, err)
	}
	if len(raw) > maxReply {
		return fmt.Errorf("the reply is larger than %d MiB: %w", maxReply>>20, assent.ErrInvalid)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("the server's reply: %v: %w", err, assent.ErrInvalid)
	}
	return nil
}

// head writes a request's head. The server closes the connection after the
// reply, unless it is kept.
func (l *line) head(method, path, extra string, length int, body bool) string {
	h := method + " " + path + " HTTP/1.1\r\nHost: assent\r\n" + extra
	if !l.keep {
		h += "Connection: close\r\n"
	}
	if body {
		h += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", length)
	}
	return h + "\r\n"
}

// send sends a request and reads the reply's head; what is not a success is an
// error. done must be called once the body is read. A connection of ping's, or one that
// was kept, that the server has given up meanwhile is replaced once: nothing was handled
// on the one, and what is handled twice on the other is done once.
func (l *line) send(ctx context.Context, head string, body []byte) (*http.Response, func(), error) {
	conn := l.take()
	spare := conn != nil
	for {
		if conn == nil {
			var err error
			if conn, err = l.dial(ctx); err != nil {
				return nil, nil, err
			}
		}
		resp, done, err := l.exchange(ctx, conn, head, body)
		if err == nil || !spare || !errors.Is(err, assent.ErrUnavailable) {
			return resp, done, err
		}
		conn, spare = nil, false
	}
}

func (l *line) exchange(ctx context.Context, conn net.Conn, head string, body []byte) (resp *http.Response, done func(), err error) {
	// An end of ctx makes every read and write fail at once.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	done = func() {
		if stop() && l.keep && resp != nil && !resp.Close && drained(resp.Body) {
			l.leave(conn)
			return
		}
		conn.Close()
	}
	_, werr := conn.Write(append([]byte(head), body...))
	resp, err = http.ReadResponse(bufio.NewReader(conn), nil) // after a failed write too: it may say why
	if err != nil {
		done()
		return nil, nil, lost(ctx, errors.Join(werr, err))
	}
	if resp.StatusCode != http.StatusOK {
		defer done()
		return nil, nil, readProblem(resp.StatusCode, resp.Body)
	}
	return resp, done, nil
}

// drained reports whether a body was read to its end.
func drained(body io.Reader) bool {
	n, err := body.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

// lost names a connection that broke: by our own end of waiting, or the server's.
func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("waiting for assent: %w", ctx.Err())
	}
	return fmt.Errorf("assent went away: %v: %w", err, assent.ErrUnavailable)
}
