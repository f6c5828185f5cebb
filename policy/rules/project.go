package rules

// A project's rules: files in the directories that calls are made in. They can
// only tighten, are read for each call, and a broken one has a person asked.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"assent"
)

// ProjectFile is where a project keeps its rules, from one of its directories.
const ProjectFile = ".assent/rules.yaml"

// Bounds of what is looked at for one call, and kept.
const (
	maxDepth = 64  // directories up from the one that a call is made in
	maxKept  = 256 // files
	maxFile  = 64 << 10
	maxTried = 200 // examples of one file
)

// Project says what the rules of the directories that calls are made in say. It
// is an assent.Hook, and may be called concurrently.
type Project struct {
	Analyse Analyse

	mu   sync.Mutex
	kept map[string]kept
}

// kept is a file as it was read.
type kept struct {
	when time.Time
	size int64
	list []Rule
	err  error
}

// Judge says what the project's rules say of a case. What cannot be read asks, and
// says why (law 3).
func (p *Project) Judge(_ context.Context, c assent.Case) (assent.Reply, error) {
	list, err := p.Rules(c.Dir, c.Places.Assent)
	for i := range list {
		if short, err := filepath.Rel(c.Dir, list[i].At.File); err == nil {
			list[i].At.File = filepath.ToSlash(short)
		}
	}
	r := Book(list).say("project rules", c)
	if err != nil && r.Decision < assent.Ask {
		r = assent.Reply{By: "project rules", Decision: assent.Ask, Reason: "The rules of this project cannot be read, so a person is asked: " + strings.ReplaceAll(err.Error(), "\n", "; ") + "."}
	}
	return r, nil
}

// Rules returns the rules of a directory and of those above it, up to the root of
// its repository; of a directory that is in none, its own alone. assent's own home
// is no project. Those that allow are among them, and are heard by nobody. The
// error names what could not be read; the rules that could are returned with it.
func (p *Project) Rules(dir, home string) (list []Rule, err error) {
	for f, ferr := range p.Files(dir, home) {
		list, err = append(list, f.Rules...), errors.Join(err, ferr)
	}
	return list, err
}

// File is one file of a project's rules.
type File struct {
	Path  string
	Rules []Rule
}

// Files yields the files that Rules reads, the nearest first, each with what is
// wrong with it.
func (p *Project) Files(dir, home string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, d := range projectDirs(dir) {
			if home != "" && filepath.Join(d, filepath.Dir(ProjectFile)) == filepath.Clean(home) {
				continue
			}
			list, err := p.file(d)
			if (len(list) > 0 || err != nil) && !yield(File{filepath.Join(d, ProjectFile), list}, err) {
				return
			}
		}
	}
}

// projectDirs are the directories of one repository from dir up.
func projectDirs(dir string) []string {
	if !filepath.IsAbs(dir) {
		return nil
	}
	var dirs []string
	for d := filepath.Clean(dir); len(dirs) < maxDepth; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return dirs
		}
		if filepath.Dir(d) == d {
			break
		}
	}
	return dirs[:1]
}

// file reads the rules of one directory, if they have changed since.
func (p *Project) file(dir string) ([]Rule, error) {
	name := filepath.Join(dir, ProjectFile)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.mu.Lock()
	k, ok := p.kept[name]
	p.mu.Unlock()
	if ok && k.size == info.Size() && k.when.Equal(info.ModTime()) {
		return k.list, k.err
	}
	k = kept{when: info.ModTime(), size: info.Size()}
	k.list, k.err = p.read(dir, name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= maxKept {
		p.kept = map[string]kept{}
	}
	p.kept[name] = k
	return k.list, k.err
}

// read parses the file and runs its examples. A file that lies elsewhere, behind a
// link that leads out of the project, is not read: what is said of it would tell
// what stands there.
func (p *Project) read(dir, name string) ([]Rule, error) {
	raw, err := contained(dir, ProjectFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("%s:1: it is longer than %d bytes: %w", name, maxFile, assent.ErrInvalid)
	}
	list, err := Parse(name, raw)
	if err != nil {
		return nil, err
	}
	examples := 0
	for i := range list {
		list[i].Project = true
		examples += len(list[i].Match) + len(list[i].NotMatch)
	}
	if examples > maxTried {
		return nil, fmt.Errorf("%s:1: it has more than %d examples: %w", name, maxTried, assent.ErrInvalid)
	}
	if err := Try(list, p.Analyse); err != nil {
		return nil, err
	}
	return list, nil
}

// contained reads a regular file of a directory, following no link out of it.
func contained(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errNotRegular)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

var errNotRegular = fmt.Errorf("it is not a file of this directory: %w", assent.ErrInvalid)
