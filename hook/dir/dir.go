// Package dir finds hooks that are directories with a HOOK.yaml and a handler, and
// makes an entry of each for every event that it lists. A directory that lies in the
// right place is consent; nothing in it is run to find it.
//
//	found, err := dir.Discover("/home/me/.assent/hooks")
//	d := hook.New(hook.Options{}, dir.Entries(host, script.Host{Home: home}, found)...)
//	for _, f := range found { fmt.Println(f.Name, f.Events, f.Problems) }
package dir

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assent"
)

// Found is a directory with something of a hook in it.
type Found struct {
	Name        string
	Description string
	Path        string   // the directory
	Events      []string // as listed
	Handler     string   // the file that is run; "" = this is no hook that can run
	Problems    []string // single lines for people: why it is left out, or what it may not do
}

func (f *Found) problem(format string, args ...any) {
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// python reports whether the handler is called in the Python host.
func (f Found) python() bool { return filepath.Base(f.Handler) == "handler.py" }

// handlers are the files that can be a hook's handler; the first that is there is it.
var handlers = []string{"handler.py", "handler", "handler.sh", "handler.js"}

const manifest = "HOOK.yaml"

// Discover finds the hooks of a directory, in the order of their directories' names.
// What is left out is there too, without a Handler, and says why. That there is no
// such directory is no error.
func Discover(root string) ([]Found, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("hooks: %w", err)
	}
	entries, err := os.ReadDir(root)
	if _, gone := os.Lstat(root); os.IsNotExist(err) && os.IsNotExist(gone) {
		return nil, nil // a link that leads nowhere is something else
	}
	if err != nil {
		return nil, fmt.Errorf("hooks: %w", err)
	}
	var out []Found
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "__pycache__" {
			continue
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			f := Found{Name: e.Name(), Path: path}
			f.problem("it is left out: %v", err)
			out = append(out, f)
		case info.IsDir():
			out = append(out, look(path))
		}
	}
	twice(out)
	return out, nil
}

// look reads one directory.
func look(path string) Found {
	f := Found{Name: filepath.Base(path), Path: path}
	handler := ""
	for _, name := range handlers {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && info.Mode().IsRegular() {
			handler = filepath.Join(path, name)
			break
		}
	}
	raw, err := os.ReadFile(filepath.Join(path, manifest))
	switch {
	case os.IsNotExist(err):
		f.problem("it is left out: it has no %s", manifest)
	case err != nil:
		f.problem("it is left out: %v", err)
	case !f.read(raw):
	case handler == "":
		f.problem("it is left out: it has none of %s", strings.Join(handlers, ", "))
	default:
		f.Handler = handler
		f.check()
	}
	return f
}

// read reads HOOK.yaml. False: there is nothing in it to go by.
func (f *Found) read(raw []byte) bool {
	var m map[string]any
	if err := yaml.Unmarshal(raw, &m); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		f.problem("it is left out: its %s cannot be read: %s", manifest, first)
		return false
	}
	if m == nil {
		f.problem("it is left out: its %s is empty", manifest)
		return false
	}
	if name, ok := m["name"].(string); ok && name != "" {
		f.Name = name
	}
	f.Description, _ = m["description"].(string)
	list, _ := m["events"].([]any)
	if one, ok := m["events"].(string); ok {
		f.problem("its events are no list; the one is taken for it")
		list = []any{one}
	}
	for _, e := range list {
		if name, ok := e.(string); ok && name != "" && !slices.Contains(f.Events, name) {
			f.Events = append(f.Events, name)
		}
	}
	if len(f.Events) == 0 {
		f.problem("it is left out: its %s lists no events", manifest)
	}
	return len(f.Events) > 0
}

// check tells of events that will never fire.
func (f *Found) check() {
	for _, event := range f.Events {
		family, wild := strings.CutSuffix(event, ":*")
		_, known := assent.EventNamed(event)
		switch {
		case known, wild && slices.ContainsFunc(gateway(), func(n string) bool { return strings.HasPrefix(n, family+":") }):
		case slices.ContainsFunc(gateway(), func(n string) bool { return strings.HasPrefix(n, event+":") }):
			f.problem("the event %q alone is none; did you mean %q?", event, event+":*")
		default:
			text := fmt.Sprintf("there is no event %q", event)
			if near := assent.Nearest(event, gateway()); near != "" {
				text += fmt.Sprintf("; did you mean %q?", near)
			}
			f.Problems = append(f.Problems, text)
		}
	}
}

// gateway are the catalogue's names for directories: all with a colon.
func gateway() []string {
	var out []string
	for _, t := range assent.Events {
		if strings.Contains(t.Name, ":") {
			out = append(out, t.Name)
		}
	}
	return out
}

// twice tells of names that two have.
func twice(all []Found) {
	for i := range all {
		for j := range i {
			if all[i].Name == all[j].Name && all[i].Handler != "" && all[j].Handler != "" {
				all[i].problem("%s has the same name", all[j].Path)
			}
		}
	}
}
