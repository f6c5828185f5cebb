package broker_test

// Pages that are asked for, for a holder.

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/broker"
)

// pages is a server, and what it was asked.
func pages(t *testing.T, also map[string]string) (base string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, fmt.Sprintf("%s %s %s%s", r.Method, r.URL.Path, body, r.Header.Get("Cookie")))
		switch to, ok := also[r.URL.Path]; {
		case ok && strings.HasPrefix(to, "307 "):
			http.Redirect(w, r, to[4:], http.StatusTemporaryRedirect)
		case ok:
			http.Redirect(w, r, to, http.StatusFound)
		case r.URL.Path == "/long":
			_, _ = w.Write(make([]byte, 100))
		case r.URL.Path == "/slow":
			<-r.Context().Done()
		default:
			fmt.Fprint(w, "page "+r.URL.Path)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestAPageIsFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	base, asked := pages(t, map[string]string{"/old": "/new"})
	got, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + "/old#part"})
	if err != nil || string(got.Body) != "page /new" || got.Status != 200 || got.URL != base+"/new" || len(w.g.uses) != 1 {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + "/form", Method: "POST", Body: "a=1"}); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(*asked) != "[GET /old  GET /new  POST /form a=1]" {
		t.Error(*asked)
	}
	if in := string(w.g.uses[1].Input); in != `{"body":"a=1","method":"POST","url":"`+base+`/form"}` {
		t.Error(in)
	}
}

func TestARedirectionToAnotherHostIsAnotherUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other, reached := pages(t, nil)
	base, asked := pages(t, map[string]string{"/away": "307 " + other + "/there", "/round": "/round", "/odd": "file:///etc/passwd"})
	away := broker.FetchRequest{URL: base + "/away", Method: "POST", Body: "secret"}
	if _, err := w.b.Fetch(t.Context(), away); err == nil {
		t.Fatal("nobody had approved it")
	}
	w.g.approve()
	_, err := w.b.Fetch(t.Context(), away)
	refusedWith(t, err, assent.Ask)
	if len(*asked) != 1 || len(*reached) != 0 {
		t.Errorf("%v %v", *asked, *reached)
	}
	last := w.g.uses[len(w.g.uses)-1]
	if in := string(last.Input); in != `{"body":"secret","method":"POST","url":"`+other+`/there"}` {
		t.Error(in)
	}
	w.g.all = true
	if got, err := w.b.Fetch(t.Context(), away); err != nil || got.URL != other+"/there" || (*reached)[0] != "POST /there secret" {
		t.Errorf("%+v %v", got, err)
	}
	for _, path := range []string{"/round", "/odd"} {
		if _, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + path}); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// What is sent was approved for one page, and not for another of the same host.
func TestWhatIsSentAgainElsewhereIsAnotherUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base, asked := pages(t, map[string]string{"/form": "307 /admin", "/thanks": "/done"})
	send := broker.FetchRequest{URL: base + "/form", Method: "POST", Body: "a=1"}
	if _, err := w.b.Fetch(t.Context(), send); err == nil {
		t.Fatal("nobody had approved it")
	}
	w.g.approve()
	_, err := w.b.Fetch(t.Context(), send)
	refusedWith(t, err, assent.Ask)
	if fmt.Sprint(*asked) != "[POST /form a=1]" {
		t.Error(*asked)
	}
	w.g.all = true
	before := len(w.g.uses)
	got, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + "/thanks", Method: "POST", Body: "a=1"})
	if err != nil || got.URL != base+"/done" || len(w.g.uses) != before+1 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestANameThatLeadsInsideIsRefusedWhenItIsConnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	base, asked := pages(t, nil)
	inside := strings.Replace(base, "127.0.0.1", "localhost", 1)
	if _, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: inside}); !errors.Is(err, assent.ErrForbidden) || len(*asked) > 0 {
		t.Errorf("%v %v", err, *asked)
	}
	if e := w.g.ended[0]; !e.Started || e.Exit == 0 || e.Note == "" {
		t.Errorf("%+v", e)
	}
}

func TestAFetchHasBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.g.all = true
	base, _ := pages(t, nil)
	if _, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + "/long", Max: 99}); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	if _, err := w.b.Fetch(t.Context(), broker.FetchRequest{URL: base + "/slow", Timeout: 20 * time.Millisecond}); err == nil {
		t.Error("it waited for ever")
	}
	before := len(w.g.uses)
	for _, r := range []broker.FetchRequest{
		{URL: "ftp://example.org/"}, {URL: "https://"}, {URL: "/etc/passwd"}, {URL: "https://u:p@example.org/"},
		{URL: base, Method: "DELETE"}, {URL: base, Body: "x"}, {URL: base, Method: "POST", Body: "\xff"},
	} {
		if _, err := w.b.Fetch(t.Context(), r); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if len(w.g.uses) != before {
		t.Error("somebody was asked")
	}
}
