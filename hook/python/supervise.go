package python

// The supervisor: starts the interpreter, loads everything again, and does both anew
// when it dies, after a pause that grows.

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"assent"
	"assent/internal/child"
)

//go:embed py/*.py
var files embed.FS

// supervise keeps an interpreter running until Close.
func (h *Host) supervise(ctx context.Context) {
	defer close(h.over)
	for fails := 0; ; fails++ {
		began := time.Now()
		l, err := h.start(ctx)
		if err == nil {
			if h.reload(ctx, l) {
				h.move(l, nil)
			}
			l.done.Wait()
			err = l.reason()
		}
		if time.Since(began) > healthy {
			fails = 0
		}
		if !h.pause(fails, l != nil, err) {
			return
		}
	}
}

// pause waits before a new start. False: there is to be none.
func (h *Host) pause(fails int, lived bool, why error) bool {
	wait := pause(h.o.Bounds.Pause, fails)
	var down error
	switch {
	case !lived:
		down = why
	case wait > patience:
		down = fmt.Errorf("the Python host is not there, and is started again in %s; why: %w", wait, why)
	}
	h.move(nil, down)
	select {
	case <-h.closed:
		return false
	default:
	}
	h.o.Log(fmt.Sprintf("Python host: %v; it is started again in %s", why, wait))
	select {
	case <-time.After(wait):
	case <-h.closed:
		return false
	}
	if lived {
		h.move(nil, nil)
	}
	return true
}

// pause is how long to wait after so many failures in a row.
func pause(first time.Duration, fails int) time.Duration {
	for range fails {
		if first >= longest {
			break
		}
		first *= 2
	}
	return min(first, longest)
}

// reload loads again what was loaded before. What ends the interpreter while it is
// loaded is left out from then on.
func (h *Host) reload(ctx context.Context, l *life) bool {
	for _, u := range h.loaded() {
		if l.reason() != nil {
			return false
		}
		ctx, cancel := context.WithTimeout(ctx, h.o.Bounds.Start)
		_, err := l.load(ctx, u)
		cancel()
		if err != nil {
			h.forget(u)
			h.o.Note(u.Key, "it could not be loaded again: "+err.Error())
		}
	}
	return l.reason() == nil
}

// start starts an interpreter and waits until it is there.
func (h *Host) start(ctx context.Context) (*life, error) {
	args, texts, err := h.o.boot()
	if err != nil {
		return nil, err
	}
	said := &lastLine{log: h.o.Log}
	p, err := child.Start(ctx, child.Spec{Args: args, Dir: h.o.Dir, Env: h.o.Env, OnLine: said.take, Guard: h.o.Guard})
	if errors.Is(err, child.ErrNotFound) {
		return nil, fmt.Errorf("%s is not on the PATH; install Python 3.9 or newer", h.o.Command[0])
	}
	if err != nil {
		return nil, fmt.Errorf("start Python: %w", err)
	}
	l := newLife(h.o, p)
	l.lines <- texts
	if err := h.greeted(l, said); err != nil {
		return nil, err
	}
	return l, nil
}

// boot is the interpreter's command line, and what it is to read first.
func (o Options) boot() (args []string, texts []byte, err error) {
	boot, err := files.ReadFile("py/boot.py")
	if err != nil {
		return nil, nil, err
	}
	if texts, err = modules(); err != nil {
		return nil, nil, err
	}
	return slices.Concat(o.Command, []string{"-I", "-c", string(boot), strconv.Itoa(len(texts)), strconv.Itoa(o.Bounds.Result)}), texts, nil
}

// greeted waits for the interpreter's first word.
func (h *Host) greeted(l *life, said *lastLine) error {
	late := time.NewTimer(h.o.Bounds.Start)
	defer late.Stop()
	var err error
	select {
	case <-l.hello:
		return nil
	case <-l.ended:
		err = fmt.Errorf("the interpreter did not start: %s", said.line)
	case <-late.C:
		err = fmt.Errorf("the interpreter did not start within %s", h.o.Bounds.Start)
	case <-h.closed:
		err = ErrClosed
	}
	l.end(err)
	l.done.Wait()
	return err
}

// modules are the texts of the host's own Python modules by their names, as JSON.
func modules() ([]byte, error) {
	names, err := files.ReadDir("py")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{"assent_host.events": events()}
	for _, f := range names {
		raw, err := files.ReadFile(path.Join("py", f.Name()))
		if err != nil {
			return nil, err
		}
		name := "assent_host." + strings.TrimSuffix(f.Name(), ".py")
		texts[strings.TrimSuffix(name, ".__init__")] = string(raw)
	}
	return json.Marshal(texts)
}

// events is a module with the names that plugins' hooks may have, and their fields.
func events() string {
	fields := map[string][]string{}
	for _, t := range assent.Events {
		if strings.Contains(t.Name, ":") {
			continue
		}
		fields[t.Name] = []string{}
		for _, f := range slices.Concat(t.Fields, assent.CommonFields) {
			fields[t.Name] = append(fields[t.Name], f.Name)
		}
	}
	raw, _ := json.Marshal(fields)
	return "FIELDS = " + string(raw) + "\nNAMES = frozenset(FIELDS)\n"
}

// lastLine keeps the last line of standard error until the interpreter is there.
type lastLine struct {
	log  func(string)
	line string
}

func (s *lastLine) take(line string) {
	s.line = line
	s.log(line)
}
