// Package plugin finds plugins with a plugin.yaml and a register(ctx), loads those
// that are enabled, and makes entries of the hooks that they register. It never loads
// what is not enabled, and what is wrong with one stops none of the others.
//
//	found, err := plugin.Discover(plugin.Options{Roots: []string{"/home/me/.assent/plugins"}, Enabled: []string{"guard"}})
//	set := plugin.Load(ctx, host, o, found)
//	d := hook.New(hook.Options{}, set.Entries...)
//	for _, f := range set.Found { fmt.Println(f.Key, f.Problems) }
package plugin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultTimeout is how long a callback may take.
const DefaultTimeout = 30 * time.Second

// Options are where plugins are looked for, and what of them is wanted.
type Options struct {
	Roots    []string // directories of plugins; a plugin of a later one replaces the one of the same key
	Enabled  []string // keys or names; others are found and not loaded
	Disabled []string // keys or names; stronger than Enabled
	Entries  map[string]Entry
	Profile  string        // what ctx.profile_name says; "" = default
	Data     string        // where each plugin's own data has a directory; "" = nowhere
	Timeout  time.Duration // of each callback; 0 = DefaultTimeout
}

// Entry is what the configuration says of one plugin, by its key.
type Entry struct {
	Settings json.RawMessage // an object
	Granted  []string        // capabilities
}

// Found is one plugin: what it says of itself, and what is wrong with it.
type Found struct {
	Key      string
	Path     string // its directory
	Manifest Manifest
	Enabled  bool
	Loaded   bool
	Problems []string // single lines for people
	Notes    []string // those of the problems that keep nothing from working
}

func (f *Found) problem(format string, args ...any) {
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// is reports whether a key or a name means this plugin.
func (f *Found) is(id string) bool { return id == f.Key || id == f.Manifest.Name }

// Discover finds the plugins of all roots in the order in which they are loaded. A
// root that is not there has none. What looks like a plugin and is none has a Problem
// and is not enabled.
func Discover(o Options) ([]Found, error) {
	byKey := map[string]Found{}
	for _, root := range o.Roots {
		list, err := scan(root)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if before, ok := byKey[f.Key]; ok {
				f.problem("it takes the place of the plugin of the same key in %s", before.Path)
			}
			f.Enabled = f.Manifest.read && slices.ContainsFunc(o.Enabled, f.is) && !slices.ContainsFunc(o.Disabled, f.is)
			byKey[f.Key] = f
		}
	}
	return order(byKey), nil
}

// scan finds the plugins of one root: name/plugin.yaml and category/name/plugin.yaml.
func scan(root string) ([]Found, error) {
	dirs, err := directories(root)
	if err != nil {
		return nil, fmt.Errorf("plugins: %w", err)
	}
	var out []Found
	for _, dir := range dirs {
		path := filepath.Join(root, dir)
		if f, ok := look(path, ""); ok {
			out = append(out, f)
			continue
		}
		inner, err := directories(path)
		if err != nil {
			return nil, fmt.Errorf("plugins: %w", err)
		}
		plain := true
		for _, name := range inner {
			if f, ok := look(filepath.Join(path, name), dir+"/"+name); ok {
				out, plain = append(out, f), false
			}
		}
		if _, err := os.Stat(filepath.Join(path, "__init__.py")); plain && err == nil {
			f := Found{Key: dir, Path: path, Manifest: Manifest{Name: dir}}
			f.problem("it has no plugin.yaml, and is not looked at any further")
			out = append(out, f)
		}
	}
	return out, nil
}

// directories are the names of the directories in one, sorted, links to them too.
func directories(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "__pycache__" {
			continue
		}
		if info, err := os.Stat(filepath.Join(path, e.Name())); err == nil && info.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// look reads the plugin in a directory. False: there is none.
func look(path, key string) (Found, bool) {
	for _, name := range []string{"plugin.yaml", "plugin.yml"} {
		raw, err := os.ReadFile(filepath.Join(path, name))
		if os.IsNotExist(err) {
			continue
		}
		f := Found{Key: key, Path: path}
		f.Manifest, f.Problems = readManifest(raw, err, filepath.Base(path))
		if f.Key == "" {
			f.Key = f.Manifest.Name
		}
		if _, err := os.Stat(filepath.Join(path, "__init__.py")); err != nil {
			f.problem("it has no __init__.py with register(ctx)")
			f.Manifest.read = false
		}
		return f, true
	}
	return Found{}, false
}

// order sorts plugins so that each comes after those that it requires, else by key.
// Where that is not possible the key alone counts.
func order(byKey map[string]Found) []Found {
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var out []Found
	placed := map[string]bool{}
	for len(out) < len(keys) {
		i := slices.IndexFunc(keys, func(key string) bool { return !placed[key] && ready(byKey[key], byKey, placed) })
		if i < 0 {
			return circle(keys, byKey)
		}
		placed[keys[i]] = true
		out = append(out, byKey[keys[i]])
	}
	return out
}

// ready reports whether all that a plugin requires, and that is there, has its place.
func ready(f Found, byKey map[string]Found, placed map[string]bool) bool {
	for _, r := range f.Manifest.Requires {
		for key, other := range byKey {
			if other.is(r.ID) && !placed[key] && key != f.Key {
				return false
			}
		}
	}
	return true
}

func circle(keys []string, byKey map[string]Found) []Found {
	var out []Found
	for _, key := range keys {
		f := byKey[key]
		if len(f.Manifest.Requires) > 0 {
			f.problem("plugins require each other in a circle: they are loaded in the order of their keys")
		}
		out = append(out, f)
	}
	return out
}
