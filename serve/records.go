package serve

// Records: the log in pages, and as a stream.

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"assent"
)

// record is a line of the log as it travels. Record is the line's exact bytes.
type record struct {
	N       uint64          `json:"n"`
	Hash    string          `json:"hash"`
	Record  json.RawMessage `json:"record"`
	Salt    []byte          `json:"salt,omitempty"`
	Payload []byte          `json:"payload,omitempty"`
}

type recordList struct {
	Records []record `json:"records"`
}

func recordOf(l assent.Line) record { return record{N: l.N, Hash: l.Hash, Record: l.Leaf} }

func (r record) line() assent.Line {
	return assent.Line{N: r.N, Leaf: r.Record, Hash: r.Hash, Salt: r.Salt, Payload: r.Payload}
}

func (c *call) records() (any, error) {
	after, err := c.number("after", 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	limit, err := c.page()
	if err != nil {
		return nil, err
	}
	whole, err := c.flag("payloads")
	if err != nil {
		return nil, err
	}
	lines, err := c.Engine.Store().Lines(c.r.Context(), after, limit)
	list := recordList{make([]record, 0, len(lines))}
	for _, l := range lines {
		r := recordOf(l)
		if whole {
			r.Salt, r.Payload = l.Salt, l.Payload
		}
		list.Records = append(list.Records, r)
	}
	return list, err
}

// stream sends records as they are written. Nothing is kept for a reader: each
// reads from the log at its own place, and one that takes nothing for too long
// is dropped, to come back with Last-Event-ID.
func (c *call) stream() (any, error) {
	after, err := c.begin()
	if err != nil {
		return nil, err
	}
	select {
	case c.streams <- struct{}{}:
		defer func() { <-c.streams }()
	default:
		return nil, fmt.Errorf("%d streams are open already: %w", cap(c.streams), assent.ErrFull)
	}
	c.w.Header().Set("Content-Type", "text/event-stream")
	if err := c.send(": assent\n\n"); err != nil {
		return nil, nil
	}
	pulse := time.NewTicker(beat)
	defer pulse.Stop()
	for {
		changed := c.Engine.Changed()
		n, err := c.sendAfter(after)
		if err != nil {
			return nil, nil // the head is sent: all that is left is to end
		}
		if n > after {
			after = n
			continue
		}
		select {
		case <-changed:
		case <-pulse.C:
			if c.send(": still here\n\n") != nil {
				return nil, nil
			}
		case <-c.r.Context().Done():
			return nil, nil
		case <-c.stopped.Done():
			return nil, nil
		}
	}
}

// begin is the number after which the stream starts.
func (c *call) begin() (uint64, error) {
	if last := c.r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.ParseUint(last, 10, 63)
		if err != nil {
			return 0, fmt.Errorf("Last-Event-ID is a record's number: %w", assent.ErrInvalid)
		}
		return n, nil
	}
	h, err := c.Engine.Store().Head(c.r.Context())
	if err != nil {
		return 0, err
	}
	return c.number("after", h.N, math.MaxInt64)
}

const streamPage = 100

// sendAfter sends the records after a number and returns the last one's.
func (c *call) sendAfter(after uint64) (uint64, error) {
	lines, err := c.Engine.Store().Lines(c.r.Context(), after, streamPage)
	if err != nil {
		return after, err
	}
	for _, l := range lines {
		data, err := encode(recordOf(l))
		if err != nil {
			return after, err
		}
		if err := c.send(fmt.Sprintf("id: %d\nevent: record\ndata: %s\n\n", l.N, data)); err != nil {
			return after, err
		}
		after = l.N
	}
	return after, nil
}

// send writes a piece of a stream and waits until the connection has taken it.
func (c *call) send(text string) error {
	patience := c.patience
	if patience == 0 {
		patience = replyTime
	}
	if err := c.taking(patience); err != nil {
		return err
	}
	if _, err := c.w.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(c.w).Flush()
}
