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
	Users     Users        // the user's own code
	Profiles  []Profile    // what differs for some agents; the first that matches counts
}

// Approvals is the part of the file about asking people, and whoever may answer
// before they do.
type Approvals struct {
	Mode    string  // manual, smart, custom or off
	Wait    Seconds // how long a held call waits; Unset leaves it to the agent's own limit
	Expires Seconds // after which a request runs out

	Hook    string  // the approval hook: a command line, or an http(s) URL
	Timeout Seconds // of the hook
	Secret  string  // reference to the key that signs what is sent to a URL
	Raw     bool    // the hook sees secrets
	OnDeny  bool    // the reason of a denial is posted where the request came from
	OnAllow bool    // so is that of a yes
	Renewed string  // a word of the owner's: another one gives anew what was revoked

	Smart Smart
}

// Before is how long whoever may answer before people do can take; 0 = nobody may.
func (a Approvals) Before() time.Duration {
	const spare = 2 * time.Second
	var d time.Duration
	if a.asksHook() {
		d += time.Duration(a.Timeout) + spare
	}
	if a.Smart.URL != "" && a.Mode == "smart" {
		d += time.Duration(a.Smart.Timeout) + spare
	}
	return d
}

// Smart is the part of the file about the judge.
type Smart struct {
	URL       string // of an OpenAI-compatible API
	Model     string
	Key       string // reference to the API key
	Policy    string // the owner's words to the judge
	Authority string // none, or once
	Timeout   Seconds
}

// Unset is the Wait that leaves the length to the agent's own limit.
const Unset = Seconds(-1)

// Zero is the file that is not there.
func Zero() File {
	return File{
		Ask: assent.AskHold, Default: Posture(assent.None), Listen: "127.0.0.1:7070",
		Approvals: Approvals{
			Mode: "manual", Wait: Unset, Expires: Seconds(24 * time.Hour), Timeout: Seconds(30 * time.Second), OnDeny: true,
			Smart: Smart{Authority: "none", Timeout: Seconds(30 * time.Second)},
		},
	}
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
	for _, p := range f.Profiles {
		if err == nil {
			err = rules.Try(p.File.Said, Trial)
		}
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
