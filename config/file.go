package config

// The file: config.yaml. The zero file is a working, safe local set-up; unknown
// keys are errors with their line.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"assent"
)

// File is what config.yaml says.
type File struct {
	Ask       assent.AskMode `yaml:"ask"`
	Default   Posture        `yaml:"default"`
	Listen    string         `yaml:"listen"`
	Approvals Approvals      `yaml:"approvals"`
}

// Approvals is the part of the file about asking people.
type Approvals struct {
	Mode    string  `yaml:"mode"`
	Wait    Seconds `yaml:"wait"`
	Expires Seconds `yaml:"expires"`
}

// Unset is the Wait that leaves the length to the agent's own limit.
const Unset = Seconds(-1)

// Zero is the file that is not there.
func Zero() File {
	return File{
		Ask: assent.AskHold, Default: Posture(assent.None), Listen: "127.0.0.1:7070",
		Approvals: Approvals{Mode: "manual", Wait: Unset, Expires: Seconds(24 * time.Hour)},
	}
}

// Key is one row of the reference of config.yaml.
type Key struct{ Name, Default, Doc string }

// Keys are all keys of the file.
var Keys = []Key{
	{"ask", "hold", "who asks: hold (assent holds the call and asks), agent (the agent's own prompt asks), resume (the agent ends and is resumed)"},
	{"default", "agent", "what becomes of a call that nobody has an opinion on: agent (the agent's own permission system decides), allow, ask"},
	{"listen", "127.0.0.1:7070", "loopback address of the HTTP door; off = only the unix socket"},
	{"approvals.mode", "manual", "who answers: manual (people)"},
	{"approvals.wait", "the agent's limit less 30 s", "how long a held call waits for people; 0 = it is denied at once, with the name of its request"},
	{"approvals.expires", "24h", "after which a request that nobody answered runs out"},
}

// Load reads the file at path; a missing one is the zero file. ErrInvalid with
// the line of what is wrong.
func Load(path string) (File, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Zero(), nil
	}
	if err != nil {
		return File{}, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return Parse(path, raw)
}

// Parse reads the content of a configuration file. name is for messages.
func Parse(name string, raw []byte) (File, error) {
	f := Zero()
	if err := yaml.UnmarshalWithOptions(raw, &f, yaml.Strict(), yaml.DisallowUnknownField()); err != nil {
		return File{}, fmt.Errorf("%s: %s\nknown keys: %s: %w", name, yaml.FormatError(err, false, true), keyNames(), assent.ErrInvalid)
	}
	return f, f.check(name)
}

func keyNames() string {
	var names []string
	for _, k := range Keys {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

func (f File) check(name string) error {
	bad := func(key, have, want string) error {
		return fmt.Errorf("%s: %s: %q is not known; possible: %s: %w", name, key, have, want, assent.ErrInvalid)
	}
	switch f.Ask {
	case assent.AskHold, assent.AskAgent, assent.AskResume:
	default:
		return bad("ask", string(f.Ask), "hold, agent, resume")
	}
	if f.Approvals.Mode != "manual" {
		return bad("approvals.mode", f.Approvals.Mode, "manual")
	}
	if f.Approvals.Expires < Seconds(time.Second) {
		return bad("approvals.expires", time.Duration(f.Approvals.Expires).String(), "a second or more")
	}
	return nil
}

// Posture is a Decision as the file spells it: agent is "no opinion".
type Posture assent.Decision

// UnmarshalYAML reads agent, allow or ask.
func (p *Posture) UnmarshalYAML(raw []byte) error {
	var s string
	if err := yaml.Unmarshal(raw, &s); err != nil {
		return err
	}
	switch s {
	case "agent":
		*p = Posture(assent.None)
	case "allow":
		*p = Posture(assent.Allow)
	case "ask":
		*p = Posture(assent.Ask)
	default:
		return fmt.Errorf("default: %q is not known; possible: agent, allow, ask", s)
	}
	return nil
}

// Seconds is a length of time: seconds as a number, or written out ("10m").
type Seconds time.Duration

// UnmarshalYAML reads a number of seconds or a written-out duration.
func (s *Seconds) UnmarshalYAML(raw []byte) error {
	var text string
	if err := yaml.Unmarshal(raw, &text); err != nil {
		return err
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < 1e9 {
		*s = Seconds(n * float64(time.Second))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time: write seconds (30) or a duration (10m)", text)
	}
	*s = Seconds(d)
	return nil
}

// String writes the posture as the file spells it.
func (p Posture) String() string {
	if assent.Decision(p) == assent.None {
		return "agent"
	}
	return assent.Decision(p).String()
}
