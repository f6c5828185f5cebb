package config

// The user's rules: where they stand, and what they become.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assent"
	"assent/analyze"
	"assent/policy"
	"assent/policy/rules"
)

// DropIns is the directory of the home whose files are rules: every *.yaml, in the
// order of their names, each as strict as config.yaml.
const DropIns = "rules.d"

// trial is where examples of rules are tried: the places of nobody.
var trial = assent.Places{Home: "/home/you", Assent: "/home/you/.assent"}

// Trial says what is true of an example of a rule. It does not depend on whose
// rules they are, nor where.
func Trial(e assent.Event) assent.Case { return analyze.Case(e, trial) }

// dropIns adds the rules of a directory's files to those that are there.
func dropIns(dir string, list []rules.Rule) ([]rules.Rule, error) {
	paths, err := dropInFiles(dir)
	for _, path := range paths {
		var more []rules.Rule
		if err == nil {
			more, err = rulesOf(path)
			list = append(list, more...)
		}
	}
	return list, err
}

// dropInFiles are the files of rules of a directory, by name.
func dropInFiles(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case strings.HasSuffix(e.Name(), ".yml"):
			err = errors.Join(err, fmt.Errorf("%s: a file of rules ends in .yaml: %w", path, assent.ErrInvalid))
		case strings.HasSuffix(e.Name(), ".yaml"):
			paths = append(paths, path)
		}
	}
	return paths, err
}

func rulesOf(path string) ([]rules.Rule, error) {
	raw, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return rules.Parse(path, raw)
}

// RuleFile is one file that has rules, as it was read.
type RuleFile struct {
	Path  string
	Rules []rules.Rule
	Err   error // why it cannot be used
}

// RuleFiles reads every file whose rules are heard in a directory: the user's, and
// those of the project. Files without rules are not among them.
func RuleFiles(h Home, dir string) []RuleFile {
	var out []RuleFile
	note := func(path string, list []rules.Rule, err error) {
		if err == nil {
			err = rules.Try(list, Trial)
		}
		if len(list) > 0 || err != nil {
			out = append(out, RuleFile{path, list, err})
		}
	}
	f, err := load(h.Config())
	note(h.Config(), f.Said, err)
	drop := filepath.Join(h.Dir, DropIns)
	paths, err := dropInFiles(drop)
	if err != nil {
		note(drop, nil, err)
	}
	for _, path := range paths {
		list, err := rulesOf(path)
		note(path, list, err)
	}
	p := rules.Project{Analyse: Trial}
	for list, err := range p.Files(dir, h.Dir) {
		note(list.Path, list.Rules, err)
	}
	return out
}

// RuleFileAt reads one file of rules wherever it lies. One that lies where those of
// a project do is taken for a project's.
func RuleFileAt(path string) RuleFile {
	f := RuleFile{Path: path}
	if f.Rules, f.Err = rulesOf(path); f.Err == nil {
		f.Err = rules.Try(f.Rules, Trial)
	}
	full, _ := filepath.Abs(path)
	for i := range f.Rules {
		f.Rules[i].Project = strings.HasSuffix(filepath.ToSlash(full), "/"+rules.ProjectFile)
	}
	return f
}

// hooks are the voices of the user's rules, of those of a profile, and of each
// project's.
func hooks(f File, p assent.Places) []assent.Hook {
	out := []assent.Hook{book(f.Said, p), &rules.Project{Analyse: Trial}}
	for _, q := range f.Profiles {
		if own := book(q.File.Said, p); len(own) > 0 {
			out = append(out, assent.HookFunc(func(ctx context.Context, c assent.Case) (assent.Reply, error) {
				if c.Profile != q.Name {
					return assent.Reply{}, nil
				}
				return own.Judge(ctx, c)
			}))
		}
	}
	return out
}

// book is rules whose places, where they are the user's, are written from the home
// on, as people know them.
func book(list []rules.Rule, p assent.Places) rules.Book {
	named := slices.Clone(list)
	for i := range named {
		if short, err := filepath.Rel(p.Assent, named[i].At.File); err == nil && filepath.IsLocal(short) {
			named[i].At.File = filepath.ToSlash(short)
		}
	}
	return rules.Book(named)
}

// posture is what becomes of a case that nobody has an opinion on, in its profile.
func (f File) posture() assent.Hook {
	of := map[string]assent.Hook{}
	for _, p := range f.Profiles {
		of[p.Name] = policy.Default(assent.Decision(p.File.Default))
	}
	base := policy.Default(assent.Decision(f.Default))
	if len(of) == 0 {
		return base
	}
	return assent.HookFunc(func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		if h, ok := of[c.Profile]; ok {
			return h.Judge(ctx, c)
		}
		return base.Judge(ctx, c)
	})
}
