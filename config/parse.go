package config

// Reading the file, strictly: what is unknown, stands twice or is of another
// form is an error with its line.

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"assent"
	"assent/policy/rules"
)

// Parse reads the content of a configuration file. name is for messages. An
// empty file is the zero file, and so is a key without a value its default.
// ErrInvalid with the line of what is wrong.
func Parse(name string, raw []byte) (File, error) {
	r := reader{name: name, file: Zero()}
	tree, err := parser.ParseBytes(raw, 0)
	var bad yaml.Error
	switch {
	case errors.As(err, &bad):
		return File{}, r.fault(bad.GetToken().Position.Line, "%s", bad.GetMessage())
	case err != nil:
		return File{}, fmt.Errorf("%s: %v: %w", name, err, assent.ErrInvalid)
	}
	for i, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		if i > 0 {
			return File{}, r.fault(line(doc.Body), "a second document follows; one is read")
		}
		if err := r.read("", doc.Body); err != nil {
			return File{}, err
		}
	}
	for _, n := range r.later {
		if err := r.profiles(n); err != nil {
			return File{}, err
		}
	}
	for _, a := range r.file.approvals() {
		if err := a.check(); err != nil {
			return File{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r.file, nil
}

// reader reads one file.
type reader struct {
	name    string
	file    File
	profile bool       // what is read is that of a profile
	later   []ast.Node // profiles
}

func (r *reader) fault(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %w", r.name, line, fmt.Sprintf(format, args...), assent.ErrInvalid)
}

func line(n ast.Node) int { return n.GetToken().Position.Line }

// read reads what stands under a key; prefix is that key's name and a dot.
func (r *reader) read(prefix string, n ast.Node) error {
	switch n := n.(type) {
	case *ast.CommentGroupNode, *ast.NullNode:
		return nil
	case ast.MapNode:
		for it := n.MapRange(); it.Next(); {
			if err := r.member(prefix, it.KeyValue()); err != nil {
				return err
			}
		}
		return nil
	}
	return r.fault(line(n), "keys with values were expected")
}

func (r *reader) member(prefix string, m *ast.MappingValueNode) error {
	name := prefix + m.Key.GetToken().Value
	if slices.ContainsFunc(Keys, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") }) {
		return r.read(name+".", m.Value)
	}
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	switch {
	case i < 0:
		return r.fault(line(m.Key), "there is no key %q; %s", name, meant(name))
	case r.profile && !mayDiffer(name):
		return r.fault(line(m.Key), "%s is the same for every profile: write it outside of profiles", name)
	case Keys[i].set == nil:
		return r.section(name, m.Value)
	}
	value, ok := plain(m.Value)
	if !ok {
		return r.fault(line(m.Value), "%s: one plain value was expected", name)
	}
	if _, null := m.Value.(*ast.NullNode); null {
		return nil
	}
	if err := Keys[i].set(&r.file, value); err != nil {
		return r.fault(line(m.Value), "%s: %v", name, err)
	}
	return nil
}

// section reads a key whose value is more than one plain value.
func (r *reader) section(name string, n ast.Node) (err error) {
	switch name {
	case "rules":
		r.file.Said, err = rules.Decode(r.name, n)
	case "hooks":
		err = r.hooks(n)
	case "plugins.enabled":
		r.file.Users.Enabled, err = r.list(name, n)
	case "plugins.disabled":
		r.file.Users.Disabled, err = r.list(name, n)
	case "plugins.entries":
		err = r.entries(n)
	case "profiles":
		r.later = append(r.later, n) // what they change must have been read first
	}
	return err
}

// plain is the text of a plain value.
func plain(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// list reads a list of plain values.
func (r *reader) list(name string, n ast.Node) ([]string, error) {
	var out []string
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.SequenceNode:
		for _, v := range n.Values {
			text, ok := plain(v)
			if !ok {
				return nil, r.fault(line(v), "%s: a list of names was expected", name)
			}
			out = append(out, text)
		}
		return out, nil
	}
	return nil, r.fault(line(n), "%s: a list of names was expected", name)
}

// fields reads the members of one entry of a list.
func (r *reader) fields(what string, n ast.Node, known []string, each func(key string, v ast.Node) error) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return r.fault(line(n), "%s: keys with values were expected", what)
	}
	for it := m.MapRange(); it.Next(); {
		key := it.KeyValue().Key.GetToken()
		if !slices.Contains(known, key.Value) {
			return r.fault(key.Position.Line, "%s has no key %q; %s", what, key.Value, rules.Meant(key.Value, known))
		}
		if err := each(key.Value, it.Value()); err != nil {
			return err
		}
	}
	return nil
}

// meant says which key was meant, or which there are.
func meant(name string) string {
	names := make([]string, len(Keys))
	for i, k := range Keys {
		names[i] = k.Name
	}
	return rules.Meant(name, names)
}

func oneOf[T ~string](text string, known ...T) (T, error) {
	var names []string
	for _, k := range known {
		if string(k) == text {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("%q is not known; possible: %s", text, strings.Join(names, ", "))
}

// loopback refuses an address that other machines could reach.
func loopback(addr string) error {
	if addr == "off" {
		return nil
	}
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not a loopback address with a port, such as 127.0.0.1:7070, nor off", addr)
	}
	return nil
}
