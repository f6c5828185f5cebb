// Package config makes one working assent of one file: it is the only package
// that knows all the others.
//
// It decides nothing itself, and keeps no state but what it was opened with.
//
//	home, err := config.Locate(os.Getenv)
//	d, err := config.Dial(ctx, home, time.Now) // the server, or the store itself
//	defer d.Close()
//	v, err := d.Handle(ctx, event)
package config

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assent"
	"assent/analyze"
	"assent/engine"
	"assent/hook/consent"
	"assent/internal/peer"
	"assent/policy"
	"assent/roster"
	"assent/store/sqlite"
)

// CanaryField marks an event that only tests whether the gate is closed: it is
// judged and recorded, and a call that would be asked about is denied.
const CanaryField = "assent_canary"

// pollEvery is how often a process without a server looks for what others wrote.
const pollEvery = 100 * time.Millisecond

// open makes the engine of a home that Make has made. lock is taken around every
// write; nil means that the caller holds the home's lock already.
func (h Home) open(ctx context.Context, file File, now func() time.Time, lock func(context.Context) (func(), error)) (*engine.Engine, *users, error) {
	key := h.Key()
	store, err := sqlite.Open(ctx, h.Database(), sqlite.Options{Lock: lock, Witness: key})
	if err != nil {
		return nil, nil, h.named(err)
	}
	c := h.Clock(now)
	mine := h.users(ctx, file, c.Now)
	who, err := h.Advisors(file, mine.guard)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	o := Options(file, h.Places())
	o.Users, o.Owner = mine.hook(), file.standings()
	if len(who) > 0 {
		o.Advisor, o.Notify = who.Of, file.notify
	}
	people := roster.New(h.Approvers())
	people.Vouch = func(ctx context.Context, key roster.Approver) error {
		return engine.Enrolled(ctx, store, key.Fingerprint, key.Public)
	}
	o.Store, o.Roster, o.Now, o.Home = store, people, c.Now, key
	o.Kill, o.Within = kill, peer.Within
	if lock != nil {
		o.Poll = pollEvery
	}
	e := engine.New(o)
	mine.clock = c
	if lock != nil { // a server looks again and again
		if err := lookAtClock(ctx, e, c); err != nil {
			return nil, nil, errors.Join(err, store.Close())
		}
	}
	return e, mine, nil
}

// Options returns what the file says an engine is made of, but for its store,
// roster and clock.
func Options(f File, p assent.Places) engine.Options {
	p.Guards = append(f.guards(p.Home), linked(p.Assent)...)
	return engine.Options{
		Analyse: func(e assent.Event) assent.Case { return analyze.Case(e, p) },
		Floor:   policy.Floor,
		BuiltIn: policy.BuiltIn,
		Hooks:   hooks(f, p),
		Default: f.posture(),
		Profile: f.ProfileOf,
		Ask:     f.Ask,
		Expires: time.Duration(f.Approvals.Expires),
		Boot:    peer.BootID(),
	}
}

// guards are the files that the owner's hooks and approvers run, as far as the command
// lines name them.
func (f File) guards(home string) []string {
	var out []string
	add := func(command string) {
		p := consent.Place{Home: home}
		for _, path := range append(p.Files(command), p.Script(command)) { // the script, even where it is not there yet
			if filepath.IsAbs(path) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	for name, a := range f.approvals() {
		if a.asksHook() {
			add(a.Hook)
		}
		for _, l := range f.For(name).Users.Hooks {
			add(l.Command)
		}
	}
	return out
}

// linked are the places outside of the home that links in it lead to: what stands there
// is as good as in it.
func linked(dir string) []string {
	var out []string
	for _, sub := range []string{"", HookDirs, Plugins, DropIns} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub)) // of what is not there, nothing leads anywhere
		for _, e := range entries {
			if e.Type()&fs.ModeSymlink == 0 {
				continue
			}
			if to, err := filepath.EvalSymlinks(filepath.Join(dir, sub, e.Name())); err == nil {
				out = append(out, to)
			}
		}
	}
	return out
}
