// Package webhook makes entries of addresses: those that are told of events
// (hooks.outbound), and those that are asked like a script (an http(s) URL as the
// command of a hook).
//
// What is told can change nothing, whatever it answers. What is asked must sign its
// answer where there is a secret. Neither follows a redirect or goes through a proxy
// of the environment; both have their entry's time for everything, and their secrets
// taken out of what leaves.
//
//	entries, faults := webhook.Outbound{URL: "https://ops.example.org/agents", Events: []string{"post_tool_call"}}.Entries(os.Getenv)
//	guard := webhook.Directive{URL: "https://ops.example.org/judge", Event: assent.PreToolCall}.Entry()
package webhook

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"assent"
	"assent/hook"
	"assent/internal/post"
	"assent/internal/redact"
)

// delivery is one payload on its way: what shell hooks read, and what makes it one of
// a kind.
type delivery struct {
	hook.Payload
	ID        string `json:"delivery_id"`
	Timestamp string `json:"timestamp"` // RFC 3339, UTC
}

// request is an event as it is sent. A retry sends the same request again.
func request(c assent.Case, address, secret string, secrets bool) (post.Request, error) {
	d := delivery{Payload: hook.PayloadOf(c.Event, hook.Hermes), ID: rand.Text(), Timestamp: time.Now().UTC().Format(time.RFC3339Nano)}
	body, err := json.Marshal(d)
	if err != nil {
		return post.Request{}, fmt.Errorf("write the payload: %w", err)
	}
	if !secrets {
		body = redact.JSON(body)
	}
	q := post.Request{URL: address, Body: body, Secret: secret, Header: map[string]string{
		"X-Hermes-Event": d.Event, "X-Hermes-Delivery": d.ID, "X-Assent-Event": d.Event, "X-Assent-Delivery": d.ID,
	}}
	if secret != "" {
		q.Header["X-Hermes-Signature-256"] = post.Sign(secret, body)
	}
	return q, nil
}

// send posts a request, and once more where nobody answered or the other end failed.
func send(ctx context.Context, q post.Request, again bool) (post.Answer, error) {
	a, err := q.Send(ctx)
	if again && (err != nil || a.Status >= 500) && ctx.Err() == nil {
		a, err = q.Send(ctx)
	}
	return a, err
}

// hostOf is how an address is called where it has no name: what follows the host may
// be secret.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return "without a host"
}
