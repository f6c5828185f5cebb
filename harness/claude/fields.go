package claude

// Reading one JSON object field by field, strictly: what was read is taken out,
// and the first thing that is wrong is kept.

import (
	"encoding/json"
	"fmt"

	"assent"
)

// fields are the members of an object that have not been read yet.
type fields struct {
	left map[string]json.RawMessage
	err  error
}

// open reads one object, in canonical form.
func open(raw []byte) *fields {
	canon, err := assent.Canonical(raw)
	if err != nil {
		return &fields{err: err}
	}
	f := &fields{}
	if len(canon) == 0 || canon[0] != '{' {
		f.fail("an object was expected")
		return f
	}
	if err := json.Unmarshal(canon, &f.left); err != nil {
		f.fail("%v", err)
	}
	return f
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), assent.ErrInvalid)
	}
}

// take removes a member and returns it, nil if there is none.
func (f *fields) take(key string) json.RawMessage {
	v := f.left[key]
	delete(f.left, key)
	return v
}

// text takes a string. It may be absent or null.
func (f *fields) text(key string) string {
	raw := f.take(key)
	if raw == nil || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		f.fail("%s is not a string", key)
	}
	return s
}

// must takes a string that is there and not empty.
func (f *fields) must(key string) string {
	s := f.text(key)
	if s == "" {
		f.fail("%s is missing", key)
	}
	return s
}

// checkText requires a member, if it is there, to be a string, and leaves it.
func (f *fields) checkText(keys ...string) {
	for _, key := range keys {
		if raw := f.left[key]; raw != nil {
			f.text(key)
			f.left[key] = raw
		}
	}
}

// object takes a member that is an object. It returns an empty one and fails
// when it is not.
func (f *fields) object(key string) *fields {
	raw := f.take(key)
	if len(raw) == 0 || raw[0] != '{' {
		f.fail("%s is not an object", key)
		return &fields{left: map[string]json.RawMessage{}}
	}
	return open(raw)
}

// rest returns what was not taken, as canonical JSON.
func (f *fields) rest() json.RawMessage {
	raw, err := json.Marshal(f.left)
	if err == nil {
		raw, err = assent.Canonical(raw)
	}
	if err != nil {
		f.fail("%v", err)
		return nil
	}
	return raw
}
