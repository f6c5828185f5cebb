package broker

// Fetch: a page is asked for, over connections that are looked at when they are made.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"assent"
)

// FetchRequest is what is asked of another machine.
type FetchRequest struct {
	URL     string
	Method  string // GET, HEAD or POST; empty = GET
	Body    string // for POST
	Type    string // its content type; empty = text/plain
	Max     int64  // bytes of the answer; 0 = MaxFetched
	Timeout time.Duration
}

// Fetched is the answer.
type Fetched struct {
	URL    string // where it came from, after redirections
	Status int
	Type   string
	Body   []byte
}

// The bounds of a fetch.
const (
	MaxFetched   = 5 << 20
	fetchLimit   = time.Minute
	maxRedirects = 10
)

// Fetch asks for a page. A host is judged by the address that is connected to: one of
// this machine, of a private network or of a cloud's metadata is refused, unless the URL
// names that very address. A redirection to another host is another use, which people may
// have to be asked about; so is one by which what was sent is sent again, wherever to. Proxies of the environment are not used, and no cookie or
// credential is sent. ErrInvalid: such a request cannot be made, or the answer is too
// long. Else the errors of Exec.
func (b *Broker) Fetch(ctx context.Context, r FetchRequest) (out Fetched, err error) {
	to, err := r.fill()
	if err != nil {
		return out, err
	}
	for hops := 0; to != nil; {
		at := to
		input, err := textInput("url", at.String(), "method", r.named(), "body", r.Body, "type", r.Type)
		if err != nil {
			return out, err
		}
		ev := b.event(assent.ToolFetch, workingDir(), input)
		err = b.act(ctx, ev, func() error { return nil }, func() (n int64, err error) {
			out, to, err = r.follow(ctx, at, &hops)
			return int64(len(out.Body)), err
		})
		if err != nil {
			return Fetched{}, err
		}
	}
	return out, nil
}

// fill completes a request, and checks its form.
func (r *FetchRequest) fill() (*url.URL, error) {
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if r.Max <= 0 || r.Max > MaxFetched {
		r.Max = MaxFetched
	}
	if r.Timeout <= 0 || r.Timeout > fetchLimit {
		r.Timeout = fetchLimit
	}
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method) || r.Method != http.MethodPost && r.Body != "" {
		return nil, fmt.Errorf("%s cannot be asked, or has no body: %w", r.Method, assent.ErrInvalid)
	}
	return proper(r.URL)
}

// proper reads the URL of a page: of the web, with a host, and without a password.
func proper(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return nil, fmt.Errorf("%q is no address of a page: %w", text, assent.ErrInvalid)
	}
	u.Fragment = ""
	return u, nil
}

// named is the method where it is not the usual one.
func (r *FetchRequest) named() string {
	if r.Method == http.MethodGet {
		return ""
	}
	return r.Method
}

// follow asks for a page, and follows redirections as long as they stay with its host and
// only ask. elsewhere is one that does not, or has what is sent go to another page.
func (r *FetchRequest) follow(ctx context.Context, at *url.URL, hops *int) (out Fetched, elsewhere *url.URL, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	client := &http.Client{
		Transport:     connecting(at),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	for {
		out, to, err := r.once(ctx, client, at)
		if err != nil || to == nil {
			return out, nil, err
		}
		if *hops++; *hops > maxRedirects {
			return out, nil, fmt.Errorf("%s: more than %d redirections: %w", at.Host, maxRedirects, assent.ErrInvalid)
		}
		if !strings.EqualFold(to.Host, at.Host) || to.Scheme != at.Scheme || r.Method == http.MethodPost {
			return out, to, nil
		}
		at = to
	}
}

// once makes one request.
func (r *FetchRequest) once(ctx context.Context, client *http.Client, at *url.URL) (out Fetched, to *url.URL, err error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, at.String(), strings.NewReader(r.Body))
	if err != nil {
		return out, nil, err
	}
	req.Header.Set("User-Agent", "assent")
	if r.Method == http.MethodPost {
		req.Header.Set("Content-Type", orText(r.Type))
	}
	res, err := client.Do(req)
	if err != nil {
		return out, nil, err
	}
	defer res.Body.Close()
	if next, ok := redirection(res); ok {
		if to, err = at.Parse(next); err == nil {
			to, err = proper(to.String())
		}
		if res.StatusCode < http.StatusTemporaryRedirect && r.Method == http.MethodPost {
			r.Method, r.Body, r.Type = http.MethodGet, "", ""
		}
		return out, to, err
	}
	out = Fetched{URL: at.String(), Status: res.StatusCode, Type: res.Header.Get("Content-Type")}
	var body bytes.Buffer
	n, err := io.Copy(&body, io.LimitReader(res.Body, r.Max+1))
	if err == nil && n > r.Max {
		err = fmt.Errorf("%s: the answer has more than %d bytes: %w", at.Host, r.Max, assent.ErrInvalid)
	}
	out.Body = body.Bytes()
	return out, nil, err
}

func orText(kind string) string {
	if kind == "" {
		return "text/plain; charset=utf-8"
	}
	return kind
}

func redirection(res *http.Response) (to string, ok bool) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to = res.Header.Get("Location")
	}
	return to, to != ""
}

// errPlace is the error of an address that no name may lead to.
var errPlace = errors.New("it leads to an address of this machine, of a private network or of a cloud's own")

// connecting makes connections to public addresses, and to the one that the URL names.
func connecting(at *url.URL) *http.Transport {
	named, _ := netip.ParseAddr(at.Hostname())
	d := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if ip := to.Addr().Unmap().WithZone(""); !public(ip) && ip != named.Unmap().WithZone("") {
			return fmt.Errorf("%s is %s: %w: %w", at.Hostname(), ip, errPlace, assent.ErrForbidden)
		}
		return nil
	}}
	return &http.Transport{DialContext: d.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10}
}

// reserved are networks that nobody on the internet has, beside those that netip knows.
var reserved = []netip.Prefix{
	netip.PrefixFrom(netip.AddrFrom4([4]byte{0}), 8), netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10),
	netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 0}), 24), netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18}), 15),
	netip.PrefixFrom(netip.AddrFrom4([4]byte{168, 63, 129, 16}), 32), // a cloud's own
	netip.PrefixFrom(netip.AddrFrom4([4]byte{240}), 4),
}

// through are networks whose addresses stand for IPv4 addresses, which follow after so
// many bytes.
var through = []struct {
	net netip.Prefix
	at  int
}{
	{netip.PrefixFrom(netip.AddrFrom16([16]byte{0, 0x64, 0xff, 0x9b}), 96), 12}, // NAT64
	{netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20, 0x02}), 16), 2},           // 6to4
}

func public(ip netip.Addr) bool {
	for _, t := range through {
		if t.net.Contains(ip) {
			raw := ip.As16()
			return public(netip.AddrFrom4([4]byte(raw[t.at : t.at+4])))
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) })
}
