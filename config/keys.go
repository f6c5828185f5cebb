package config

// The keys: every key of config.yaml, as the reference prints them.

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"assent"
)

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
	{"listen", "127.0.0.1:7070", "loopback address of the HTTP door; off = only the unix sockets",
		func(f *File, text string) error {
			f.Listen = text
			return loopback(text)
		}},
	{"approvals.mode", "manual", "who answers: manual (people), custom (`approvals.hook` first), smart (the hook if there is one, then a judge, then people), off (your own standing grant: nobody is asked)",
		func(f *File, text string) (err error) {
			if text == "false" {
				text = "off" // as older YAML reads it
			}
			f.Approvals.Mode, err = oneOf(text, "manual", "smart", "custom", "off")
			return err
		}},
	{"approvals.hook", "none", "the approval hook: a command line, or an http(s) URL; see [Approval modes](approvals.md)",
		text(func(f *File) *string { return &f.Approvals.Hook })},
	{"approvals.timeout", "30", "how long the approval hook may take",
		length(func(f *File) *Seconds { return &f.Approvals.Timeout })},
	{"approvals.hook_secret", "none", "reference to the key that signs what goes to a URL, and its answer: env:NAME or file:PATH",
		reference(func(f *File) *string { return &f.Approvals.Secret })},
	{"approvals.hook_sees_secrets", "false", "true = secrets in a command are not struck out for the approval hook",
		yesNo(func(f *File) *bool { return &f.Approvals.Raw })},
	{"approvals.on_deny_notify_gateway", "true", "whether the reason of the hook's denial is told where the request came from",
		yesNo(func(f *File) *bool { return &f.Approvals.OnDeny })},
	{"approvals.on_approve_notify_gateway", "false", "whether the reason of the hook's yes is told there",
		yesNo(func(f *File) *bool { return &f.Approvals.OnAllow })},
	{"approvals.renewed", "none", "any word, such as a date: another one than before gives anew the standing grant of `off`, or the approver's authority, after you revoked it or it was used up",
		text(func(f *File) *string { return &f.Approvals.Renewed })},
	{"approvals.smart.url", "none", "the judge's API, OpenAI-compatible: http://127.0.0.1:11434/v1",
		address(func(f *File) *string { return &f.Approvals.Smart.URL })},
	{"approvals.smart.model", "none", "the judge's model",
		text(func(f *File) *string { return &f.Approvals.Smart.Model })},
	{"approvals.smart.key", "none", "reference to the API key: env:NAME or file:PATH",
		reference(func(f *File) *string { return &f.Approvals.Smart.Key })},
	{"approvals.smart.policy", "none", "your words to the judge",
		text(func(f *File) *string { return &f.Approvals.Smart.Policy })},
	{"approvals.smart.authority", "none", "none = the judge may deny and explain; once = it may also say yes: to one action, for 60 s, never where a protected fact is",
		func(f *File, text string) (err error) {
			f.Approvals.Smart.Authority, err = oneOf(text, "none", "once")
			return err
		}},
	{"approvals.smart.timeout", "30", "how long the judge may take",
		length(func(f *File) *Seconds { return &f.Approvals.Smart.Timeout })},
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
	{"hooks", "none", "your own programs, by event: see [Hooks](hooks.md)", nil},
	{"hooks_auto_accept", "false", "true = a command of this file that was never seen before is allowed when it is first called, unless it depends on the agent's directory",
		yesNo(func(f *File) *bool { return &f.Users.Accept })},
	{"plugins.enabled", "none", "names of the Python plugins that are loaded", nil},
	{"plugins.disabled", "none", "names of plugins that are not loaded, whatever else says so", nil},
	{"plugins.hermes", "false", "true = plugins of ~/.hermes/plugins can be enabled too",
		yesNo(func(f *File) *bool { return &f.Users.Hermes })},
	{"plugins.entries", "none", "settings of plugins, by name", nil},
	{"profiles", "none", "what is different for some agents: see [Who is different](approvals.md#who-is-different)", nil},
}

// The setters of plain values.

func text(at func(*File) *string) func(*File, string) error {
	return func(f *File, text string) error {
		*at(f) = strings.TrimSpace(text)
		return nil
	}
}

func length(at func(*File) *Seconds) func(*File, string) error {
	return func(f *File, text string) (err error) {
		if *at(f), err = seconds(text); err == nil && *at(f) <= 0 {
			err = errors.New("it must be more than nothing")
		}
		return err
	}
}

func yesNo(at func(*File) *bool) func(*File, string) error {
	return func(f *File, text string) error {
		switch strings.ToLower(text) {
		case "true", "yes", "on":
			*at(f) = true
		case "false", "no", "off":
			*at(f) = false
		default:
			return fmt.Errorf("%q is neither true nor false", text)
		}
		return nil
	}
}

func address(at func(*File) *string) func(*File, string) error {
	return func(f *File, text string) error {
		if u, err := url.Parse(text); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("%q is no address such as http://127.0.0.1:11434/v1", text)
		}
		*at(f) = text
		return nil
	}
}

func reference(at func(*File) *string) func(*File, string) error {
	return func(f *File, text string) error {
		*at(f) = text
		return isReference(text)
	}
}
