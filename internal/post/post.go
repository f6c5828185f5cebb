// Package post sends JSON to an address that the owner has configured, and reads a
// bounded answer.
//
// It signs both ways where there is a secret, goes straight to the address (no proxy
// of the environment), follows no redirect and keeps no cookie. Private addresses
// are as good as others: the owner wrote them. Names, connecting and the answer all
// have the time of the context, and nothing beyond.
//
//	q := post.Request{URL: "https://example.org/hook", Body: payload, Secret: secret}
//	a, err := q.Send(ctx)
//	if err == nil { err = q.Verify(a) } // where the answer is acted upon
package post

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// MaxAnswer is the most of an answer that is read; more is an error.
const MaxAnswer = 1 << 20

// Request is what is sent.
type Request struct {
	URL    string
	Body   []byte
	Header map[string]string // further headers
	Secret string            // signs the body, and wants the answer signed; empty: neither
}

// Answer is what came back.
type Answer struct {
	Status    int
	Body      []byte
	Signature string // the header of that name
}

// OK reports whether the status says that all is well.
func (a Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// IsURL reports whether a command is an address.
func IsURL(command string) bool {
	scheme, _, ok := strings.Cut(command, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// Send posts the request. An error means that there is no whole answer; its text
// names the host, and neither path nor query, which may hold secrets. It may be
// called concurrently.
func (r Request) Send(ctx context.Context) (Answer, error) {
	to, err := url.Parse(r.URL)
	if err != nil || !IsURL(r.URL) || to.Host == "" {
		return Answer{}, errors.New("the address is no http(s) URL")
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, errors.New("the address is no http(s) URL")
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("User-Agent", "assent")
	for name, value := range r.Header {
		q.Header.Set(name, value)
	}
	if r.Secret != "" {
		q.Header.Set(SignatureHeader, r.signature())
	}
	resp, err := client().Do(q)
	if err != nil {
		return Answer{}, unreachable(ctx, to.Host, err)
	}
	defer resp.Body.Close()
	a := Answer{Status: resp.StatusCode, Signature: resp.Header.Get(SignatureHeader)}
	a.Body, err = io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return a, unreachable(ctx, to.Host, err)
	case len(a.Body) > MaxAnswer:
		return a, fmt.Errorf("%s answered with more than %d bytes", to.Host, MaxAnswer)
	}
	return a, nil
}

// unreachable is an error of the network without the address.
func unreachable(ctx context.Context, host string, err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fmt.Errorf("%s cannot be reached: %w", host, err)
}

// client is the one that all share.
var client = sync.OnceValue(func() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			ForceAttemptHTTP2: true, DisableCompression: true, // what is bounded is bounded as it arrives
			MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
})
