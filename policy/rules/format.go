package rules

// Writing rules as a file has them.

import (
	"fmt"
	"strconv"
	"strings"
)

// Format writes rules as YAML, under the key "rules". Parse reads the same rules
// from it.
func Format(list []Rule) string {
	if len(list) == 0 {
		return "rules: []\n"
	}
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range list {
		r := &list[i]
		fmt.Fprintf(&b, "  - %s: {%s}\n", r.Decision, r.body())
		examples(&b, "match", r.Match)
		examples(&b, "not_match", r.NotMatch)
	}
	return b.String()
}

// String is what the rule is about, on one line.
func (r *Rule) String() string { return fmt.Sprintf("%s: {%s}", r.Decision, r.body()) }

func (r *Rule) body() string {
	parts := r.When.fields()
	if r.Unless != nil {
		parts = append(parts, "unless: {"+strings.Join(r.Unless.fields(), ", ")+"}")
	}
	if r.Why != "" {
		parts = append(parts, "why: "+scalarOf(r.Why))
	}
	return strings.Join(parts, ", ")
}

func (m *Matcher) fields() []string {
	var out []string
	for _, k := range Keys {
		if k.list == nil {
			if m.Args != nil {
				out = append(out, "args: ["+argsOf(m.Args)+"]")
			}
			continue
		}
		if list := *k.list(m); list != nil {
			out = append(out, k.Name+": "+listOf(list))
		}
	}
	return out
}

func argsOf(args []Token) string {
	out := make([]string, len(args))
	for i, t := range args {
		out[i] = listOf(t)
	}
	return strings.Join(out, ", ")
}

func listOf(list []string) string {
	if len(list) == 1 {
		return scalarOf(list[0])
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = scalarOf(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// plain are the letters of which a scalar needs no quotes, where it begins with a
// letter of the alphabet or a slash.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"

// words that YAML takes for something else than text.
var reserved = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

func scalarOf(s string) string {
	first := s != "" && (s[0] == '/' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
	if first && strings.Trim(s, plain) == "" && !reserved[strings.ToLower(s)] {
		return s
	}
	return strconv.Quote(s)
}

func examples(b *strings.Builder, key string, list []Example) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s:\n", key)
	for _, e := range list {
		fmt.Fprintf(b, "      - %s\n", strconv.Quote(e.Text))
	}
}
