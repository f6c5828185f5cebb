package answer

// Finding: the one JSON answer in what a process printed.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assent"
)

// The bounds of a search for an answer among other words.
const (
	maxNoise    = 64 << 10 // bytes of output
	maxAttempts = 100      // lines that look like the beginning of an answer
)

// heard is what stands on standard output: an object, a string, or plain words.
type heard struct {
	object object
	text   *string
	plain  string
	fault  string
}

// listen finds the answer. What is no JSON at all is no error here: what that means
// depends on the event.
func listen(event string, out Output) (heard, error) {
	raw := bytes.TrimSpace(bytes.TrimPrefix(out.Stdout, []byte("\xEF\xBB\xBF")))
	switch {
	case out.Truncated:
		return heard{}, errors.New("the answer is too long")
	case len(raw) == 0:
		return heard{}, nil
	case !utf8.Valid(raw):
		return heard{}, errors.New("the answer is not UTF-8")
	case json.Valid(raw):
		return whole(raw)
	}
	return among(raw, answerKeys(event))
}

// whole reads output that is one JSON value and nothing else.
func whole(raw []byte) (heard, error) {
	switch raw[0] {
	case '{':
		o, err := parse(raw)
		return heard{object: o}, err
	case '"':
		var s string
		if _, err := assent.Canonical(raw); err != nil {
			return heard{}, fmt.Errorf("the answer: %w", err)
		}
		err := json.Unmarshal(raw, &s)
		return heard{text: &s}, err
	case 'n':
		return heard{}, nil // null: no answer
	}
	return heard{plain: string(raw)}, nil
}

// among looks for an answer between other words: one object on a line of its own, or
// one over several lines up to the end. An object counts if it has one of the keys,
// or none at all; others are somebody's log.
func among(raw []byte, keys []string) (heard, error) {
	if len(raw) > maxNoise {
		return heard{plain: clip(raw)}, nil
	}
	found, noise, err := objects(raw)
	if err != nil {
		return heard{}, err
	}
	var answers []object
	for _, f := range found {
		o, err := parse(f)
		if err != nil {
			return heard{}, err
		}
		if len(o) == 0 || o.hasAny(keys) {
			answers = append(answers, o)
		}
	}
	switch {
	case len(answers) > 1:
		return heard{}, fmt.Errorf("%d JSON answers, where one was expected", len(answers))
	case len(answers) == 0:
		return heard{plain: string(raw)}, nil
	}
	h := heard{object: answers[0]}
	if noise > 0 {
		h.fault = fmt.Sprintf("line %d is not JSON (shell profile output?)", noise)
	}
	return h, nil
}

// objects are the JSON objects that begin a line and end one, and the number of the
// first line that belongs to none of them.
func objects(raw []byte) (found []json.RawMessage, noise int, err error) {
	attempts := 0
	for line := 1; len(raw) > 0; line++ {
		this, rest, _ := bytes.Cut(raw, []byte{'\n'})
		text := bytes.TrimSpace(this)
		if len(text) > 0 && text[0] == '{' {
			if attempts++; attempts > maxAttempts {
				return nil, 0, errors.New("too many lines that look like an answer")
			}
			got, ok := objectsOf(text)
			if ok {
				found, raw = append(found, got...), rest
				continue
			}
			if got := bytes.TrimSpace(raw); json.Valid(got) { // over several lines, to the end
				return append(found, got), noise, nil
			}
		}
		if len(text) > 0 && noise == 0 {
			noise = line
		}
		raw = rest
	}
	return found, noise, nil
}

// objectsOf are the objects of which a line consists.
func objectsOf(line []byte) (found []json.RawMessage, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(line))
	for dec.More() {
		var o json.RawMessage
		if dec.Decode(&o) != nil || o[0] != '{' {
			return nil, false
		}
		found = append(found, o)
	}
	return found, int(dec.InputOffset()) == len(line)
}

// object is a JSON object, by its keys.
type object map[string]json.RawMessage

// parse reads an object. What two readers could take for two things is an error.
func parse(raw []byte) (object, error) {
	canon, err := assent.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("the answer: %w", err)
	}
	var o object
	if err := json.Unmarshal(canon, &o); err != nil {
		return nil, fmt.Errorf("the answer: %w", err)
	}
	return o, nil
}

func (o object) hasAny(keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return o.has(k) })
}

// has reports whether a key stands there with anything but null.
func (o object) has(key string) bool {
	v, ok := o[key]
	return ok && string(v) != "null"
}

// str is the string under a key; ok is false where there is none, or another type.
func (o object) str(key string) (s string, ok bool) {
	if !o.has(key) {
		return "", false
	}
	return s, json.Unmarshal(o[key], &s) == nil
}

// first is the first string under the keys that is not blank.
func (o object) first(keys ...string) string {
	for _, k := range keys {
		if s, ok := o.str(k); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// under is the object under a key; nil where there is none.
func (o object) under(key string) object {
	var in object
	if json.Unmarshal(o[key], &in) != nil {
		return nil
	}
	return in
}
