package serve

// The Client: assent over its sockets, with the engine's own words and errors.

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"assent"
)

// Client is a far Decider, and what people's commands and the broker need. Its errors
// are those of the engine: errors.Is gives the same answers. ErrUnavailable when nobody
// serves, or the server went away. Each call goes to the door of its own facet. It may
// be used concurrently.
type Client struct{ doors [len(PerFacet{})]line }

var _ assent.Decider = (*Client)(nil)

// Dial returns a client of the server at these sockets. Nothing is connected yet.
// genuine says why a process cannot be the server; it is asked before anything is sent
// to a door: who answers hooks in its place could allow everything. nil = every process
// of our own user can be it.
func Dial(at PerFacet, genuine func(server assent.Process) error) *Client {
	c := &Client{}
	for f := range c.doors {
		c.doors[f].socket, c.doors[f].genuine = at[f], genuine
	}
	c.doors[Holder].keep = true // a use, its beginning and its end
	return c
}

func (c *Client) at(f Facet) *line { return &c.doors[f] }

// Ping reports whether a server takes connections of requesters. Their next call uses
// the connection that Ping made.
func (c *Client) Ping(ctx context.Context) error { return c.at(Requester).ping(ctx) }

// Close gives up what Ping and uses left open. The client stays usable.
func (c *Client) Close() error { return errors.Join(c.at(Requester).hangUp(), c.at(Holder).hangUp()) }

// Handle sends an event. The server says itself who sent it and when; Raw and
// Process do not travel. ErrInvalid for an event of more than 4 MiB.
func (c *Client) Handle(ctx context.Context, e assent.Event) (v assent.Verdict, err error) {
	return v, c.at(Requester).do(ctx, "POST", "/v1/events", e, &v)
}

// Check judges an event without any consequence.
func (c *Client) Check(ctx context.Context, e assent.Event) (assent.Case, assent.Verdict, error) {
	var r Checked
	err := c.at(Requester).do(ctx, "POST", "/v1/check", e, &r)
	return r.Case, r.Verdict, err
}

// Wait returns the request once it is no longer pending, or as it stands when
// hold has passed. It polls in steps that a server allows.
func (c *Client) Wait(ctx context.Context, id string, hold time.Duration) (r assent.Request, err error) {
	for {
		step := min(max(hold, 0), maxHold)
		r = assent.Request{}
		err = c.at(Requester).do(ctx, "GET", requestPath(id)+"/wait?hold="+step.String(), nil, &r)
		hold -= step
		if err != nil || r.State != assent.Pending || hold <= 0 {
			return r, err
		}
	}
}

// Answer settles a request. With ErrSettled comes the request as it stands.
func (c *Client) Answer(ctx context.Context, a assent.Answer) (r assent.Request, err error) {
	a.By, a.Proof.Peer = assent.Identity{}, nil // the server's to say
	err = c.at(Granter).do(ctx, "POST", requestPath(a.Request)+"/answer", a, &r)
	if p, ok := err.(*Problem); ok && p.Request != nil {
		r = *p.Request
	}
	return r, err
}

// Revoke ends the selected grants, and with Kill what runs under them.
func (c *Client) Revoke(ctx context.Context, r assent.Revocation) (out assent.Revoked, err error) {
	r.Proof.Peer = nil
	return out, c.at(Granter).do(ctx, "POST", "/v1/revoke", r, &out)
}

// Forward hands a grant on to a session and returns the child that it then holds.
func (c *Client) Forward(ctx context.Context, f assent.Forwarding) (g assent.Grant, err error) {
	f.Proof.Peer = nil
	return g, c.at(Granter).do(ctx, "POST", grantPath(f.Grant)+"/forward", f, &g)
}

// Renew has a standing grant stand on.
func (c *Client) Renew(ctx context.Context, r assent.Renewal) (g assent.Grant, err error) {
	r.Proof.Peer = nil
	return g, c.at(Granter).do(ctx, "POST", grantPath(r.Grant)+"/renew", r, &g)
}

// Hold makes a handle of a grant for a holder. The handle is told once, here.
func (c *Client) Hold(ctx context.Context, h assent.Handling) (string, assent.Held, error) {
	h.Proof.Peer = nil
	var out Handled
	err := c.at(Granter).do(ctx, "POST", grantPath(h.Grant)+"/handle", h, &out)
	return out.Handle, out.Held, err
}

// Enroll makes an approver key count.
func (c *Client) Enroll(ctx context.Context, n assent.Enrollment) error {
	n.Proof.Peer = nil
	return c.at(Granter).do(ctx, "POST", "/v1/keys", n, &done{})
}

// Use asks whether something may be done now. The server says itself who does it.
func (c *Client) Use(ctx context.Context, u assent.Use) (v assent.Verdict, err error) {
	return v, c.at(Holder).do(ctx, "POST", "/v1/use", u, &v)
}

// Begin says that what a use was for runs now. ErrRevoked: it has to be ended at once.
func (c *Client) Begin(ctx context.Context, s assent.Start) error {
	return c.at(Holder).do(ctx, "POST", "/v1/begin", s, &done{})
}

// End says that it is over.
func (c *Client) End(ctx context.Context, n assent.End) error {
	var said Ended
	err := c.at(Holder).do(ctx, "POST", "/v1/end", n, &said)
	if err == nil && said.Word != "" {
		n.Word = said.Word
		err = c.at(Holder).do(ctx, "POST", "/v1/end", n, &said)
	}
	return err
}

// Receipt has an outsider told of a grant.
func (c *Client) Receipt(ctx context.Context, w assent.ReceiptWish) (string, error) {
	var r Receipt
	err := c.at(Holder).do(ctx, "POST", "/v1/receipt", w, &r)
	return r.Receipt, err
}

// Usable lists the live grants that this process may use. The server finds out who that
// is: the peer is not sent.
func (c *Client) Usable(ctx context.Context, _ *assent.Peer) ([]assent.Grant, error) {
	var list grantList
	err := c.at(Holder).do(ctx, "GET", "/v1/usable", nil, &list)
	return list.Grants, err
}

// Request returns one request.
func (c *Client) Request(ctx context.Context, id string) (r assent.Request, err error) {
	return r, c.at(Requester).do(ctx, "GET", requestPath(id), nil, &r)
}

// Requests lists requests, oldest first.
func (c *Client) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	q := query{"state": string(f.State), "session": f.Session, "after": f.After}
	q.number("limit", f.Limit)
	var list requestList
	err := c.at(Auditor).do(ctx, "GET", "/v1/requests"+q.String(), nil, &list)
	return list.Requests, err
}

// Grants lists grants, oldest first. What is live, the server judges by its own
// clock and boot.
func (c *Client) Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error) {
	q := query{"session": f.Session}
	if f.Live {
		q["live"] = "true"
	}
	var list grantList
	err := c.at(Auditor).do(ctx, "GET", "/v1/grants"+q.String(), nil, &list)
	return list.Grants, err
}

// Lines returns the records after n with their payloads, in order, at most
// limit (0 = 100, at most 1000).
func (c *Client) Lines(ctx context.Context, after uint64, limit int) ([]assent.Line, error) {
	q := query{"payloads": "true", "after": strconv.FormatUint(after, 10)}
	q.number("limit", limit)
	var list recordList
	err := c.at(Auditor).do(ctx, "GET", "/v1/records"+q.String(), nil, &list)
	lines := make([]assent.Line, 0, len(list.Records))
	for _, r := range list.Records {
		lines = append(lines, r.line())
	}
	return lines, err
}

// Health asks how the server is.
func (c *Client) Health(ctx context.Context) (h Health, err error) {
	err = c.at(Requester).do(ctx, "GET", "/healthz", nil, &h)
	return h, err
}

func requestPath(id string) string { return "/v1/requests/" + url.PathEscape(id) }

func grantPath(id string) string { return "/v1/grants/" + url.PathEscape(id) }

// query is the parameters of one call; empty ones are left out.
type query map[string]string

func (q query) number(name string, n int) {
	if n > 0 {
		q[name] = strconv.Itoa(n)
	}
}

func (q query) String() string {
	v := url.Values{}
	for name, value := range q {
		if value != "" {
			v.Set(name, value)
		}
	}
	if len(v) == 0 {
		return ""
	}
	return "?" + v.Encode()
}
