package answer

// Finding: the one JSON answer in what a process printed.

import (
	"bytes"
	"cmp"
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
	object  object
	text    *string
	plain   string
	fault   string
	answers []object // all objects that are answers, also where there should be one
	broken  int      // the first line that begins like an answer and cannot be read
}

// listen finds the answer. What is no JSON at all is no error here: what that means
// depends on the event. With an error, the answers are those that could be read.
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
	h, err := among(raw, answerKeys(event))
	if err != nil || h.object == nil || h.broken == 0 {
		return h, err
	}
	fault := fmt.Sprintf("line %d begins like an answer, and cannot be read", h.broken)
	if hears(event) == assent.HearsDecision { // it may have been meant as a no
		return heard{answers: h.answers}, errors.New(fault)
	}
	h.fault = join(h.fault, fault)
	return h, nil
}

// whole reads output that is one JSON value and nothing else.
func whole(raw []byte) (heard, error) {
	switch raw[0] {
	case '{':
		o, err := parse(raw)
		return heard{object: o, answers: []object{o}}, err
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

// among looks for an answer between other words: an object that begins a line, and
// ends one. It counts if it has one of the keys; others are somebody's log, and {} says
// nothing.
func among(raw []byte, keys []string) (heard, error) {
	if len(raw) > maxNoise {
		if bytes.Contains(raw, []byte("\n{")) {
			return heard{}, errors.New("there is too much beside the answer")
		}
		return heard{plain: clip(raw)}, nil
	}
	found, err := objects(raw)
	h := heard{broken: found.broken}
	other, empty := 0, false
	for _, f := range found.list {
		o, wrong := parse(f.raw)
		switch {
		case wrong != nil:
			err = cmp.Or(err, wrong)
		case o.hasAny(keys):
			h.answers = append(h.answers, o)
		default:
			other, empty = cmp.Or(other, f.line), empty || len(o) == 0
		}
	}
	switch {
	case err != nil:
		return h, err
	case len(h.answers) > 1:
		return h, fmt.Errorf("%d JSON answers, where one was expected", len(h.answers))
	case len(h.answers) == 1:
		h.object = h.answers[0]
	case empty:
		h.object = object{}
	default:
		h.plain = string(raw)
		return h, nil
	}
	if found.noise > 0 {
		h.fault = fmt.Sprintf("line %d is not JSON (shell profile output?)", found.noise)
	}
	if other > 0 && (len(h.answers) > 0 || len(found.list) > 1) {
		h.fault = join(h.fault, fmt.Sprintf("line %d holds JSON that is no answer", other))
	}
	return h, nil
}

// sighting are the objects that begin a line, and the first lines that belong to none
// of them.
type sighting struct {
	list   []placed
	noise  int // a line of words
	broken int // a line that begins like an object, and is more or less than that
}

type placed struct {
	raw  json.RawMessage
	line int
}

// objects looks at each line for the beginning of an object, which may end on a later
// one. A carriage return begins a line as well.
func objects(raw []byte) (s sighting, err error) {
	attempts := 0
	for line := 1; len(raw) > 0; {
		size := lineOf(raw)
		switch text := bytes.TrimSpace(raw[:size]); {
		case len(text) == 0:
		case text[0] != '{':
			s.noise = cmp.Or(s.noise, line)
		default:
			if attempts++; attempts > maxAttempts {
				return s, errors.New("too many lines that look like an answer")
			}
			found, end, ok := objectsOf(raw)
			for _, o := range found {
				s.list = append(s.list, placed{o, line})
			}
			if !ok {
				s.broken = cmp.Or(s.broken, line)
			}
			size = end + lineOf(raw[end:])
		}
		line += bytes.Count(raw[:size], []byte{'\n'})
		raw = raw[size:]
	}
	return s, nil
}

// lineOf is the length of the first line, with its end.
func lineOf(raw []byte) int {
	if i := bytes.IndexAny(raw, "\r\n"); i >= 0 {
		return i + 1
	}
	return len(raw)
}

// objectsOf are the objects at the beginning, one after the other, up to the end of a
// line; end is behind the last, and ok is false where something else comes first.
func objectsOf(raw []byte) (found []json.RawMessage, end int, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		rest := bytes.TrimLeft(raw[end:], " \t\v\f")
		var o json.RawMessage
		switch {
		case len(rest) == 0 || rest[0] == '\r' || rest[0] == '\n':
			return found, end, true
		case rest[0] != '{' || dec.Decode(&o) != nil:
			return found, end, false
		}
		found, end = append(found, o), int(dec.InputOffset())
	}
}

// object is a JSON object, by its keys.
type object map[string]json.RawMessage

// parse reads an object. What two readers could take for two things is an error.
func parse(raw []byte) (object, error) {
	canon, err := assent.Canonical(raw)
	if err != nil { // in words for whoever asked, without their class
		return nil, errors.New("the answer: " + strings.TrimSuffix(err.Error(), ": "+assent.ErrInvalid.Error()))
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
