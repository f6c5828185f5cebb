package plugin

// plugin.yaml: what a plugin says of itself. What is wrong in it is told, and stops
// nothing that can still be done.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/goccy/go-yaml"

	"assent"
)

// Manifest is a plugin.yaml.
type Manifest struct {
	Name         string
	Version      string
	Description  string
	Hooks        []string // the events that it says it has hooks for
	Requires     []Require
	Capabilities []string
	Schema       map[string]Setting
	Env          []string // variables that must be set

	read bool
	raw  map[string]any
}

// Require is another plugin that one needs.
type Require struct{ ID, Versions string }

// Setting is one key of config_schema.
type Setting struct {
	Type     string
	Required bool
}

// keys are all that a plugin.yaml may hold.
var keys = []string{
	"name", "version", "description", "author", "kind", "requires_env", "optional_env", "provides_tools", "provides_hooks", "hooks", "label",
	"platforms", "external_dependencies", "pip_dependencies", "python_dependencies", "manifest_version", "api_version", "requires_plugins",
	"requires_hermes", "config_schema", "capabilities", "emits", "listens", "license", "homepage", "tags",
}

const newest = 2 // manifest_version

// readManifest reads what is there. A manifest that is no mapping is not read at all.
func readManifest(raw []byte, err error, dir string) (Manifest, []string) {
	m := Manifest{Name: dir}
	if err == nil {
		err = yaml.Unmarshal(raw, &m.raw)
	}
	if err != nil {
		return m, []string{"its plugin.yaml cannot be read: " + firstLine(err)}
	}
	if m.raw == nil {
		return m, []string{"its plugin.yaml is empty"}
	}
	m.read = true
	if name := str(m.raw["name"]); name != "" {
		m.Name = name
	}
	m.Version, m.Description = str(m.raw["version"]), str(m.raw["description"])
	m.Hooks = append(list(m.raw["provides_hooks"]), list(m.raw["hooks"])...)
	m.Capabilities, m.Env = list(m.raw["capabilities"]), list(m.raw["requires_env"])
	m.Requires, m.Schema = requires(m.raw["requires_plugins"]), schema(m.raw["config_schema"])
	return m, m.problems()
}

// problems are what in a manifest may be a mistake.
func (m Manifest) problems() []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m.raw)) {
		if !slices.Contains(keys, key) {
			out = append(out, unknown("its plugin.yaml has the key %q, which nobody reads", key, keys))
		}
	}
	if v, ok := number(m.raw["manifest_version"]); m.raw["manifest_version"] != nil && (!ok || v < 1 || v > newest) {
		out = append(out, fmt.Sprintf("its manifest_version is %v, and only 1 to %d are known", m.raw["manifest_version"], newest))
	}
	for _, name := range m.Hooks {
		if _, ok := assent.EventNamed(name); !ok {
			out = append(out, unknown("it says that it has a hook for %q, which is no event", name, names()))
		}
	}
	for _, name := range m.Env {
		if os.Getenv(name) == "" {
			out = append(out, "it needs "+name+" in the environment, which is not set")
		}
	}
	return out
}

// unknown says that a word is not known, and what may have been meant.
func unknown(format, word string, known []string) string {
	text := fmt.Sprintf(format, word)
	if near := assent.Nearest(word, known); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

func names() []string {
	var out []string
	for _, t := range assent.Events {
		out = append(out, t.Name)
	}
	return out
}

// settings checks what is configured against the plugin's config_schema.
func (m Manifest) settings(raw json.RawMessage) []string {
	var set map[string]any
	if len(raw) > 0 && json.Unmarshal(raw, &set) != nil {
		return []string{"its settings are no mapping"}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m.Schema)) {
		s, v := m.Schema[key], set[key]
		switch {
		case v == nil && s.Required:
			out = append(out, fmt.Sprintf("its setting %s is required, and is not there", key))
		case v != nil && !s.fits(v):
			out = append(out, fmt.Sprintf("its setting %s should be of type %s", key, s.Type))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if _, ok := m.Schema[key]; len(m.Schema) > 0 && !ok {
			out = append(out, unknown("its settings have %q, which its config_schema does not", key, slices.Collect(maps.Keys(m.Schema))))
		}
	}
	return out
}

// fits reports whether a value is of the setting's type; types that are not known take
// everything.
func (s Setting) fits(v any) bool {
	ok := true
	switch s.Type {
	case "string", "str":
		_, ok = v.(string)
	case "bool", "boolean":
		_, ok = v.(bool)
	case "int", "integer":
		n, isNumber := v.(float64)
		ok = isNumber && n == float64(int64(n))
	case "float", "number":
		_, ok = v.(float64)
	case "list", "array":
		_, ok = v.([]any)
	case "dict", "object":
		_, ok = v.(map[string]any)
	}
	return ok
}

func requires(v any) []Require {
	items, _ := v.([]any)
	var out []Require
	for _, item := range items {
		r := Require{ID: str(item)}
		if m, ok := item.(map[string]any); ok {
			r = Require{ID: str(m["id"]), Versions: str(m["version_range"])}
		}
		if r.ID != "" {
			out = append(out, r)
		}
	}
	return out
}

func schema(v any) map[string]Setting {
	m, _ := v.(map[string]any)
	out := map[string]Setting{}
	for key, one := range m {
		about, _ := one.(map[string]any)
		required, _ := about["required"].(bool)
		out[key] = Setting{Type: str(about["type"]), Required: required}
	}
	return out
}

func str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil, []any, map[string]any:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// list are the strings of a list; of a mapping in it, its name.
func list(v any) []string {
	items, _ := v.([]any)
	var out []string
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			item = m["name"]
		}
		if s := str(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func number(v any) (int64, bool) {
	switch v := v.(type) {
	case uint64:
		return int64(v), true
	case int64:
		return v, true
	case int:
		return int64(v), true
	}
	return 0, false
}

func firstLine(err error) string {
	text := err.Error()
	for i, c := range text {
		if c == '\n' {
			return text[:i]
		}
	}
	return text
}
