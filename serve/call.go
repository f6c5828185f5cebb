package serve

// One call of the API: reading what was sent, within limits, and replying.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"time"

	"assent"
	"assent/internal/peer"
)

const maxBody = 4 << 20 // bytes

// call is one request to the API while it is handled.
type call struct {
	*Server
	w   http.ResponseWriter
	r   *http.Request
	who caller
}

// body reads the whole body: its size and time are bounded before it is parsed.
func (c *call) body() ([]byte, error) {
	if t, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return nil, errMedia
	}
	if c.r.ContentLength > maxBody {
		return nil, errLarge
	}
	// Deadlines of connections are the kernel's, so they follow its clock.
	conn := http.NewResponseController(c.w)
	if err := conn.SetReadDeadline(time.Now().Add(bodyTime)); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, errLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errSlow
	case err != nil:
		return nil, fmt.Errorf("body: %v: %w", err, assent.ErrInvalid)
	}
	return raw, conn.SetReadDeadline(time.Time{})
}

func (c *call) read(v any, deep ...string) error {
	raw, err := c.body()
	if err != nil {
		return err
	}
	return decode(raw, v, deep...)
}

func (c *call) id() string { return c.r.PathValue("id") }

// number reads a query parameter between 0 and most.
func (c *call) number(name string, otherwise, most uint64) (uint64, error) {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > most {
		return 0, fmt.Errorf("%s is a number from 0 to %d: %w", name, most, assent.ErrInvalid)
	}
	return n, nil
}

// page reads the limit of a list.
func (c *call) page() (int, error) {
	n, err := c.number("limit", 100, maxPage)
	if err == nil && n == 0 {
		err = fmt.Errorf("limit is a number from 1 to %d: %w", maxPage, assent.ErrInvalid)
	}
	return int(n), err
}

// reply writes a value as JSON.
func (c *call) reply(v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	if err := c.taking(replyTime); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	_, _ = c.w.Write(b) // whoever left does not need it
	return nil
}

// encode writes JSON that leaves the canonical JSON within it byte for byte as
// it is: json.Marshal would escape "<", and no hash would fit any more.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// taking gives the peer so much time to take what is written next.
func (c *call) taking(d time.Duration) error {
	return http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(d))
}

// peer is who stands at the door to answer. It is nobody over HTTP, and nobody
// when the process cannot be told or has left meanwhile: then only a signature
// counts. That it still lives is asked last, so that nobody slips away while it
// is looked at.
func (c *call) peer() (*assent.Peer, error) {
	if !c.who.local {
		return nil, nil
	}
	who, err := c.stands(c.r.Context(), c.who.process)
	if err != nil || !peer.Lives(c.who.process) {
		return nil, err
	}
	return who, nil
}

// stands says how a process leads to whoever has ever asked, or to an agent at all.
func (s *Server) stands(ctx context.Context, p assent.Process) (*assent.Peer, error) {
	known, err := s.Engine.Store().Sessions(ctx)
	if err != nil {
		return nil, err
	}
	return peer.Stand(p, append(known, s.seen.all()...)), nil
}

// stand fills in who stands at the door to prove something. What the body says of it is
// refused.
func (c *call) stand(p *assent.Proof, to string) (err error) {
	if p.Peer != nil {
		return fmt.Errorf("who %s is proved, not said (proof.peer): %w", to, assent.ErrInvalid)
	}
	p.Peer, err = c.peer()
	return err
}

// holder is who stands at the door to use something (peer.Holder).
// It is nobody over HTTP alone: a process that cannot be told, or has left meanwhile,
// is one that speaks for no session and is no holder.
func (c *call) holder() (*assent.Peer, error) {
	if !c.who.local {
		return nil, nil
	}
	known, err := c.Engine.Store().Sessions(c.r.Context())
	if err != nil {
		return nil, err
	}
	who := peer.Holder(c.who.process, known)
	if now := c.executor(); now.PID == 0 {
		return now, nil
	}
	return who, nil
}

// executor is who stands at the door to say how a use goes on: which process that is
// counts alone, and costs no look at the sessions.
func (c *call) executor() *assent.Peer {
	switch {
	case !c.who.local:
		return nil
	case !peer.Lives(c.who.process):
		return &assent.Peer{Process: assent.Process{UID: c.who.process.UID}}
	}
	return &assent.Peer{Process: c.who.process}
}
