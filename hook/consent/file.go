package consent

// The file itself: read, changed under a lock, replaced as a whole.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Approval is one entry. The fields are in the order of their names, as the file has
// them; whatever else an entry holds is kept.
type Approval struct {
	ApprovedAt string
	Command    string
	Event      string
	Script     string            // the file that SHA256 is the hash of
	Files      map[string]string // hashes of all files that the command names, by their words; nil in entries of others
	SHA256     string            // empty: no content is bound
	Mtime      string            // the script's, at approval; empty where it has none

	rest map[string]json.RawMessage
}

// The keys of an entry.
const (
	keyApproved = "approved_at"
	keyCommand  = "command"
	keyEvent    = "event"
	keyScript   = "script"
	keyMtime    = "script_mtime_at_approval"
	keySHA256   = "script_sha256"
	keyFiles    = "files"
)

func (a *Approval) fields() map[string]*string {
	return map[string]*string{
		keyApproved: &a.ApprovedAt, keyCommand: &a.Command, keyEvent: &a.Event,
		keyScript: &a.Script, keyMtime: &a.Mtime, keySHA256: &a.SHA256,
	}
}

// UnmarshalJSON takes what it knows from an entry, and keeps the rest.
func (a *Approval) UnmarshalJSON(raw []byte) error {
	*a = Approval{}
	if err := json.Unmarshal(raw, &a.rest); err != nil {
		return err
	}
	for key, into := range a.fields() {
		_ = json.Unmarshal(a.rest[key], into) // of another type: as good as not there
	}
	_ = json.Unmarshal(a.rest[keyFiles], &a.Files)
	return nil
}

// MarshalJSON writes an entry with its keys sorted.
func (a Approval) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for key, v := range a.rest {
		out[key] = v
	}
	for key, text := range a.fields() {
		if *text != "" {
			out[key] = *text
		}
	}
	if a.Mtime == "" {
		out[keyMtime] = nil
	}
	if a.Files != nil {
		out[keyFiles] = a.Files
	}
	return json.Marshal(out)
}

// Read reads such a file: ours, or that of Hermes Agent. A file that is not there
// holds nothing; one that cannot be understood is an error, and holds nothing.
// Entries without an event or a command are none.
func Read(path string) ([]Approval, error) {
	list, _, err := read(path)
	return list, err
}

func read(path string) (list []Approval, rest map[string]json.RawMessage, err error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the allowlist of hooks: %w", err)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
	var entries []json.RawMessage
	err = json.Unmarshal(raw, &rest)
	if err == nil && rest["approvals"] != nil {
		err = json.Unmarshal(rest["approvals"], &entries)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the allowlist of hooks %s cannot be read, so no hook is allowed: %w", path, err)
	}
	for _, e := range entries {
		var a Approval
		if json.Unmarshal(e, &a) == nil && a.Event != "" && a.Command != "" {
			list = append(list, a)
		}
	}
	return list, rest, nil
}

// refresh reads the file if it is another than when it was read last.
func (f *File) refresh() {
	now, err := identify(f.path)
	if err == nil && now == f.seen {
		return
	}
	f.list, f.err = Read(f.path)
	f.seen = identity{}
	if err == nil && settled(now, f.now()) {
		f.seen = now
	}
}

// change replaces the entries under the lock, and returns how many there are less. A
// file that cannot be understood is not overwritten.
func (f *File) change(edit func([]Approval) []Approval) (less int, err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return 0, fmt.Errorf("the allowlist of hooks: %w", err)
	}
	lock := flock.New(f.path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return 0, fmt.Errorf("lock the allowlist of hooks: %w", err)
	}
	defer lock.Unlock()
	list, rest, err := read(f.path)
	if err != nil {
		return 0, err
	}
	after := edit(slices.Clone(list))
	if len(after) == 0 && len(list) == 0 {
		return 0, nil
	}
	if err := replace(f.path, rest, after); err != nil {
		return 0, fmt.Errorf("write the allowlist of hooks: %w", err)
	}
	f.seen = identity{}
	return len(list) - len(after), nil
}

// replace writes the file anew, whole or not at all.
func replace(path string, rest map[string]json.RawMessage, list []Approval) (err error) {
	doc := map[string]any{"approvals": append([]Approval{}, list...)}
	for key, v := range rest {
		if key != "approvals" {
			doc[key] = v
		}
	}
	raw, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".allowlist-*") // 0600 from the start
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(raw, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// approve makes the entry of a command's files as they are now.
func (f *File) approve(event, command, dir string) (Approval, error) {
	a := Approval{Event: event, Command: command, ApprovedAt: stamp(f.now())}
	if isURL(command) {
		return a, nil
	}
	a.Files = map[string]string{}
	p := Place{Home: f.home, Dir: dir}
	l, _ := p.line(command) // what cannot be split is not run
	for _, w := range append(l.loose, l.near...) {
		return a, p.unbound(w)
	}
	if l.script == "" {
		return a, nil
	}
	a.Script = l.script
	info, err := os.Stat(a.Script)
	if err != nil {
		return a, fmt.Errorf("the script of %q: %w", command, err)
	}
	a.Mtime = stamp(info.ModTime())
	if a.SHA256, err = f.hash(a.Script); err != nil {
		return a, fmt.Errorf("the script of %q: %w", command, err)
	}
	for key, path := range l.files {
		if a.Files[key], err = f.hash(path); err != nil {
			return a, fmt.Errorf("a file of %q: %w", command, err)
		}
	}
	return a, nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
