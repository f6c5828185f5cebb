package broker_test

// What the broker keeps to, with real programs, and a gate that does what it is told.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/analyze"
	"assent/broker"
)

// gate is a small assent: it holds one yes for each digest it is given, and keeps what
// the broker says.
type gate struct {
	mu      sync.Mutex
	yes     map[string]int  // uses left, by digest
	all     bool            // everything is allowed
	verdict *assent.Verdict // what every Use gets
	uses    []assent.Case
	begun   []assent.Start
	ended   []assent.End
	before  func()          // runs when a use is allowed, before the broker hears of it
	down    error           // what every Use answers
	begin   func() error    // what Begin answers
	answer  func(*gate)     // a person, who is asked in Wait
	wait    chan<- struct{} // closed when somebody waits
}

func (g *gate) Use(_ context.Context, u assent.Use) (assent.Verdict, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.down != nil {
		return assent.Verdict{}, g.down
	}
	if g.verdict != nil {
		return *g.verdict, nil
	}
	u.Event.Principal, u.Event.Session = "uid:1", "s"
	c := analyze.Case(u.Event, assent.Places{})
	g.uses = append(g.uses, c)
	v := assent.Verdict{Decision: assent.Ask, Session: "s", Digest: c.Digest()}
	if u.Ask {
		v.Request = "req_1"
	}
	if g.all || g.yes[v.Digest] > 0 {
		g.yes[v.Digest]--
		v.Decision, v.Grant = assent.Allow, "gr_1"
		if g.before != nil {
			g.before()
		}
	}
	return v, nil
}

func (g *gate) Wait(ctx context.Context, request string, hold time.Duration) (assent.Request, error) {
	r := assent.Request{ID: request, State: assent.Pending}
	if g.wait != nil {
		close(g.wait)
		<-ctx.Done()
		return r, ctx.Err()
	}
	if g.answer != nil {
		g.answer(g)
		r.State = assent.Approved
	}
	return r, nil
}

func (g *gate) Begin(_ context.Context, s assent.Start) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = append(g.begun, s)
	if g.begin != nil {
		return g.begin()
	}
	return nil
}

func (g *gate) End(_ context.Context, e assent.End) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = append(g.ended, e)
	return nil
}

// approve gives one yes to the last use that was asked for.
func (g *gate) approve() {
	g.yes[g.uses[len(g.uses)-1].Digest()]++
}

// world is a directory to work in, and what a program in it writes.
type world struct {
	t    *testing.T
	g    *gate
	b    *broker.Broker
	dir  string
	out  strings.Builder
	errs strings.Builder
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{yes: map[string]int{}}
	return &world{t: t, g: g, b: &broker.Broker{Gate: g, LookupEnv: func(string) (string, bool) { return "", false }}, dir: dir}
}

func (w *world) file(name, text string, mode os.FileMode) string {
	w.t.Helper()
	full := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
	return full
}

// copied is a program of the machine, copied into the directory.
func (w *world) copied(name, program string) string {
	w.t.Helper()
	raw, err := os.ReadFile(program)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.file(name, string(raw), 0o755)
}

func (w *world) exec(c broker.Command) (broker.Result, error) {
	if c.Dir == "" {
		c.Dir = w.dir
	}
	w.out.Reset()
	w.errs.Reset()
	c.Stdout, c.Stderr = &w.out, &w.errs
	return w.b.Exec(w.t.Context(), c)
}

// run is exec of what is allowed.
func (w *world) run(argv ...string) broker.Result {
	w.t.Helper()
	w.g.all = true
	r, err := w.exec(broker.Command{Argv: argv})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func refusedWith(t *testing.T, err error, want assent.Decision) *broker.Refused {
	t.Helper()
	var no *broker.Refused
	if !errors.As(err, &no) || no.Decision != want {
		t.Fatalf("%v, want %s", err, want)
	}
	return no
}

func TestAProgramRunsAsItIsAndItsEndIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.run("sh", "-c", "printf 'a b'; pwd; sleep 0.2; exit 3")
	if w.out.String() != "a b"+w.dir+"\n" || r.Exit != 3 || !r.Started || r.Grant != "gr_1" || r.Out != int64(w.out.Len()) {
		t.Errorf("%q %q %+v", w.out.String(), w.errs.String(), r)
	}
	e := w.g.ended[0]
	if len(w.g.begun) != 1 || len(w.g.ended) != 1 || !e.Started || e.Exit != 3 || e.Digest == "" || e.Call != r.Call || e.Session != "s" {
		t.Errorf("%+v %+v", w.g.begun, w.g.ended)
	}
}
