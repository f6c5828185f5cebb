package config

// Delivering what a process that ended left for hooks that watch.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/internal/child"
)

// deliverFor is how long hooks get for what was left to them.
const deliverFor = 2 * time.Minute

// leave starts a process of its own that tells hooks of cases. Where that fails, the
// log says what they were not told, and the error too.
func (u *users) leave(cases []assent.Case) error {
	err := u.start(cases)
	if err == nil {
		return nil
	}
	names := map[string]bool{}
	for _, c := range cases {
		names[c.Name] = true
	}
	err = fmt.Errorf("hooks that watch were not told of %s (%d in all): %w", strings.Join(slices.Sorted(maps.Keys(names)), ", "), len(cases), err)
	u.log.line(err.Error())
	return errors.Join(err, u.log.close())
}

func (u *users) start(cases []assent.Case) error {
	exe, err := self()
	if err != nil {
		return err
	}
	in, err := os.CreateTemp(u.home.Dir, ".left-*") // where no variable puts it somewhere else
	if err != nil {
		return err
	}
	defer in.Close()
	_ = os.Remove(in.Name()) // nobody else reads it
	w := bufio.NewWriter(in)
	enc := json.NewEncoder(w)
	for _, c := range cases {
		err = errors.Join(err, enc.Encode(c.Event))
	}
	if err = errors.Join(err, w.Flush()); err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, "hooks", "deliver")
	if u.home.fixed { // by an argument then, as it was for us
		cmd.Args = append(cmd.Args, "--home", u.home.Dir)
	}
	cmd.Stdin, cmd.Dir, cmd.Env, cmd.SysProcAttr = in, u.home.Dir, append(os.Environ(), "ASSENT_HOME="+u.home.Dir), child.Apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// Deliver tells the hooks of a home that watch of the events on in, one in a line.
func (h Home) Deliver(ctx context.Context, in io.Reader, now func() time.Time) error {
	file, err := h.Load()
	if err != nil {
		return err
	}
	e, mine, err := h.open(ctx, file, now, h.brief)
	if err != nil {
		return err
	}
	defer e.Store().Close()
	defer func() { _ = mine.close() }()
	d := mine.dispatcher()
	dec := json.NewDecoder(in)
	for {
		var ev assent.Event
		if err := dec.Decode(&ev); err != nil {
			break // its end, or nothing that we wrote
		}
		d.Tell(assent.Case{Event: ev})
	}
	err = d.Drain(ctx, deliverFor)
	recordStats(ctx, e, d, nil)
	return err
}
