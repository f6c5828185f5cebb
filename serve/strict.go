package serve

// Strict reading: what two readers could take for two different things is
// refused.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assent"
)

// decode reads one JSON object into v, which has a field for every key. Refused
// are duplicate keys, unknown ones, keys that differ from a known one in case
// alone (at the top and in the objects whose paths, such as "a.b", are in deep), and everything that
// assent.Canonical refuses.
func decode(raw []byte, v any, deep ...string) error {
	canon, err := assent.Canonical(raw)
	if err != nil {
		return err
	}
	for _, path := range append([]string{""}, deep...) {
		if err := plainAt(canon, path); err != nil {
			return err
		}
	}
	d := json.NewDecoder(bytes.NewReader(canon))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%v: %w", err, assent.ErrInvalid)
	}
	return nil
}

// plainAt looks at the keys of the object at a path; there need not be one.
func plainAt(raw []byte, path string) error {
	keys, err := plainKeys(raw)
	for name, rest := "", path; err == nil && rest != ""; {
		name, rest, _ = strings.Cut(rest, ".")
		inner := keys[name]
		if len(inner) == 0 || bytes.Equal(inner, []byte("null")) {
			return nil
		}
		keys, err = plainKeys(inner)
	}
	return err
}

// plainKeys returns an object's members. encoding/json takes "Name" and "ſame"
// for keys it knows; names of the API are a-z and "_" alone.
func plainKeys(raw []byte) (map[string]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil || keys == nil {
		return nil, fmt.Errorf("a JSON object was expected: %w", assent.ErrInvalid)
	}
	for k := range keys {
		if strings.Trim(k, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return nil, fmt.Errorf("unknown key %q: %w", clip(k), assent.ErrInvalid)
		}
	}
	return keys, nil
}
