package config

// The file: what is read of it, and what is said of what is wrong with it.

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assent"
)

func TestTheEmptyFileIsTheZeroFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "ask:\n", "approvals:\n", "approvals:\n  wait:\n", "{}\n"} {
		if f, err := Parse("config.yaml", []byte(text)); err != nil || !reflect.DeepEqual(f, Zero()) {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
	if f, err := Load(filepath.Join(t.TempDir(), "none.yaml")); err != nil || !reflect.DeepEqual(f, Zero()) {
		t.Errorf("no file: %+v, %v", f, err)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	t.Parallel()
	with := func(change func(*File)) File {
		f := Zero()
		change(&f)
		return f
	}
	wait := func(d time.Duration) File { return with(func(f *File) { f.Approvals.Wait = Seconds(d) }) }
	for text, want := range map[string]File{
		"ask: agent":                       with(func(f *File) { f.Ask = assent.AskAgent }),
		"ask: 'resume'  # quoted":          with(func(f *File) { f.Ask = assent.AskResume }),
		"default: ask":                     with(func(f *File) { f.Default = Posture(assent.Ask) }),
		"default: allow":                   with(func(f *File) { f.Default = Posture(assent.Allow) }),
		"default: agent":                   Zero(),
		"listen: off":                      with(func(f *File) { f.Listen = "off" }),
		"listen: '[::1]:80'":               with(func(f *File) { f.Listen = "[::1]:80" }),
		"listen: localhost:0":              with(func(f *File) { f.Listen = "localhost:0" }),
		"approvals: {mode: manual}":        Zero(),
		"approvals:\n  wait: 0":            wait(0),
		"approvals:\n  wait: 2.5":          wait(2500 * time.Millisecond),
		"approvals: {wait: 10m}":           wait(10 * time.Minute),
		"approvals: {wait: \"1h30m\"}":     wait(90 * time.Minute),
		"approvals: {expires: 1}":          with(func(f *File) { f.Approvals.Expires = Seconds(time.Second) }),
		"ask: agent\napprovals: {wait: 1}": with(func(f *File) { f.Ask, f.Approvals.Wait = assent.AskAgent, Seconds(time.Second) }),
	} {
		if f, err := Parse("config.yaml", []byte(text)); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}

func TestWhatIsWrongIsSaidWithItsLine(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"ask: maybe":                                 `c.yaml:1: ask: "maybe" is not known; possible: hold, agent, resume`,
		"\n\ndefault: never":                         `c.yaml:3: default: "never" is not known; possible: agent, allow, ask`,
		"default: deny":                              `c.yaml:1: default: "deny" is not known`,
		"bogus: 1":                                   `c.yaml:1: there is no key "bogus"; there are ask, default, listen, approvals.mode, `,
		"approvals:\n  wiat: 3":                      `c.yaml:2: there is no key "approvals.wiat"; did you mean "approvals.wait"?`,
		"Ask: hold":                                  `c.yaml:1: there is no key "Ask"; did you mean "ask"?`,
		"wait: 3":                                    `c.yaml:1: there is no key "wait"; there are `,
		"ask: hold\nask: agent":                      `c.yaml:2: mapping key "ask" already defined`,
		"approvals: {wait: 1, wait: 2}":              `c.yaml:1: mapping key "wait" already defined`,
		"approvals: 3":                               `c.yaml:1: keys with values were expected`,
		"approvals: {mode: clever}":                  `c.yaml:1: approvals.mode: "clever" is not known; possible: manual, smart, custom, off`,
		"approvals: {mode: smart}":                   `approvals.mode is smart, and approvals.smart has no url and model`,
		"approvals: {mode: custom}":                  `approvals.mode is custom, and approvals.hook does not say whom to ask`,
		"approvals: {hook_secret: abc}":              `c.yaml:1: approvals.hook_secret: a secret does not stand in the file: write env:NAME or file:PATH`,
		"approvals: {timeout: 0}":                    `c.yaml:1: approvals.timeout: it must be more than nothing`,
		"hooks: 3":                                   `c.yaml:1: hooks: events with their hooks were expected`,
		"hooks:\n  pre_tool_call: x":                 `c.yaml:2: hooks.pre_tool_call: a list was expected`,
		"hooks:\n  pre_tool_cal:\n    - command: x":  `c.yaml:3: no event is called "pre_tool_cal"; did you mean "pre_tool_call"?`,
		"hooks:\n  pre_tool_call:\n    - matcher: x": `c.yaml:3: hooks.pre_tool_call: a hook has a command`,
		"hooks:\n  pre_tool_call:\n    - {command: x, tiemout: 3}":        `c.yaml:3: hooks.pre_tool_call has no key "tiemout"; did you mean "timeout"?`,
		"hooks:\n  pre_tool_call:\n    - {command: x, on_error: panic}":   `c.yaml:3: hooks.pre_tool_call.on_error: "panic" is not known; possible: ask, deny, ignore`,
		"hooks:\n  outbound:\n    - {url: ftp://x, events: [agent:end]}":  `c.yaml:3: hooks.outbound.url: "ftp://x" is no address`,
		"hooks:\n  outbound:\n    - {url: http://x, events: [agent_end]}": `c.yaml:3: hooks.outbound: no event is called "agent_end"`,
		"hooks:\n  outbound:\n    - {url: http://x}":                      `c.yaml:3: hooks.outbound: an address has a url and events`,
		"plugins: {enabled: x}":                            `c.yaml:1: plugins.enabled: a list of names was expected`,
		"profiles: {home: {default: ask}}":                 `c.yaml:1: profiles.home does not say whom it is for`,
		"profiles: {home: {match: {agnet: x}}}":            `c.yaml:1: profiles.home.match has no key "agnet"; did you mean "agent"?`,
		"profiles: {home: {match: {agent: x}, ask: hold}}": `c.yaml:1: ask is the same for every profile`,
		"profiles: {default: {match: {agent: x}}}":         `c.yaml:1: profiles.default: that is the profile of everybody else`,
		"approvals:\n  wait: -1":                           `c.yaml:2: approvals.wait: "-1" is not a time: write seconds (30) or a duration (10m)`,
		"approvals: {wait: soon}":                          `c.yaml:1: approvals.wait: "soon" is not a time`,
		"approvals: {wait: 1e400}":                         `c.yaml:1: approvals.wait: "1e400" is not a time`,
		"approvals: {wait: .inf}":                          `c.yaml:1: approvals.wait: one plain value was expected`,
		"approvals: {expires: 0}":                          `c.yaml:1: approvals.expires: a request cannot run out in less than a second`,
		"ask: [hold]":                                      `c.yaml:1: ask: one plain value was expected`,
		"ask: &x hold":                                     `c.yaml:1: ask: one plain value was expected`,
		"ask: true":                                        `c.yaml:1: ask: "true" is not known`,
		"listen: 0.0.0.0:80":                               `c.yaml:1: listen: "0.0.0.0:80" is not a loopback address with a port`,
		"listen: example.com:80":                           `is not a loopback address`,
		"listen: 127.0.0.1":                                `is not a loopback address`,
		"listen: ''":                                       `is not a loopback address`,
		"- ask":                                            `c.yaml:1: keys with values were expected`,
		"a: b: c":                                          `c.yaml:1: mapping value is not allowed`,
		"ask: hold\n---\nask: agent":                       `c.yaml:3: a second document follows`,
		"\xff\xfe":                                         `c.yaml:1: keys with values were expected`,
		"<<: {ask: agent}":                                 `c.yaml:1: there is no key "<<"`,
		"? [ask]\n: hold":                                  `c.yaml:2: `,
	} {
		_, err := Parse("c.yaml", []byte(text))
		if !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestOnlyAFileIsRead(t *testing.T) {
	t.Parallel()
	if _, err := Load(t.TempDir()); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte("ask: agent\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := Load(path); err != nil || f.Ask != assent.AskAgent {
		t.Error(f, err)
	}
}

// FuzzParse: whatever stands in the file, it is read or refused by name, and never
// loosens by being unreadable.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"ask: hold", "approvals: {wait: 3}", "default: allow", "a:\n- b", "? x\n: y", "&a [*a]", "%YAML 1.2\n---\n", "ask: |\n  hold", "!!str ask: hold"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := Parse("c.yaml", raw)
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) || !reflect.DeepEqual(file, File{}) {
				t.Fatalf("%+v, %v", file, err)
			}
			return
		}
		if file.Default != Posture(assent.None) && !strings.Contains(string(raw), "default") {
			t.Fatalf("%q: %+v", raw, file)
		}
		if file.Approvals.Wait < Unset || file.Approvals.Expires < Seconds(time.Second) || loopback(file.Listen) != nil {
			t.Fatalf("%q: %+v", raw, file)
		}
	})
}
