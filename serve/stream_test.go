package serve

// The stream of records: resumed where it broke, never behind, never a burden.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
)

func (f *fixture) note(t *testing.T, text string) {
	t.Helper()
	if err := f.engine.Refuse(t.Context(), text, nil); err != nil {
		t.Fatal(err)
	}
}

var errEnough = errors.New("enough")

// take reads n records after a number.
func (f *fixture) take(t *testing.T, after uint64, n int) (got []uint64) {
	t.Helper()
	err := f.Stream(t.Context(), after, func(l assent.Line) error {
		if assent.LeafHash(l.Leaf) != l.Hash {
			t.Errorf("record %d: its bytes do not have its hash", l.N)
		}
		if got = append(got, l.N); len(got) == n {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return got
}

func TestTheStreamResumesWhereItBroke(t *testing.T) {
	t.Parallel()
	f := start(t)
	for i := range 250 { // more than a page
		f.note(t, fmt.Sprintf("<%d>", i))
	}
	if got := f.take(t, 0, 120); got[0] != 1 || got[119] != 120 {
		t.Fatal(got)
	}
	got := f.take(t, 120, 130)
	if got[0] != 121 || got[129] != 250 || !slices.IsSorted(got) {
		t.Fatal(got)
	}
}

func TestTheStreamBringsNewRecordsOnceEach(t *testing.T) {
	t.Parallel()
	f := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := make(chan uint64, 100)
	done := make(chan error, 1)
	go func() {
		done <- f.Stream(ctx, 0, func(l assent.Line) error { seen <- l.N; return nil })
	}()
	for i := uint64(1); i <= 50; i++ {
		f.note(t, "n")
		if n := <-seen; n != i {
			t.Fatalf("record %d came as %d", i, n)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	soon(t, "the place is free again", func() bool { return len(f.server.streams) == 0 })
}

func TestTheStreamsForm(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.note(t, "old")
	head := func(change func(*http.Request)) (*http.Response, *bufio.Scanner) {
		req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), "GET", f.url+"/v1/stream", nil))
		req.Header.Set("Authorization", "Bearer "+testTokens[Auditor])
		change(req)
		resp := must[*http.Response](t)((&http.Transport{DisableKeepAlives: true}).RoundTrip(req))
		t.Cleanup(func() { resp.Body.Close() })
		return resp, bufio.NewScanner(resp.Body)
	}
	resp, lines := head(func(*http.Request) {})
	if k := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || k != "text/event-stream" {
		t.Fatal(resp.StatusCode, k)
	}
	var got []string
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
		if got = append(got, lines.Text()); len(got) == 1 {
			f.note(t, "new") // the stream has begun: what is old is behind it
		}
	}
	if want := []string{": assent", "", "id: 2", "event: record"}; !slices.Equal(got, want) || !strings.Contains(lines.Text(), `"note":"new"`) {
		t.Fatalf("%q, then %q", got, lines.Text())
	}
	for _, bad := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		if resp, _ := head(func(r *http.Request) { r.Header.Set("Last-Event-ID", bad) }); resp.StatusCode != 400 {
			t.Errorf("Last-Event-ID %q: %d", bad, resp.StatusCode)
		}
	}
}

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	f := start(t, func(s *Server) { s.Streams = 1 })
	f.note(t, "n")
	err := f.Stream(t.Context(), 0, func(assent.Line) error {
		if err := f.Stream(t.Context(), 0, nil); !errors.Is(err, assent.ErrFull) {
			t.Error(err)
		}
		return errEnough
	})
	if !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
}

// A reader that takes nothing holds up nobody, and loses its place in time.
func TestASlowReaderIsDropped(t *testing.T) {
	t.Parallel()
	f := start(t, func(s *Server) { s.Streams, s.patience = 1, 50*time.Millisecond })
	conn := must[net.Conn](t)(net.Dial("unix", f.at[Auditor]))
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /v1/stream?after=0 HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	soon(t, "the stream is open", func() bool { return len(f.server.streams) == 1 })
	for range 40 { // more than the kernel keeps for a socket
		f.note(t, strings.Repeat("x", 100_000))
	}
	soon(t, "the slow reader is dropped", func() bool { return len(f.server.streams) == 0 })
	if lines := must[[]assent.Line](t)(f.Lines(t.Context(), 0, 100)); len(lines) != 40 {
		t.Fatalf("%d records", len(lines))
	}
}
