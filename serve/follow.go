package serve

// Following the log from the client's side.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"assent"
)

// maxEvent bounds one line of a stream: a record of what a body may hold, as
// JSON.
const maxEvent = 2 * maxBody

// Stream calls each for every record after the given number, in order, those
// that are there and those that are written later, until ctx ends (then it
// returns nil), each fails (its error), or the server goes away
// (ErrUnavailable: call again with the last number seen). Payloads do not travel.
func (c *Client) Stream(ctx context.Context, after uint64, each func(assent.Line) error) error {
	from := fmt.Sprintf("Accept: text/event-stream\r\nLast-Event-ID: %d\r\n", after)
	auditor := c.at(Auditor)
	resp, done, err := auditor.send(ctx, auditor.head("GET", "/v1/stream", from, 0, false), nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer done()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxEvent)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue // comments, ids and names: the data says it all
		}
		var r record
		if err := json.Unmarshal([]byte(data), &r); err != nil {
			return fmt.Errorf("the server's stream: %v: %w", err, assent.ErrInvalid)
		}
		if err := each(r.line()); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("the stream ended: %v: %w", lines.Err(), assent.ErrUnavailable)
}
