package mcp

// Fields: the arguments of a call, read strictly. The first thing that is wrong is
// kept, with the name of its field.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The bounds of what a call may say.
const (
	maxName  = 8 << 10   // bytes of a path, an address, a method, a name
	maxArg   = 128 << 10 // of one argument of a program: the kernel takes no longer one
	maxArgs  = 4096      // arguments, and names of variables
	maxProse = 2 << 10   // bytes of a reason
)

// fields are the members of a call's arguments that were not taken yet.
type fields struct {
	left  map[string]json.RawMessage
	known []string
	err   error
}

func (f *fields) fail(form string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(form, args...)
	}
}

func (f *fields) take(name string) (json.RawMessage, bool) {
	v, ok := f.left[name]
	delete(f.left, name)
	f.known = append(f.known, name)
	return v, ok
}

// must is a text that is not empty.
func (f *fields) must(name string, most int) string {
	s, given := f.text(name, most)
	if !given || s == "" {
		f.fail("%s: it is missing", name)
	}
	return s
}

// text is a text that may be missing.
func (f *fields) text(name string, most int) (string, bool) {
	v, given := f.take(name)
	if !given {
		return "", false
	}
	return f.read(name, v, most), true
}

func (f *fields) read(name string, v json.RawMessage, most int) (s string) {
	switch {
	case len(v) == 0 || v[0] != '"' || json.Unmarshal(v, &s) != nil:
		f.fail("%s: a text was expected", name)
	case len(s) > most:
		f.fail("%s: %d bytes are more than %d", name, len(s), most)
	}
	return s
}

// word is a text that the system takes as one: without a zero byte.
func (f *fields) word(name, s string) string {
	if strings.ContainsRune(s, 0) {
		f.fail("%s: it has a zero byte", name)
	}
	return s
}

// list is a list of words.
func (f *fields) list(name string, each int) []string {
	v, given := f.take(name)
	if !given {
		return nil
	}
	var items []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &items) != nil {
		f.fail("%s: a list of texts was expected", name)
	}
	if len(items) > maxArgs {
		f.fail("%s: %d are more than %d", name, len(items), maxArgs)
	}
	var out []string
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", name, i)
		out = append(out, f.word(at, f.read(at, item, each)))
	}
	return out
}

// object is an object that may be missing.
func (f *fields) object(name string) (items map[string]json.RawMessage) {
	v, given := f.take(name)
	if given && (json.Unmarshal(v, &items) != nil || items == nil) {
		f.fail("%s: an object was expected", name)
	}
	return items
}

// number is a whole number from least to most; otherwise where it is missing.
func (f *fields) number(name string, least, most, otherwise int) int {
	v, given := f.take(name)
	if !given {
		return otherwise
	}
	n := 0
	if json.Unmarshal(v, &n) != nil || string(v) == "null" || n < least || n > most {
		f.fail("%s: a whole number from %d to %d was expected", name, least, most)
	}
	return n
}

// end is what was wrong, also that a field is not known.
func (f *fields) end() error {
	for _, name := range slices.Sorted(maps.Keys(f.left)) {
		f.fail("%s: there is no such field; there are %s", clip(name, maxText), strings.Join(f.known, ", "))
	}
	return f.err
}
