// Package python runs the user's own Python in one long-lived interpreter beside us:
// handlers and plugins, called by name, each in a thread of its own. It speaks lines
// of JSON with it, and starts it anew when it dies. Of events it
// knows what a returned value means to them, and nothing that fails is ever a yes.
//
//	h := python.New(python.Options{Log: log.Println})
//	defer h.Close(ctx)
//	_, err := h.Load(ctx, python.Unit{Kind: python.Handler, Key: "dir greet", Module: "greet", Path: "/home/me/greet/handler.py"})
//	raw, err := h.Call(ctx, "dir greet", python.Args{Args: []any{"session:start", map[string]any{}}})
package python

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"assent/internal/child"
)

// Options say which interpreter runs, and how much it may take. Zero values are the
// defaults.
type Options struct {
	Command []string                // the interpreter; nil = python3
	Env     []string                // nil = that of this process
	Dir     string                  // "" = that of this process
	Guard   *child.Guard            // see child.Spec
	Log     func(line string)       // hears what is printed, and what went wrong with no call to tell it to; nil drops it
	Note    func(unit, text string) // hears what a unit is found out to do after it was loaded; nil drops it
	Bounds  Bounds
}

// Bounds of a Host (law 12); zero values are the defaults.
type Bounds struct {
	Calls   int           // calls that run at once; the next one waits. 64
	Hanging int           // calls that were given up and still run, before the interpreter is ended. 16
	Result  int           // bytes of one result. 1 MiB
	Start   time.Duration // for the interpreter to be there. 20 s
	Silence time.Duration // for it to confirm that a call was given up. 2 s
	Pause   time.Duration // before it is started again the first time; doubles up to 30 s. 0.2 s
}

const (
	perCallback = 3                // calls of one callback that were given up and still run
	longest     = 30 * time.Second // pause before a new start
	healthy     = time.Minute      // a life after which the pauses begin anew
	patience    = time.Second      // that a call waits for an interpreter that is not there
)

func (b Bounds) orDefaults() Bounds {
	return Bounds{
		Calls: cmp.Or(b.Calls, 64), Hanging: cmp.Or(b.Hanging, 16), Result: cmp.Or(b.Result, 1<<20),
		Start: cmp.Or(b.Start, 20*time.Second), Silence: cmp.Or(b.Silence, 2*time.Second), Pause: cmp.Or(b.Pause, 200*time.Millisecond),
	}
}

// Why a call failed that reached nobody.
var (
	ErrClosed = errors.New("the Python host is closed")
	ErrEnded  = errors.New("the Python host ended while this call ran")
)

// Host is the interpreter and what is loaded in it. It starts with the first Load.
// All methods may be called concurrently.
type Host struct {
	o Options

	mu     sync.Mutex
	begun  bool
	cancel context.CancelFunc // ends the supervisor, and whatever interpreter there is
	closed chan struct{}      // closed by Close
	over   chan struct{}      // closed when the supervisor has ended
	life   *life              // nil while there is none
	down   error              // why there will be none for a while; nil: wait for it
	moved  chan struct{}      // closed when any of these changes
	units  []Unit             // what is loaded again after a new start
}

// New makes a host. It starts nothing.
func New(o Options) *Host {
	o.Bounds = o.Bounds.orDefaults()
	if len(o.Command) == 0 {
		o.Command = []string{"python3"}
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	if o.Note == nil {
		o.Note = func(string, string) {}
	}
	return &Host{o: o, closed: make(chan struct{}), over: make(chan struct{}), moved: make(chan struct{})}
}

// Load loads a unit, and starts the interpreter if need be. After a new start the
// unit is loaded again by itself; its callbacks keep their names. What failed to load
// is not tried again.
func (h *Host) Load(ctx context.Context, u Unit) (Loaded, error) {
	l, err := h.await(ctx)
	if err != nil {
		return Loaded{}, err
	}
	h.remember(u)
	out, err := l.load(ctx, u)
	if err != nil {
		h.forget(u)
	}
	return out, err
}

// Call calls a callback and returns its result as JSON. It returns soon after ctx
// ends; the callback is then stopped where Python can be stopped. A callback with
// three calls that could not be stopped is not called.
func (h *Host) Call(ctx context.Context, callback string, a Args) (json.RawMessage, error) {
	l, err := h.await(ctx)
	if err != nil {
		return nil, err
	}
	return l.call(ctx, request{Op: "call", Callback: callback, Args: a})
}

// Many calls a callback several times, one after the other in this order, and drops
// the results. One failure stops none of the others; the first is returned.
func (h *Host) Many(ctx context.Context, callback string, calls []Args) error {
	l, err := h.await(ctx)
	if err == nil {
		_, err = l.call(ctx, request{Op: "many", Callback: callback, Calls: calls})
	}
	return err
}

// Close lets plugins do what they left for their end, until ctx ends, and ends the
// interpreter and all that it started. Calls that still run fail.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	l, begun := h.life, h.begun
	select {
	case <-h.closed:
	default:
		close(h.closed)
	}
	h.mu.Unlock()
	if !begun {
		return nil
	}
	var err error
	if l != nil {
		if _, err = l.call(ctx, request{Op: "close"}); errors.Is(err, ErrEnded) {
			err = nil
		}
		l.end(ErrClosed)
	}
	h.cancel()
	<-h.over
	return err
}

// await returns the running interpreter. While there is none for a moment it waits.
func (h *Host) await(ctx context.Context) (*life, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		select {
		case <-h.closed:
			return nil, ErrClosed
		default:
		}
		switch {
		case !h.begun:
			h.begun = true
			ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
			h.cancel = cancel
			go h.supervise(ctx)
		case h.life != nil && h.life.reason() == nil:
			return h.life, nil
		case h.down != nil:
			return nil, h.down
		}
		moved := h.moved
		h.mu.Unlock()
		select {
		case <-moved:
		case <-h.closed:
		case <-ctx.Done():
			h.mu.Lock()
			return nil, fmt.Errorf("the Python host is not there: %w", context.Cause(ctx))
		}
		h.mu.Lock()
	}
}

// move says how things stand from now on.
func (h *Host) move(l *life, down error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.life, h.down = l, down
	close(h.moved)
	h.moved = make(chan struct{})
}

func (h *Host) loaded() []Unit {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.units)
}

func (h *Host) remember(u Unit) {
	h.forget(u)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.units = append(h.units, u)
}

func (h *Host) forget(u Unit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.units = slices.DeleteFunc(h.units, func(v Unit) bool { return v.Key == u.Key })
}
