package post

// What is sent, and what is taken for an answer.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serve answers each request with what f makes of its signature and body.
func serve(t *testing.T, f func(w http.ResponseWriter, r *http.Request, body []byte)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f(w, r, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestBothWaysAreSigned(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		if got := r.Header.Get(SignatureHeader); got != Sign("s3", body) {
			t.Errorf("signature %q", got)
		}
		w.Header().Set(SignatureHeader, SignAnswer("s3", r.Header.Get(SignatureHeader), []byte("yes")))
		_, _ = io.WriteString(w, "yes")
	})
	q := Request{URL: url, Body: []byte(`{"a":1}`), Secret: "s3"}
	a, err := q.Send(t.Context())
	if err != nil || !a.OK() || string(a.Body) != "yes" || q.Verify(a) != nil {
		t.Fatalf("%+v, %v, %v", a, err, q.Verify(a))
	}
	other := q
	other.Body = []byte(`{"a":2}`)
	forged := a
	forged.Body = []byte("YES")
	unsigned := a
	unsigned.Signature = ""
	mirrored := a
	mirrored.Signature = Sign("s3", a.Body)
	if other.Verify(a) == nil || q.Verify(forged) == nil || q.Verify(unsigned) == nil || q.Verify(mirrored) == nil {
		t.Error("an answer counts that was replayed, altered, not signed or signed as a request")
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request, []byte) { t.Error("a redirect was followed") })
	url := serve(t, func(w http.ResponseWriter, r *http.Request, _ []byte) {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	})
	a, err := Request{URL: url}.Send(t.Context())
	if err != nil || a.Status != http.StatusTemporaryRedirect || a.OK() {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		_, _ = w.Write(bytes.Repeat([]byte("a"), MaxAnswer+1))
	})
	if _, err := (Request{URL: url}).Send(t.Context()); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

func TestTimeIsTheContexts(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	url := serve(t, func(http.ResponseWriter, *http.Request, []byte) { <-release })
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := (Request{URL: url}).Send(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestErrorsKeepTheAddressToThemselves(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, url := range []string{gone.URL + "/hook?token=abc", "http://", "ftp://x/abc", "http://x y/abc", "abc", "http://[::1/abc"} {
		_, err := Request{URL: url}.Send(t.Context())
		if err == nil || strings.Contains(err.Error(), "abc") {
			t.Errorf("%q: %v", url, err)
		}
	}
	if IsURL("/bin/http://x") || IsURL("http") || !IsURL("HTTPS://x") {
		t.Error("what an address is")
	}
}
