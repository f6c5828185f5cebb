package mem

// Requests: opened, joined, settled once.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assent"
)

// request is a request as it is kept: what was asked, as bytes that nobody else
// holds, and what has become of it.
type request struct {
	n       int
	body    []byte
	key     pendingKey
	expires time.Time

	state   assent.State
	settled time.Time
	answer  []byte
	advice  []byte
	grant   string
	asked   int
}

// pendingKey is what one pending request there may be of.
type pendingKey struct{ kind, principal, session, digest string }

func (r *request) id() string { return "req_" + strconv.Itoa(r.n) }

// view returns the request as callers see it.
func (r *request) view() (assent.Request, error) {
	var v assent.Request
	if err := json.Unmarshal(r.body, &v); err != nil {
		return v, fmt.Errorf("request %d: %w", r.n, err)
	}
	v.ID, v.State, v.Settled, v.Grant, v.Asked = r.id(), r.state, r.settled, r.grant, r.asked
	if r.advice != nil {
		if err := json.Unmarshal(r.advice, &v.Advice); err != nil {
			return v, fmt.Errorf("request %d: %w", r.n, err)
		}
	}
	if r.answer == nil {
		return v, nil
	}
	return v, json.Unmarshal(r.answer, &v.Answer)
}

// encode writes v as JSON that keeps the bytes of raw messages.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Ask opens a request for the call, or joins the call to the pending one.
func (s *Store) Ask(ctx context.Context, r assent.Request, c assent.Call, b assent.Bounds, d assent.Draft) (assent.Request, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Request{}, err
	}
	defer s.mu.Unlock()
	key := pendingKey{string(r.Kind), r.Case.Principal, r.Case.Session, r.Digest}
	req := s.pending[key]
	if req == nil {
		var err error
		if req, err = s.fresh(r, key, b); err != nil {
			return assent.Request{}, err
		}
	}
	d.Record.Request = req.id()
	if _, err := s.write(d); err != nil {
		return assent.Request{}, err
	}
	if req.n > len(s.requests) {
		s.queue(req)
	}
	k, fresh := s.open(c)
	if fresh || k.Request != req.id() {
		req.asked++
	}
	k.Request = req.id()
	return req.view()
}

// fresh makes the next request, within the bounds.
func (s *Store) fresh(r assent.Request, key pendingKey, b assent.Bounds) (*request, error) {
	if s.waiting >= b.All || s.waits[key.session] >= b.Session {
		return nil, assent.ErrFull
	}
	advice, err := adviceOf(r.Advice)
	if err != nil {
		return nil, err
	}
	r.Answer, r.Advice, r.Settled = nil, nil, time.Time{}
	r.Opened, r.Expires = stamp(r.Opened), stamp(r.Expires)
	body, err := encode(r)
	return &request{n: len(s.requests) + 1, body: body, key: key, expires: r.Expires, state: assent.Pending, advice: advice}, err
}

// queue keeps a fresh request.
func (s *Store) queue(r *request) {
	s.requests = append(s.requests, r)
	s.waiting++
	s.waits[r.key.session]++
	if r.key.digest != "" { // what has no digest is joined by nothing
		s.pending[r.key] = r
	}
}

// settle takes a pending request out of the queue.
func (s *Store) settle(r *request, to assent.State, at time.Time) {
	r.state, r.settled = to, stamp(at)
	s.waiting--
	if s.waits[r.key.session]--; s.waits[r.key.session] == 0 {
		delete(s.waits, r.key.session)
	}
	if s.pending[r.key] == r {
		delete(s.pending, r.key)
	}
}

// find returns the request with this ID.
func (s *Store) find(id string) (*request, error) {
	n, err := number(id, "req_")
	if err != nil || n > len(s.requests) {
		return nil, fmt.Errorf("request %q: %w", id, assent.ErrNotFound)
	}
	return s.requests[n-1], nil
}

// number reads the N of "req_N" or "gr_N".
func number(id, prefix string) (int, error) {
	digits, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || strconv.Itoa(n) != digits {
		return 0, fmt.Errorf("%q is no ID of the form %sN: %w", id, prefix, assent.ErrInvalid)
	}
	return n, nil
}

// Request returns one request with its answer.
func (s *Store) Request(ctx context.Context, id string) (assent.Request, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Request{}, err
	}
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return assent.Request{}, err
	}
	return r.view()
}

// Requests lists requests, oldest first.
func (s *Store) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	after, err := 0, error(nil)
	if f.After != "" {
		if after, err = number(f.After, "req_"); err != nil {
			return nil, err
		}
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	var out []assent.Request
	for _, r := range s.requests[min(after, len(s.requests)):] {
		if len(out) == f.Limit {
			break
		}
		if f.State != "" && r.state != f.State || f.Session != "" && r.key.session != f.Session {
			continue
		}
		v, err := r.view()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
