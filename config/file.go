package config

// The file: what config.yaml says. The zero file is a working, safe local set-up.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assent"
	"assent/policy/rules"
)

// File is what config.yaml says.
type File struct {
	Ask       assent.AskMode
	Default   Posture
	Listen    string // loopback address of the HTTP door; "off" = only the socket
	Approvals Approvals
	Said      []rules.Rule // the user's rules, those of the drop-in directory last
}

// Approvals is the part of the file about asking people.
type Approvals struct {
	Mode    string
	Wait    Seconds // how long a held call waits; Unset leaves it to the agent's own limit
	Expires Seconds // after which a request runs out
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
type Key struct {
	Name, Default, Doc string

	set func(f *File, text string) error
}

// Keys are all keys of the file.
var Keys = []Key{
	{"ask", "hold", "who asks: hold (assent holds the call and asks), agent (the agent's own prompt asks), resume (the agent ends and is resumed)",
		func(f *File, text string) (err error) {
			f.Ask, err = oneOf(text, assent.AskHold, assent.AskAgent, assent.AskResume)
			return err
		}},
	{"default", "agent", "what becomes of a call that nobody has an opinion on: agent (the agent's own permission system decides), allow, ask",
		func(f *File, text string) (err error) {
			f.Default, err = posture(text)
			return err
		}},
	{"listen", "127.0.0.1:7070", "loopback address of the HTTP door; off = only the unix socket",
		func(f *File, text string) error {
			f.Listen = text
			return loopback(text)
		}},
	{"approvals.mode", "manual", "who answers: manual (people)",
		func(f *File, text string) (err error) {
			f.Approvals.Mode, err = oneOf(text, "manual")
			return err
		}},
	{"approvals.wait", "the agent's limit less 30 s", "how long a held call waits for people; 0 = it is denied at once, with the name of its request",
		func(f *File, text string) (err error) {
			f.Approvals.Wait, err = seconds(text)
			return err
		}},
	{"approvals.expires", "24h", "after which a request that nobody answered runs out",
		func(f *File, text string) (err error) {
			f.Approvals.Expires, err = seconds(text)
			if err == nil && f.Approvals.Expires < Seconds(time.Second) {
				err = errors.New("a request cannot run out in less than a second")
			}
			return err
		}},
	{"rules", "none", "what to allow, ask about and deny: see [Rules](#rules)", nil},
}

// Load reads the file at path, and the rules of the directory beside it, and tries
// their examples. What is missing is the zero file, and no rules. ErrInvalid with
// the line of what is wrong.
func Load(path string) (File, error) {
	f, err := load(path)
	if err == nil {
		f.Said, err = dropIns(filepath.Join(filepath.Dir(path), DropIns), f.Said)
	}
	if err == nil {
		err = rules.Try(f.Said, Trial)
	}
	if err != nil {
		return File{}, err
	}
	return f, nil
}

func load(path string) (File, error) {
	raw, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Zero(), nil
	}
	if err != nil {
		return File{}, err
	}
	return Parse(path, raw)
}

// readFile reads a regular file.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: %w", path, assent.ErrInvalid)
	}
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return raw, nil
}

// Posture is a Decision as the file spells it: agent is "no opinion".
type Posture assent.Decision

// String writes the posture as the file spells it.
func (p Posture) String() string {
	if assent.Decision(p) == assent.None {
		return "agent"
	}
	return assent.Decision(p).String()
}

func posture(text string) (Posture, error) {
	for _, p := range []Posture{Posture(assent.None), Posture(assent.Allow), Posture(assent.Ask)} {
		if text == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%q is not known; possible: agent, allow, ask", text)
}

// Seconds is a length of time: seconds as a number, or written out ("10m").
type Seconds time.Duration

func seconds(text string) (Seconds, error) {
	d, err := Length(text)
	return Seconds(d), err
}
