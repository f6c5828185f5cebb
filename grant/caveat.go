package grant

// Caveats: what a handle is narrowed to, and how that is written.

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"assent"
)

// Caveat is one restriction. Exactly one field is set.
type Caveat struct {
	Until   time.Time       `json:"until,omitzero"`    // good before this moment
	Digest  string          `json:"digest,omitempty"`  // this very action
	Tool    string          `json:"tool,omitempty"`    // by our name
	Program string          `json:"program,omitempty"` // as one of Scope.Programs: "git", "git push"
	Under   string          `json:"under,omitempty"`   // as Scope.Under; of files, the path itself
	Dir     string          `json:"dir,omitempty"`     // as Scope.Dir
	Session string          `json:"session,omitempty"` // of this one, and not of its sub-agents
	Process *assent.Process `json:"process,omitempty"` // by pid, start and boot; or what descends from it
}

// Caveats all hold together.
type Caveats []Caveat

// The kinds, as they are written. A number is never used again.
const (
	kindUntil byte = 1 + iota
	kindDigest
	kindTool
	kindProgram
	kindUnder
	kindDir
	kindSession
	kindProcess
)

var kinds = [...]string{kindUntil: "until", kindDigest: "digest", kindTool: "tool", kindProgram: "program", kindUnder: "under", kindDir: "dir", kindSession: "session", kindProcess: "process"}

// A caveat is written as its kind, the length of its value in two bytes, and its value.
const caveatHead = 3

// String says what the caveat allows.
func (c Caveat) String() string {
	kind, _, err := c.value()
	switch {
	case err != nil:
		return "nothing"
	case kind == kindUntil:
		return "until " + c.Until.UTC().Format(time.RFC3339Nano)
	case kind == kindProcess:
		return fmt.Sprintf("process %d", c.Process.PID)
	}
	return fmt.Sprintf("%s %q", kinds[kind], *c.text(kind))
}

// text is the field of a kind that is a text; nil for the others.
func (c *Caveat) text(kind byte) *string {
	switch kind {
	case kindDigest:
		return &c.Digest
	case kindTool:
		return &c.Tool
	case kindProgram:
		return &c.Program
	case kindUnder:
		return &c.Under
	case kindDir:
		return &c.Dir
	case kindSession:
		return &c.Session
	}
	return nil
}

// value is the caveat's kind and what is written of it.
func (c Caveat) value() (kind byte, value []byte, err error) {
	set := 0
	for k := kindDigest; k <= kindSession; k++ {
		if text := *c.text(k); text != "" {
			kind, value, set = k, []byte(text), set+1
		}
	}
	if !c.Until.IsZero() {
		kind, value, set = kindUntil, binary.BigEndian.AppendUint64(nil, uint64(c.Until.UnixNano())), set+1
	}
	if p := c.Process; p != nil {
		kind, set = kindProcess, set+1
		value = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(p.PID)), p.Start)
		value = append(value, p.Boot...)
	}
	if set != 1 {
		return 0, nil, fmt.Errorf("a caveat of %d kinds, not one: %w", set, assent.ErrInvalid)
	}
	return kind, value, c.check(kind)
}

// check refuses what could be written in two ways, or could never be true.
func (c Caveat) check(kind byte) error {
	good := true
	if text := c.text(kind); text != nil {
		good = utf8.ValidString(*text)
	}
	switch kind {
	case kindUntil:
		ns := c.Until.UnixNano()
		good = ns > 0 && time.Unix(0, ns).Equal(c.Until)
	case kindDigest:
		raw, err := hex.DecodeString(c.Digest)
		good = err == nil && len(raw) == 32 && hex.EncodeToString(raw) == c.Digest
	case kindProgram:
		good = good && strings.Join(strings.Fields(c.Program), " ") == c.Program
	case kindUnder:
		good = good && filepath.IsAbs(c.Under) && filepath.Clean(c.Under) == c.Under
	case kindDir:
		good = good && filepath.IsAbs(c.Dir) && filepath.Clean(c.Dir) == c.Dir
	case kindProcess:
		good = c.Process.PID > 0 && c.Process.Start > 0 && c.Process.Boot != "" && utf8.ValidString(c.Process.Boot)
	}
	if !good {
		return fmt.Errorf("a caveat of kind %q that is not well-formed: %w", kinds[kind], assent.ErrInvalid)
	}
	return nil
}

func (c Caveat) encode() ([]byte, error) {
	kind, value, err := c.value()
	if err == nil && len(value) > MaxHandle {
		err = fmt.Errorf("a caveat of %d bytes: %w", len(value), assent.ErrInvalid)
	}
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint16([]byte{kind}, uint16(len(value))), value...), nil
}

// has reports whether a caveat is among those of wire, as it is written.
func has(wire, caveat []byte) bool {
	for len(wire) > 0 {
		n := caveatSize(wire)
		if bytes.Equal(wire[:n], caveat) {
			return true
		}
		wire = wire[n:]
	}
	return false
}

// caveatSize is how long the caveat is that wire begins with; 0: there is none.
func caveatSize(wire []byte) int {
	if len(wire) < caveatHead {
		return 0
	}
	n := caveatHead + int(binary.BigEndian.Uint16(wire[1:]))
	if n > len(wire) {
		return 0
	}
	return n
}

// decodeCaveats takes only what encode writes: known kinds, one spelling, each once.
func decodeCaveats(wire []byte) (Caveats, error) {
	if len(wire) == 0 {
		return nil, malformed("it is narrowed to nothing")
	}
	var all Caveats
	for at := 0; at < len(wire); {
		n := caveatSize(wire[at:])
		if n == 0 {
			return nil, malformed("a caveat is cut off")
		}
		one := wire[at : at+n]
		c := decodeCaveat(one[0], one[caveatHead:])
		if again, err := c.encode(); err != nil || !bytes.Equal(again, one) {
			return nil, malformed("a caveat is of a kind or form that this program does not know")
		}
		if len(all) == MaxCaveats || has(wire[:at], one) {
			return nil, malformed("a caveat stands twice, or there are too many")
		}
		all, at = append(all, c), at+n
	}
	return all, nil
}

// decodeCaveat is the zero Caveat where it cannot tell.
func decodeCaveat(kind byte, value []byte) (c Caveat) {
	text := c.text(kind)
	switch {
	case text != nil:
		*text = string(value)
	case kind == kindUntil && len(value) == 8:
		c.Until = time.Unix(0, int64(binary.BigEndian.Uint64(value))).UTC()
	case kind == kindProcess && len(value) > 16:
		c.Process = &assent.Process{PID: int(binary.BigEndian.Uint64(value)), Start: binary.BigEndian.Uint64(value[8:]), Boot: string(value[16:])}
	}
	return c
}
