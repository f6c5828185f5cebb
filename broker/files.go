package broker

// Files: read and written in directories that are held, along no link.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assent"
)

// Read returns what a regular file holds, at most max bytes of it. A relative path counts
// from this process's directory. Links are followed once, before it is asked about: what
// is asked about is what is read. ErrChanged: the path leads elsewhere since. ErrInvalid:
// it is no regular file, or has more in it. Else the errors of Exec.
func (b *Broker) Read(ctx context.Context, path string, max int64) ([]byte, error) {
	full, err := filepath.Abs(path)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return nil, found(err)
	}
	spot, err := reach(full)
	if err != nil {
		return nil, err
	}
	defer spot.close()
	f, err := spot.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	input, err := textInput("path", full)
	if err != nil {
		return nil, err
	}
	var out []byte
	err = b.act(ctx, b.event(assent.ToolRead, workingDir(), input), spot.same, func() (n int64, err error) {
		out, err = readMost(f, max)
		return int64(len(out)), err
	})
	return out, err
}

func readMost(f *os.File, max int64) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(out)) > max {
		return nil, fmt.Errorf("%s holds more than %d bytes: %w", f.Name(), max, assent.ErrInvalid)
	}
	return out, err
}

// Write gives a file this content: a new one in its place, so that nothing else that
// leads to the old one changes. Its directory must be there; links to that are followed
// once, as Read does, and one in the file's own place is refused. ErrInvalid for what is
// not text, which nobody could be shown. Else the errors of Read.
func (b *Broker) Write(ctx context.Context, path string, content []byte) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return found(err)
	}
	spot, err := reach(filepath.Join(dir, filepath.Base(full)))
	if err != nil {
		return err
	}
	defer spot.close()
	mode, err := spot.writable()
	if err != nil {
		return err
	}
	input, err := textInput("path", spot.path, "content", string(content))
	if err != nil {
		return err
	}
	return b.act(ctx, b.event(assent.ToolWrite, workingDir(), input), spot.same, func() (int64, error) {
		return int64(len(content)), spot.replace(content, mode)
	})
}

// act spends a use on something that is no program, and does it if all is still as it
// was.
func (b *Broker) act(ctx context.Context, ev assent.Event, same func() error, do func() (int64, error)) error {
	v, err := b.use(ctx, ev)
	if err != nil {
		return err
	}
	if err := same(); err != nil {
		return b.giveBack(ctx, ev, v, err)
	}
	if v.Grant != "" {
		if err := b.Gate.Begin(ctx, assent.Start{Session: v.Session, Call: ev.Call, Digest: v.Digest}); err != nil {
			return b.giveBack(ctx, ev, v, err)
		}
	}
	n, err := do()
	end := assent.End{Session: v.Session, Call: ev.Call, Digest: v.Digest, Started: true, Out: n}
	if err != nil {
		end.Exit, end.Note = 1, err.Error()
	}
	return errors.Join(err, b.ended(ctx, end))
}

// textInput is the input of a call whose fields are texts: names and values in turn.
func textInput(pairs ...string) (json.RawMessage, error) {
	fields := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		if !utf8.ValidString(pairs[i+1]) {
			return nil, fmt.Errorf("the %s is not text: what cannot be shown cannot be approved: %w", pairs[i], assent.ErrInvalid)
		}
		if pairs[i+1] != "" || pairs[i] == "content" {
			fields[pairs[i]] = pairs[i+1]
		}
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return assent.Canonical(raw)
}

func workingDir() string {
	dir, _ := os.Getwd() // one that is gone has no name
	return dir
}

// spot is a file's place: its directory, which is held, and its name there.
type spot struct {
	path string
	dir  *os.Root
	base string
	info os.FileInfo // of what is there; nil = nothing
}

// reach walks down to the directory of a path without links, a step at a time, and
// refuses one that has become a link.
func reach(path string) (*spot, error) {
	dir, err := walk(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	s := &spot{path: path, dir: dir, base: filepath.Base(path)}
	s.info, err = dir.Lstat(s.base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		dir.Close()
		return nil, err
	}
	return s, nil
}

func walk(path string) (*os.Root, error) {
	rest, volume := path, filepath.VolumeName(path)
	at, err := os.OpenRoot(volume + string(filepath.Separator))
	if err != nil {
		return nil, err
	}
	for name := range steps(rest[len(volume):]) {
		next, err := step(at, name)
		at.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		at = next
	}
	return at, nil
}

// step opens a directory in another, which is no link.
func step(at *os.Root, name string) (*os.Root, error) {
	before, err := at.Lstat(name)
	if err != nil {
		return nil, found(err)
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s is no directory: %w", name, ErrChanged)
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := next.Stat(".")
	still, again := at.Lstat(name)
	if err != nil || again != nil || !alike(before, after) || !alike(before, still) {
		next.Close()
		return nil, fmt.Errorf("%s leads elsewhere: %w", name, ErrChanged)
	}
	return next, nil
}

// open opens the file, which is a regular one and no link.
func (s *spot) open() (*os.File, error) {
	switch {
	case s.info == nil:
		return nil, fmt.Errorf("%s: %w", s.path, assent.ErrNotFound)
	case !s.info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: %w", s.path, assent.ErrInvalid)
	}
	f, err := s.dir.OpenFile(s.base, os.O_RDONLY|quietly, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(info, s.info) {
		f.Close()
		return nil, fmt.Errorf("%s leads elsewhere: %w", s.path, ErrChanged)
	}
	return f, nil
}

// same reports whether the path still leads to the same directory and file.
func (s *spot) same() error {
	now, err := reach(s.path)
	if err != nil {
		return errors.Join(err, ErrChanged)
	}
	defer now.close()
	a, errA := s.dir.Stat(".")
	b, errB := now.dir.Stat(".")
	if errA != nil || errB != nil || !os.SameFile(a, b) || (s.info == nil) != (now.info == nil) || s.info != nil && !alike(s.info, now.info) {
		return fmt.Errorf("%s leads elsewhere: %w", s.path, ErrChanged)
	}
	return nil
}

// alike reports whether two are the same file, and of one kind: the number of one that
// is gone may be another's.
func alike(a, b fs.FileInfo) bool { return os.SameFile(a, b) && a.Mode().Type() == b.Mode().Type() }

// writable reports which mode a file has that may be replaced, or a new one gets.
func (s *spot) writable() (fs.FileMode, error) {
	switch {
	case s.info == nil:
		return 0o666, nil // less the umask
	case s.info.Mode()&fs.ModeSymlink != 0:
		return 0, fmt.Errorf("%s is a symbolic link; write to what it leads to: %w", s.path, assent.ErrInvalid)
	case !s.info.Mode().IsRegular():
		return 0, fmt.Errorf("%s is no regular file: %w", s.path, assent.ErrInvalid)
	}
	return s.info.Mode().Perm(), nil
}

// replace writes a new file beside the old one, and puts it in its place.
func (s *spot) replace(content []byte, mode fs.FileMode) (err error) {
	name := ".assent-" + rand.Text()
	f, err := s.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if s.info != nil && err == nil {
		err = f.Chmod(mode) // whatever the umask
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = s.dir.Rename(name, s.base)
	}
	if err != nil {
		err = errors.Join(err, s.dir.Remove(name))
	}
	return err
}

func (s *spot) close() { s.dir.Close() }

// steps are the names of a path, from its root on.
func steps(path string) iter.Seq[string] {
	return strings.FieldsFuncSeq(filepath.ToSlash(path), func(c rune) bool { return c == '/' })
}
