package claude

// Wire and Unwire: assent's own entries in a settings file, put in and taken out
// as text, so that everything else in the file stays as it stands, byte by byte.

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"assent"
)

// Wire returns the settings with one hook entry for every event that assent
// wants to hear of: the program, an absolute path, is started without a shell as
//
//	program hook claude --event EVENT more…
//
// Entries of ours that differ are replaced where they stand; when none does, the
// settings come back as they were. Empty settings become a file of their own.
// ErrInvalid for settings that are not JSON (comments and trailing commas are
// kept), for a "hooks" of another form, and for a program that Unwire would not
// know again: its base name must be assent, or begin with "assent-".
//
// What Claude Code makes of the result, Wiring says.
func Wire(settings []byte, program string, more ...string) ([]byte, error) {
	if !filepath.IsAbs(program) || !ownProgram(program) {
		return nil, fmt.Errorf("%s is not the absolute path of an assent program: %w", program, assent.ErrInvalid)
	}
	text, bom := cutBOM(settings)
	var doc document
	for i := len(rows) - 1; i >= 0; i-- { // each goes in front of the ones before
		if blank(text) {
			st := styleOf(nil)
			return slices.Concat(bom, []byte(st.root(program, more)+st.eol), text), nil
		}
		var err error
		if doc.text == nil || !bytes.Equal(doc.text, text) {
			if doc, err = parse(text); err != nil {
				return nil, err
			}
		}
		if !rows[i].wired {
			continue
		}
		if text, err = doc.wire(rows[i], program, more); err != nil {
			return nil, err
		}
	}
	return slices.Concat(bom, text), nil
}

// wire makes one event's entry what it should be, and returns the text.
func (d document) wire(r row, program string, more []string) ([]byte, error) {
	st := styleOf(d.text)
	group := st.group(r, program, more)
	own := d.own(r.event)
	if len(own) == 1 && own[0].alone {
		have := own[0].group
		if sameGroup(have, group) {
			return d.text, nil
		}
		return slices.Concat(d.text[:have.StartOffset], []byte(group), d.text[have.EndOffset:]), nil
	}
	text, d, err := d.clear(r.event)
	if err != nil || blank(text) {
		return text, err
	}
	return d.add(st, r.event, group), nil
}

// Unwire returns the settings without assent's entries, and without the lists
// and objects that Wire made for them. When nothing else was changed since, the
// result is byte for byte what Wire was given. ErrInvalid as for Wire.
func Unwire(settings []byte) ([]byte, error) {
	text, bom := cutBOM(settings)
	if blank(text) {
		return settings, nil
	}
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	var events []string
	for _, m := range doc.events().Members {
		events = append(events, key(m))
	}
	for _, event := range events {
		if text, doc, err = doc.clear(event); err != nil {
			return nil, err
		}
	}
	return slices.Concat(bom, text), nil
}

// clear takes out every entry of ours under one event.
func (d document) clear(event string) ([]byte, document, error) {
	for {
		own := d.own(event)
		if len(own) == 0 {
			return d.text, d, nil
		}
		var err error
		if _, d, err = d.drop(own[0]); err != nil {
			return nil, d, err
		}
	}
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// ownProgram reports whether a path's base name is one that assent goes by.
func ownProgram(path string) bool {
	base := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	base = strings.TrimSuffix(base, ".exe")
	return base == "assent" || strings.HasPrefix(base, "assent-")
}

// sameGroup reports whether a group in the file says what the text says.
func sameGroup(have hujson.Value, want string) bool {
	a, errA := canonicalValue(have)
	b, errB := assent.Canonical([]byte(want))
	return errA == nil && errB == nil && string(a) == string(b)
}

// canonicalValue is the canonical JSON of a parsed value, comments left out.
func canonicalValue(v hujson.Value) ([]byte, error) {
	v = v.Clone()
	v.Minimize()
	return assent.Canonical(v.Pack())
}

// cutBOM takes a byte order mark off the front, which editors of one system add.
func cutBOM(settings []byte) (text, bom []byte) {
	if rest, ok := strings.CutPrefix(string(settings), "\uFEFF"); ok {
		return []byte(rest), []byte("\uFEFF")
	}
	return settings, nil
}
