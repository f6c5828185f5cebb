package config

// The user's hooks, at work: what the file and the home name becomes one dispatcher,
// made when it is first needed.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assent"
	"assent/engine"
	"assent/hook"
	"assent/hook/consent"
	"assent/hook/dir"
	"assent/hook/plugin"
	"assent/hook/python"
	"assent/hook/script"
	"assent/hook/webhook"
	"assent/internal/child"
	"assent/internal/clock"
)

const (
	lastWords = 5 * time.Second // for hooks that watch, when the server ends
	tellEvery = time.Minute     // between records of what they did
)

// Folders of the home that hold the user's code.
const (
	HookDirs = "hooks"   // directories with HOOK.yaml
	Plugins  = "plugins" // Python plugins
)

// Consents is the file of the commands that may run.
func (h Home) Consents() *consent.File {
	return consent.Open(filepath.Join(h.Dir, consent.Name), h.Places().Home)
}

// HookLog is where what hooks print goes.
func (h Home) HookLog() string { return filepath.Join(h.Dir, "hooks.log") }

// UserHooks are all hooks of a home, and what is wrong with them.
type UserHooks struct {
	Scripts  []script.Spec // that are asked or told by running them
	Webhooks []hook.Entry
	Dirs     []dir.Found
	Plugins  []plugin.Found
	Warnings []string

	entries []hook.Entry
	failing []hook.Entry // in the place of what could not be found
}

// users are the hooks of one process.
type users struct {
	base   context.Context // of what outlives one call
	home   Home
	file   File
	now    func() time.Time
	guard  *child.Guard
	python *python.Host
	log    *hookLog
	clock  *clock.Clock
	some   bool // there may be hooks

	once sync.Once
	d    *hook.Dispatcher
}

func (h Home) users(ctx context.Context, f File, now func() time.Time) *users {
	u := &users{base: context.WithoutCancel(ctx), home: h, file: f, now: now, log: &hookLog{path: h.HookLog()}}
	if u.some = u.any(); u.some || slices.ContainsFunc(slices.Collect(maps.Values(f.approvals())), Approvals.asksHook) {
		u.guard, u.python = h.runners(u.log.line)
	}
	return u
}

// runners are what ends hooks with this process, and the interpreter of those in
// Python, which starts with the first of them. log hears what they print.
func (h Home) runners(log func(line string)) (*child.Guard, *python.Host) {
	guard := &child.Guard{}
	if exe, err := self(); err == nil {
		guard.Command = []string{exe, "reap"}
	}
	return guard, python.New(python.Options{
		Env: h.environ(), Dir: h.Dir, Guard: guard, Log: log, Note: func(unit, text string) { log(unit + ": " + text) },
	})
}

// any reports, without running anything, whether there may be hooks.
func (u *users) any() bool {
	f := u.file.Users
	for _, p := range u.file.Profiles {
		f.Hooks, f.Outbound = append(f.Hooks, p.File.Users.Hooks...), append(f.Outbound, p.File.Users.Outbound...)
	}
	if len(f.Hooks)+len(f.Outbound)+len(f.Enabled) > 0 {
		return true
	}
	dirs, err := os.ReadDir(filepath.Join(u.home.Dir, HookDirs))
	return err != nil && !errors.Is(err, fs.ErrNotExist) || len(dirs) > 0 // what cannot be read may hold a guard
}

// hook is the dispatcher as an engine has it; nil when there is nobody to ask.
func (u *users) hook() assent.Hook {
	if !u.some {
		return nil
	}
	return assent.HookFunc(func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		return u.dispatcher().Judge(ctx, c)
	})
}

func (u *users) dispatcher() *hook.Dispatcher {
	u.once.Do(func() {
		if u.d = hook.New(hook.Options{Now: u.now}); !u.some {
			return
		}
		all := u.home.hooksOf(u.base, u.file, u.python, u.home.scriptHost(u.file, u.guard))
		for _, w := range all.Warnings {
			u.log.line(w)
		}
		u.d.Use(all.entries)
	})
	return u.d
}

// limit is how long hooks may take; at least a second where there are any.
func (u *users) limit() time.Duration {
	if !u.some {
		return 0
	}
	return max(u.dispatcher().Limit(""), time.Second)
}

// announce notes the limit for those who ask this server.
func (u *users) announce() error {
	if err := u.home.Remember(); err != nil {
		return err
	}
	if l := u.limit(); l > 0 {
		return writeFile(u.home.limit(), []byte(strconv.Itoa(int(l/time.Second)+1)+"\n"), 0o600)
	}
	return removed(os.Remove(u.home.limit()))
}

// run tells those that watch, and records what they did, until ctx ends.
func (u *users) run(ctx context.Context, e *engine.Engine) error {
	if !u.some {
		<-ctx.Done()
		return nil
	}
	d := u.dispatcher()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan error, 1)
	go func() { over <- d.Run(ctx, lastWords) }()
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	var told []hook.Stat
	for {
		select {
		case <-tick.C:
			told = recordStats(ctx, e, d, told)
		case err := <-over:
			recordStats(context.WithoutCancel(ctx), e, d, told)
			return err
		}
	}
}

// recordStats records what hooks that watch did since the last time, if anything.
func recordStats(ctx context.Context, e *engine.Engine, d *hook.Dispatcher, told []hook.Stat) []hook.Stat {
	var now, changed []hook.Stat
	for _, s := range d.Stats() {
		if t, ok := assent.EventNamed(s.Event); ok && assent.Gates(t.Name) {
			continue // each call of it is in the record of its event
		}
		now = append(now, s)
		if s.Calls+s.Dropped > 0 && !slices.Contains(told, s) {
			changed = append(changed, s)
		}
	}
	if len(changed) > 0 {
		data, _ := json.Marshal(map[string][]hook.Stat{"stats": changed})
		_, _ = e.Store().Append(ctx, assent.Draft{Record: assent.Record{At: e.Now(), Kind: assent.KindHook, Note: "hooks that watch", Data: data}})
	}
	return now
}

// end ends what a server has for its hooks.
func (u *users) end() error { return errors.Join(u.close(), removed(os.Remove(u.home.limit()))) }

// close ends the interpreter and the log. What those that watch were not told yet is
// left to a process that nobody waits for.
func (u *users) close() error {
	if u.d == nil || !u.some {
		return nil
	}
	left := u.d.Queued()
	ctx, cancel := context.WithTimeout(u.base, lastWords)
	defer cancel()
	err := errors.Join(u.python.Close(ctx), u.log.close())
	if len(left) > 0 {
		err = errors.Join(err, u.leave(left))
	}
	return err
}

// hooksOf makes the hooks of a home: plugins first, then scripts, as they stand in
// the file, then directories.
func (h Home) hooksOf(ctx context.Context, f File, py *python.Host, host script.Host) UserHooks {
	out := h.Found(f)
	set := plugin.Load(ctx, py, h.pluginOptions(f), out.Plugins)
	out.Plugins = set.Found
	for _, p := range set.Found {
		for _, text := range p.Problems {
			out.Warnings = append(out.Warnings, "plugin "+p.Key+": "+text)
		}
	}
	for _, d := range out.Dirs {
		for _, text := range d.Problems {
			out.Warnings = append(out.Warnings, "hook directory "+d.Name+": "+text)
		}
	}
	out.entries = slices.Concat(out.failing, set.Entries)
	for _, s := range out.Scripts {
		e, warning := script.New(s, host)
		if webhook.IsURL(s.Command) {
			e = directive(h, f, s, e, host.Consent)
		}
		if warning != "" {
			out.Warnings = append(out.Warnings, warning)
		}
		out.entries = append(out.entries, e)
	}
	out.entries = slices.Concat(out.entries, dir.Entries(py, host, out.Dirs), out.Webhooks)
	return out
}

// directive makes the entry of an address that is asked, as the script of the same
// place would be.
func directive(h Home, f File, s script.Spec, as hook.Entry, look func(event, command, dir string) consent.State) hook.Entry {
	key, err := h.secret(f.secretOf(s))
	e := webhook.Directive{URL: s.Command, Event: s.Event, Match: as.Match, Profile: s.Profile, Timeout: s.Timeout, OnError: s.OnError, Secret: key}.Entry()
	ask := e.Call
	e.Call = func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		switch state := look(s.Event, s.Command, ""); {
		case err != nil:
			return assent.Reply{}, err
		case !state.May():
			return assent.Reply{}, fmt.Errorf("it is not allowed to be asked yet: assent hooks allow '%s'", s.Command)
		}
		return ask(ctx, c)
	}
	return e
}

// secretOf is the reference of the key of an address.
func (f File) secretOf(s script.Spec) string {
	for _, l := range f.For(s.Profile).Users.Hooks {
		if l.Command == s.Command && l.Secret != "" {
			return l.Secret
		}
	}
	return ""
}

// Found finds the hooks of a home, and runs nothing.
func (h Home) Found(f File) UserHooks {
	var out UserHooks
	h.lines(&out, f.base(), len(f.Profiles) == 0, f.Users)
	for _, p := range f.Profiles {
		h.lines(&out, p.Name, false, p.File.Users)
	}
	out.Scripts = script.Unique(out.Scripts)
	var err error
	if out.Dirs, err = dir.Discover(filepath.Join(h.Dir, HookDirs)); err != nil {
		out.fail("directories", err)
	}
	if out.Plugins, err = plugin.Discover(h.pluginOptions(f)); err != nil {
		out.fail("plugins", err)
	}
	for _, id := range f.Users.Enabled {
		here := func(p plugin.Found) bool { return p.Enabled && (id == p.Key || id == p.Manifest.Name) }
		if !slices.ContainsFunc(out.Plugins, here) && !slices.Contains(f.Users.Disabled, id) {
			out.fail("plugin "+id, fmt.Errorf("plugins.enabled names %s, and there is no such plugin that can be loaded in %s", id, strings.Join(h.pluginOptions(f).Roots, " or ")))
		}
	}
	return out
}

// fail notes what could not be found: whether it was a guard, nobody can tell, so in
// its place stands one that fails.
func (u *UserHooks) fail(what string, why error) {
	u.Warnings = append(u.Warnings, why.Error())
	u.failing = append(u.failing, hook.Entry{
		ID: what, Kind: hook.KindPlugin, Event: assent.PreToolCall,
		Call: func(context.Context, assent.Case) (assent.Reply, error) { return assent.Reply{}, why },
	})
}

// lines makes hooks of what the file has for one profile. Those of the file itself
// are for everybody.
func (h Home) lines(out *UserHooks, profile string, all bool, u Users) {
	if all || profile == Base {
		profile = ""
	}
	for _, l := range u.Hooks {
		s, warnings, err := l.spec()
		s.Profile = profile
		out.Warnings = append(out.Warnings, warnings...)
		if err != nil {
			out.Warnings = append(out.Warnings, err.Error())
			continue
		}
		out.Scripts = append(out.Scripts, s)
	}
	for _, l := range u.Outbound {
		o, err := l.outbound(h)
		o.Profile = profile
		entries, faults := o.Entries(os.Getenv)
		if err != nil {
			faults = append(faults, err.Error())
		}
		out.Webhooks, out.Warnings = append(out.Webhooks, entries...), append(out.Warnings, faults...)
	}
}

func (h Home) pluginOptions(f File) plugin.Options {
	o := plugin.Options{
		Roots: []string{filepath.Join(h.Dir, Plugins)}, Enabled: f.Users.Enabled, Disabled: f.Users.Disabled,
		Entries: map[string]plugin.Entry{}, Data: filepath.Join(h.Dir, "plugin-data"),
	}
	if f.Users.Hermes {
		o.Roots = append([]string{filepath.Join(h.Places().Home, ".hermes", Plugins)}, o.Roots...)
	}
	for key, raw := range f.Users.Entries {
		var e struct {
			Settings json.RawMessage `json:"settings"`
			Granted  []string        `json:"granted_capabilities"`
		}
		_ = json.Unmarshal(raw, &e) // what is of another form sets nothing
		o.Entries[key] = plugin.Entry{Settings: e.Settings, Granted: e.Granted}
	}
	return o
}

// scriptHost is what hooks of the file run in.
func (h Home) scriptHost(f File, guard *child.Guard) script.Host {
	home := h.Places().Home
	return script.Host{
		Home: home, AssentHome: h.Dir, HermesHome: filepath.Join(home, ".hermes"), Env: h.environ(), Guard: guard, Consent: h.consent(f),
	}
}

// Settled reports whether a command runs the same script in whatever directory an
// agent is.
func (h Home) Settled(command string) bool {
	path := consent.Place{Home: h.Places().Home}.Script(command)
	return path == "" || filepath.IsAbs(path)
}

// consent says whether a command may run. With hooks_auto_accept it is written down of
// one that was never seen before that it may: what has changed since is looked at by
// its owner, and what depends on the agent's directory is nobody's to accept unseen.
func (h Home) consent(f File) func(event, command, dir string) consent.State {
	list := h.Consents()
	return func(event, command, dir string) consent.State {
		state := list.Look(event, command, dir)
		if state == consent.Missing && f.Users.Accept && h.Settled(command) {
			_ = list.Allow(event, command, dir) // where it cannot be written, this process allows it
			state = list.Look(event, command, dir)
		}
		return state
	}
}

// self is this program, by the name that it was called by if that is one.
func self() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	called, err := exec.LookPath(os.Args[0])
	if err != nil || !filepath.IsAbs(called) {
		return exe, nil
	}
	a, errA := os.Stat(called)
	b, errB := os.Stat(exe)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return called, nil
	}
	return exe, nil
}
