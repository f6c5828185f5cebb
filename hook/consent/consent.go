// Package consent keeps which shell hooks may run: a file of (event, command) pairs,
// in the format of Hermes Agent, with the content hash of each file that the command
// names beside it. Where one was edited since, the hook is "changed", and not silently
// trusted.
//
// It asks nobody and runs nothing. Whoever owns the file may add a line by hand.
//
//	f := consent.Open(filepath.Join(home, consent.Name), userHome)
//	if f.Look(assent.PreToolCall, "~/guards/push.sh", dir) != consent.Allowed { … }
//	err := f.Allow(assent.PreToolCall, "~/guards/push.sh", dir)
package consent

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Name is what the file is called in its home.
const Name = "shell-hooks-allowlist.json"

// State is whether a hook may run.
type State string

// The states.
const (
	Missing  State = "missing"  // nobody has allowed it
	Allowed  State = "allowed"  //
	Unhashed State = "unhashed" // allowed, and not all that runs is bound: there is no file to bind, or whoever wrote the entry bound none
	Changed  State = "changed"  // allowed once; a file that it names is another now, or cannot be read
)

// May reports whether a hook in this state runs.
func (s State) May() bool { return s == Allowed || s == Unhashed }

// File is the file of consents. It is read anew whenever it has changed, so that what
// one process allows or revokes holds in all others at once. It may be used
// concurrently.
type File struct {
	path, home string
	now        func() time.Time

	mu     sync.Mutex
	seen   identity   // of the file, when entries were read
	list   []Approval // what it holds
	err    error      // why it could not be read
	memory []Approval // allowed in this process, and could not be written
	hashes map[string]hashed
}

// Open returns the file at a path, which need not exist. home is what "~" stands for
// in commands.
func Open(path, home string) *File {
	return &File{path: path, home: home, now: time.Now, hashes: map[string]hashed{}}
}

// List is everything that is allowed. The error says why the file cannot be read;
// then nothing in it counts.
func (f *File) List() ([]Approval, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	return append(append([]Approval(nil), f.list...), f.memory...), f.err
}

// Look is whether a command may run for an event in a directory, which is where
// relative scripts are looked for. It is cheap enough to be asked before every call.
func (f *File) Look(event, command, dir string) State {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh()
	for _, list := range [][]Approval{f.memory, f.list} {
		for _, a := range list {
			if a.Event == event && a.Command == command {
				return f.state(a, dir)
			}
		}
	}
	return Missing
}

// state compares an approval with the files as they are.
func (f *File) state(a Approval, dir string) State {
	if isURL(a.Command) {
		return Allowed // there is no content to bind
	}
	p := Place{Home: f.home, Dir: dir}
	l, _ := p.line(a.Command)
	loose, whole := l.loose, a.Files != nil
	if !whole { // nobody looked at these when it was allowed
		loose = append(loose, l.near...)
	}
	for _, w := range loose {
		if a.SHA256 == "" || p.of(w) != a.Script {
			return Missing
		}
	}
	script := l.script
	if !whole && slices.Contains(slices.Collect(maps.Values(l.files)), a.Script) {
		script = a.Script // as whoever wrote the entry saw it
	}
	if a.SHA256 != "" && !f.is(script, a.SHA256) {
		return Changed
	}
	for key, path := range l.files {
		if whole && (path != script || a.SHA256 == "") && !f.is(path, a.Files[key]) {
			return Changed
		}
	}
	for key := range a.Files {
		if l.files[key] == "" {
			return Changed // it is gone
		}
	}
	if l.beyond || a.SHA256 == "" || !whole && len(l.files) > 1 {
		return Unhashed
	}
	return Allowed
}

func (f *File) is(path, sum string) bool {
	is, err := f.hash(path)
	return err == nil && is == sum
}

func isURL(command string) bool {
	return strings.HasPrefix(command, "https://") || strings.HasPrefix(command, "http://")
}

// Allow writes down that a command may run for an event, with the files that it names
// as they are now. A command that names a file of whatever directory the agent works
// in is refused. When it cannot be written, the error says so, and this process allows it all
// the same.
func (f *File) Allow(event, command, dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	a, err := f.approve(event, command, dir)
	if err != nil {
		return err
	}
	_, err = f.change(func(list []Approval) []Approval { return append(without(list, event, command), a) })
	f.memory = without(f.memory, event, command)
	if err != nil {
		f.memory = append(f.memory, a)
	}
	return err
}

// Revoke takes back a command for every event, and returns how often it was allowed.
func (f *File) Revoke(command string) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := without(f.memory, "", command)
	n := len(f.memory) - len(kept)
	f.memory = kept
	gone, err := f.change(func(list []Approval) []Approval { return without(list, "", command) })
	return n + gone, err
}

// without are the approvals but those of a command, for one event or, for "", all.
func without(list []Approval, event, command string) []Approval {
	var out []Approval
	for _, a := range list {
		if a.Command != command || event != "" && a.Event != event {
			out = append(out, a)
		}
	}
	return out
}
