package sqlite

// How words of ours become columns, and back.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// stamp writes a time, to the nanosecond; the zero time is empty.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// unstamp reads what stamp wrote.
func unstamp(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, s)
}

// nanos is a time to compare with; those that do not fit stand at the ends.
func nanos(t time.Time) int64 {
	switch y := t.Year(); {
	case y < 1678:
		return math.MinInt64
	case y > 2261:
		return math.MaxInt64
	}
	return t.UnixNano()
}

// encode writes v as JSON that keeps the bytes of raw messages.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// number reads the N of "req_N", "gr_N" or "hd_N".
func number(id, prefix string) (int64, error) {
	digits, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || strconv.FormatInt(n, 10) != digits {
		return 0, fmt.Errorf("%q is no ID of the form %sN: %w", id, prefix, assent.ErrInvalid)
	}
	return n, nil
}

func requestID(n int64) string { return "req_" + strconv.FormatInt(n, 10) }
func grantID(n int64) string   { return "gr_" + strconv.FormatInt(n, 10) }
func handleID(n int64) string  { return "hd_" + strconv.FormatInt(n, 10) }

// request reads a request with what was said of it, and the answer that settled it.
func request(row db.Answered) (r assent.Request, err error) {
	if err = json.Unmarshal(row.Body, &r); err == nil && row.Advice != nil {
		err = json.Unmarshal(row.Advice, &r.Advice)
	}
	if err == nil && row.Answer != nil {
		err = json.Unmarshal(row.Answer, &r.Answer)
	}
	if err == nil {
		r.Settled, err = unstamp(row.Settled)
	}
	if err != nil {
		return r, damaged(requestID(row.N), err)
	}
	r.ID, r.State, r.Grant, r.Asked = requestID(row.N), assent.State(row.State), row.GrantID, int(row.Asked)
	return r, nil
}

// grant reads a grant: what is sealed from the body, what changes from columns.
func grant(row db.Grant) (g assent.Grant, err error) {
	if err = json.Unmarshal(row.Body, &g); err == nil {
		g.LastUsed, err = unstamp(row.LastUsed)
	}
	if err == nil {
		g.Revoked, err = unstamp(row.Revoked)
	}
	if err != nil {
		return g, damaged(grantID(row.N), err)
	}
	g.ID, g.Record = grantID(row.N), uint64(row.Record)
	g.Used, g.RevokedBy = int(row.Used), row.RevokedBy
	return g, nil
}

// call reads a call.
func call(row db.Call) (c assent.Call, err error) {
	c = assent.Call{Session: row.Session, ID: row.ID, Digest: row.Digest, Request: row.Request, Grant: row.GrantID}
	if c.Opened, err = unstamp(row.Opened); err == nil {
		c.Closed, err = unstamp(row.Closed)
	}
	if err == nil {
		c.Began, err = unstamp(row.Began)
	}
	if err == nil && row.Broker != nil {
		err = json.Unmarshal(row.Broker, &c.Broker)
	}
	if err == nil && row.Child != nil {
		err = json.Unmarshal(row.Child, &c.Child)
	}
	if err != nil {
		return c, damaged("call "+row.ID, err)
	}
	return c, nil
}

// each reads rows into words.
func each[R, W any](rows []R, err error, read func(R) (W, error)) ([]W, error) {
	if err != nil {
		return nil, err
	}
	var out []W
	for _, row := range rows {
		w, err := read(row)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}
