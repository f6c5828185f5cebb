package rules

// Decoding: rules from YAML, strictly. What is unknown, stands twice or is of
// another form is an error with its line.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"assent"
)

// Parse reads a file that holds rules under the key "rules" and nothing else. name
// is for messages. ErrInvalid with the line of what is wrong.
func Parse(name string, raw []byte) ([]Rule, error) {
	d := decoder{file: name}
	switch {
	case len(raw) > MaxBytes:
		return nil, d.fault(1, "it is longer than %d bytes", MaxBytes)
	case nested(raw):
		return nil, d.fault(1, "its brackets stand too deep in each other")
	}
	tree, err := parser.ParseBytes(raw, 0)
	var bad yaml.Error
	switch {
	case errors.As(err, &bad):
		return nil, d.fault(bad.GetToken().Position.Line, "%s", bad.GetMessage())
	case err != nil:
		return nil, fmt.Errorf("%s: %v: %w", name, err, assent.ErrInvalid)
	}
	var list []Rule
	read := false
	for _, doc := range tree.Docs {
		if empty(doc.Body) {
			continue
		}
		if read {
			return nil, d.fault(line(doc.Body), "a second document follows; one is read")
		}
		read = true
		if list, err = d.document(doc.Body); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// maxNested is how deep brackets and lists may stand in each other. The parser
// takes memory by the square of it.
const maxNested = 500

// nested reports whether a text goes too deep for the parser, as far as can be seen
// without reading it.
func nested(raw []byte) bool {
	depth, dashes := 0, 0
	for i, c := range raw {
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == '\n':
			dashes = 0
		case c == '-' && i+1 < len(raw) && (raw[i+1] == ' ' || raw[i+1] == '\t'):
			dashes++
		}
		if max(depth, dashes) > maxNested {
			return true
		}
	}
	return false
}

// Decode reads the value of a key "rules" of another file, which is named for
// messages. An empty one is no rules.
func Decode(name string, n ast.Node) ([]Rule, error) {
	return (&decoder{file: name}).rules(n)
}

// decoder reads one file.
type decoder struct {
	file     string
	examples int
}

func (d *decoder) fault(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %w", d.file, line, fmt.Sprintf(format, args...), assent.ErrInvalid)
}

func line(n ast.Node) int {
	if m, ok := n.(ast.MapNode); ok {
		if it := m.MapRange(); it.Next() {
			return it.Key().GetToken().Position.Line // the token of a block is its first colon
		}
	}
	return n.GetToken().Position.Line
}

func empty(n ast.Node) bool {
	switch n.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return true
	}
	return false
}

func (d *decoder) document(n ast.Node) (list []Rule, err error) {
	if _, ok := n.(*ast.SequenceNode); ok {
		return nil, d.fault(line(n), "a list was found; put it under the key rules")
	}
	err = d.each(n, func(key string, at int, v ast.Node) error {
		if key != "rules" {
			return d.unknown(at, key, []string{"rules"})
		}
		list, err = d.rules(v)
		return err
	})
	return list, err
}

// each calls f for every key of a map.
func (d *decoder) each(n ast.Node, f func(key string, at int, value ast.Node) error) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return d.fault(line(n), "keys with values were expected")
	}
	for it := m.MapRange(); it.Next(); {
		if _, ok := it.Key().(*ast.StringNode); !ok {
			return d.fault(it.Key().GetToken().Position.Line, "a plain key was expected")
		}
		key := it.Key().GetToken()
		if err := f(key.Value, key.Position.Line, it.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) rules(n ast.Node) ([]Rule, error) {
	if empty(n) {
		return nil, nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, d.fault(line(n), "a list of rules was expected, each begun with \"- \"")
	}
	if len(list.Values) > MaxRules {
		return nil, d.fault(line(n), "there are more than %d rules", MaxRules)
	}
	var out []Rule
	for _, v := range list.Values {
		r, err := d.rule(v)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// ruleKeys may stand beside each other in a rule.
var ruleKeys = []string{"allow", "ask", "deny", "match", "not_match"}

func (d *decoder) rule(n ast.Node) (Rule, error) {
	r := Rule{At: Place{File: d.file, Line: line(n)}}
	err := d.each(n, func(key string, at int, v ast.Node) (err error) {
		switch key {
		case "allow", "ask", "deny":
			if r.Decision != assent.None {
				return d.fault(at, "a rule is one of allow, ask and deny")
			}
			if err := r.Decision.UnmarshalText([]byte(key)); err != nil {
				return d.fault(at, "%v", err)
			}
			r.At.Line = at
			return d.body(&r, v, at)
		case "match":
			r.Match, err = d.exampleList(v)
		case "not_match":
			r.NotMatch, err = d.exampleList(v)
		case "why", "unless":
			err = d.fault(at, "%s stands inside the braces: ask: {…, %s: …}", key, key)
		default:
			err = d.unknown(at, key, ruleKeys)
		}
		return err
	})
	if err == nil && r.Decision == assent.None {
		err = d.fault(r.At.Line, "a rule is one of allow, ask and deny")
	}
	return r, err
}

// body reads what stands behind allow, ask or deny.
func (d *decoder) body(r *Rule, n ast.Node, at int) error {
	if empty(n) {
		return d.fault(at, "it says nothing of what it is about")
	}
	err := d.each(n, func(key string, at int, v ast.Node) (err error) {
		switch key {
		case "why":
			r.Why, err = d.text(v)
		case "unless":
			r.Unless = new(Matcher)
			err = d.matcher(r.Unless, v, at)
		default:
			err = d.key(&r.When, key, at, v, "why", "unless")
		}
		return err
	})
	if err == nil && r.Decision != assent.Allow && r.When.Args != nil && len(r.When.Args) == 0 {
		err = d.fault(at, "args: an empty list says nothing here; leave it out")
	}
	if err == nil && r.When.empty() {
		err = d.fault(at, "it says nothing of what it is about")
	}
	return err
}

func (m *Matcher) empty() bool {
	return !slices.ContainsFunc(asked, func(k question) bool { return k.set(m) })
}

func (d *decoder) matcher(m *Matcher, n ast.Node, at int) error {
	if empty(n) {
		return d.fault(at, "unless: it says nothing")
	}
	err := d.each(n, func(key string, at int, v ast.Node) error { return d.key(m, key, at, v) })
	if err == nil && m.empty() {
		err = d.fault(at, "unless: it says nothing")
	}
	return err
}

// key reads one key of a matcher; more are the keys that may stand beside it.
func (d *decoder) key(m *Matcher, key string, at int, v ast.Node, more ...string) error {
	if key == "args" {
		return d.args(m, v)
	}
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == key || key == "code" && k.Name == "codes" })
	if i < 0 {
		names := more
		for _, k := range Keys {
			names = append(names, k.Name)
		}
		return d.unknown(at, key, names)
	}
	list, err := d.patterns(key, v)
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := Keys[i].check(p.text); err != nil {
			return d.fault(p.line, "%s: %q: %v", key, p.text, err)
		}
		*Keys[i].list(m) = append(*Keys[i].list(m), p.text)
	}
	return nil
}

type scalar struct {
	text string
	line int
}

// patterns reads one pattern, or a list of them.
func (d *decoder) patterns(key string, n ast.Node) ([]scalar, error) {
	values := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		values = list.Values
	}
	if len(values) == 0 || len(values) > MaxPatterns {
		return nil, d.fault(line(n), "%s: between 1 and %d patterns were expected", key, MaxPatterns)
	}
	var out []scalar
	for _, v := range values {
		text, err := d.text(v)
		switch {
		case err != nil:
			return nil, err
		case text == "" || len(text) > MaxPattern:
			return nil, d.fault(line(v), "%s: a pattern of 1 to %d bytes was expected", key, MaxPattern)
		}
		out = append(out, scalar{text, line(v)})
	}
	return out, nil
}

// text reads one plain value as it is written.
func (d *decoder) text(n ast.Node) (string, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	case *ast.LiteralNode:
		return strings.TrimRight(n.Value.Value, "\n"), nil
	}
	return "", d.fault(line(n), "one plain value was expected, in quotes if it begins with a sign")
}

func (d *decoder) args(m *Matcher, n ast.Node) error {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return d.fault(line(n), "args: a list was expected: [push, \"--force*\"]")
	}
	if len(list.Values) > MaxTokens {
		return d.fault(line(n), "args: there are more than %d patterns", MaxTokens)
	}
	m.Args = []Token{}
	for _, v := range list.Values {
		alternatives, err := d.patterns("args", v)
		if err != nil {
			return err
		}
		var t Token
		for _, a := range alternatives {
			if a.text == rest && len(alternatives) > 1 {
				return d.fault(a.line, "args: \"...\" stands alone")
			}
			t = append(t, a.text)
		}
		m.Args = append(m.Args, t)
	}
	return nil
}

func (d *decoder) exampleList(n ast.Node) ([]Example, error) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, d.fault(line(n), "a list of examples was expected")
	}
	var out []Example
	for _, v := range list.Values {
		text, err := d.text(v)
		if err != nil {
			return nil, err
		}
		if d.examples++; d.examples > MaxExamples || text == "" || len(text) > MaxExample {
			return nil, d.fault(line(v), "an example has 1 to %d bytes, and a file at most %d examples", MaxExample, MaxExamples)
		}
		out = append(out, Example{Text: text, Line: line(v)})
	}
	return out, nil
}

func (d *decoder) unknown(at int, key string, known []string) error {
	return d.fault(at, "there is no key %q; %s", clip(key), Meant(key, known))
}
