package python

// One life of the interpreter: calls by number, many at once, and what hangs.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"assent/internal/child"
)

// life is one running interpreter.
type life struct {
	o     Options
	proc  *child.Proc
	hello chan string
	lines chan []byte
	slots chan struct{}
	ended chan struct{} // closed by end
	done  sync.WaitGroup

	mu      sync.Mutex
	last    uint64
	calls   map[uint64]*pending
	hanging map[string]int // by callback: given up, and not yet heard of
	lost    int            // the sum of these
	why     error          // of the end
}

// pending is a call that has not been answered.
type pending struct {
	callback string
	answer   chan message
	lost     bool // nobody waits for it any more
}

func newLife(o Options, p *child.Proc) *life {
	l := &life{
		o: o, proc: p, hello: make(chan string, 1), lines: make(chan []byte, o.Bounds.Calls), slots: make(chan struct{}, o.Bounds.Calls),
		ended: make(chan struct{}), calls: map[uint64]*pending{}, hanging: map[string]int{},
	}
	l.done.Go(l.write)
	l.done.Go(l.read)
	return l
}

// end ends the interpreter, and with it all calls. The first reason stays.
func (l *life) end(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop(why)
}

// stop is end under the lock.
func (l *life) stop(why error) {
	if l.why == nil {
		l.why = why
		close(l.ended)
		l.proc.Kill()
	}
}

func (l *life) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// load loads a unit.
func (l *life) load(ctx context.Context, u Unit) (Loaded, error) {
	raw, err := l.call(ctx, request{Op: "load", Unit: &u})
	if err != nil {
		return Loaded{}, err
	}
	var out Loaded
	if err := json.Unmarshal(raw, &out); err != nil {
		return Loaded{}, fmt.Errorf("what %s registered: %w", u.Key, err)
	}
	return out, nil
}

// call sends a request and waits for its answer, until ctx ends.
func (l *life) call(ctx context.Context, r request) (json.RawMessage, error) {
	what := r.Callback
	if r.Unit != nil {
		what = r.Unit.Key
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-l.ended:
		return nil, l.reason()
	case <-ctx.Done():
		return nil, fmt.Errorf("%s was not called: %d calls run already: %w", what, cap(l.slots), context.Cause(ctx))
	}
	id, p, err := l.add(what)
	if err != nil {
		return nil, err
	}
	r.ID = id
	if err := l.send(ctx, r); err != nil {
		l.drop(id)
		return nil, err
	}
	select {
	case m := <-p.answer:
		if m.Error != nil {
			return nil, m.Error.err(what)
		}
		return m.Value, nil
	case <-l.ended:
		return nil, l.reason()
	case <-ctx.Done():
		l.abandon(id, p)
		return nil, fmt.Errorf("%s was cut off: %w", what, context.Cause(ctx))
	}
}

// add makes room for a call.
func (l *life) add(callback string) (uint64, *pending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hanging[callback] >= perCallback {
		return 0, nil, fmt.Errorf("%s is skipped: %d earlier calls of it still hang", callback, perCallback)
	}
	l.last++
	p := &pending{callback: callback, answer: make(chan message, 1)}
	l.calls[l.last] = p
	return l.last, p, nil
}

func (l *life) drop(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.calls, id)
}

func (l *life) send(ctx context.Context, r request) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	select {
	case l.lines <- append(raw, '\n'):
		return nil
	case <-l.ended:
		return l.reason()
	case <-ctx.Done():
		return fmt.Errorf("the Python host takes no calls: %w", context.Cause(ctx))
	}
}

// abandon gives a call up. The interpreter is told, and if it does not even hear
// that, or too much hangs in it, its life ends.
func (l *life) abandon(id uint64, p *pending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls[id] != p || l.why != nil {
		return // answered at the last moment, or over
	}
	p.lost = true
	l.hanging[p.callback]++
	l.lost++
	if l.lost > l.o.Bounds.Hanging {
		l.stop(fmt.Errorf("the Python host was ended: %d calls hung in it", l.lost))
		return
	}
	l.last++
	silent := time.AfterFunc(l.o.Bounds.Silence, func() { l.end(errors.New("the Python host was ended: it did not answer any more")) })
	heard := &pending{answer: make(chan message, 1)}
	l.calls[l.last] = heard
	raw, _ := json.Marshal(request{ID: l.last, Op: "cancel", Call: id})
	l.done.Go(func() {
		defer silent.Stop()
		select {
		case l.lines <- append(raw, '\n'):
		case <-l.ended:
			return
		}
		select {
		case <-heard.answer:
		case <-l.ended:
		}
	})
}

// write sends lines, as many at once as there are.
func (l *life) write() {
	out := bufio.NewWriterSize(l.proc.Stdin, 1<<16)
	for {
		select {
		case line := <-l.lines:
			_, err := out.Write(line)
			if err == nil && len(l.lines) == 0 {
				err = out.Flush()
			}
			if err != nil {
				l.proc.Kill() // the reader finds out
				return
			}
		case <-l.ended:
			l.proc.Stdin.Close()
			return
		}
	}
}

// read takes answers until there are no more.
func (l *life) read() {
	in := bufio.NewReaderSize(l.proc.Stdout, 1<<16)
	var err error
	for err == nil {
		var line []byte
		if line, err = readLine(in, l.o.Bounds.Result+1<<16); err == nil {
			err = l.take(line)
		}
	}
	if err != io.EOF {
		l.o.Log("Python host: " + err.Error())
	}
	l.proc.Kill()
	r := l.proc.Wait()
	how := fmt.Sprintf("exit status %d", r.Exit)
	if r.Signal != "" {
		how = r.Signal
	}
	l.end(fmt.Errorf("%w (%s)", ErrEnded, how))
}

// readLine reads a line of at most so many bytes.
func readLine(in *bufio.Reader, most int) ([]byte, error) {
	var whole []byte
	for {
		part, err := in.ReadSlice('\n')
		if err == nil && whole == nil {
			return part, nil
		}
		if whole = append(whole, part...); err != bufio.ErrBufferFull {
			return whole, err
		}
		if len(whole) > most {
			return nil, fmt.Errorf("a line of more than %d bytes came from it", most)
		}
	}
}

// take hands a message to whom it concerns.
func (l *life) take(line []byte) error {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("it said what is no message: %w", err)
	}
	switch {
	case m.Hello != "":
		l.hello <- m.Hello
		return nil
	case m.Note != "":
		l.o.Note(m.Unit, m.Note)
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.calls[m.ID]
	if p == nil {
		return nil
	}
	delete(l.calls, m.ID)
	if p.lost {
		l.hanging[p.callback]--
		l.lost--
	}
	p.answer <- m
	return nil
}
