package webhook

// Outbound: addresses that are told of events.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"assent"
	"assent/hook"
	"assent/internal/post"
)

// The time of an address that is told.
const (
	DefaultTimeout = 10 * time.Second
	MaxTimeout     = 60 * time.Second
)

// Outbound is one entry of hooks.outbound. Keys that were not written are zero.
type Outbound struct {
	Name      string
	URL       string
	Events    []string
	Matcher   string        // for events of tools
	SecretEnv string        // the variable that holds the secret
	Secret    string        // the secret itself
	Timeout   time.Duration // 1 to 60 seconds; 0 = DefaultTimeout
	Profile   string        // of the agents that it is for; empty = all
}

// Entries are the hooks of the address, one for each event. env looks up the
// variable of the secret. The faults say what was written wrong, for the doctor; an
// address that cannot be told as its owner wants it fails each time, and is never
// told without its signature.
func (o Outbound) Entries(env func(string) string) (entries []hook.Entry, faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, "webhook "+o.label()+": "+fmt.Sprintf(format, args...))
	}
	secret, broken := o.secret(env)
	if !post.IsURL(o.URL) {
		broken = errors.New("url is no http(s) address")
	}
	if broken != nil {
		fault("%v", broken)
	}
	wait := o.wait()
	if o.Timeout != 0 && wait != o.Timeout {
		fault("timeout is between 1 and %d seconds; %s is taken", MaxTimeout/time.Second, wait)
	}
	match, err := hook.Compile(o.Matcher)
	if err != nil {
		fault("matcher %q is no regular expression, and taken literally: %v", o.Matcher, err)
	}
	if len(o.Events) == 0 {
		fault("events is empty: it is told of nothing")
	}
	for _, event := range o.Events {
		e := hook.Entry{
			ID: "webhook " + o.label(), Kind: hook.KindWebhook, Event: event, Match: match, Profile: o.Profile,
			Timeout: wait, OnError: hook.FailIgnore, Watch: true,
			Call: func(ctx context.Context, c assent.Case) (assent.Reply, error) {
				if broken != nil {
					return assent.Reply{}, broken
				}
				return o.tell(ctx, c, secret)
			},
		}
		entries = append(entries, e)
	}
	return entries, faults
}

// Signed reports whether the address is sent signatures.
func (o Outbound) Signed() bool { return o.SecretEnv != "" || o.Secret != "" }

// tell delivers one event. What comes back is not heard; that it was refused is.
func (o Outbound) tell(ctx context.Context, c assent.Case, secret string) (assent.Reply, error) {
	q, err := request(c, o.URL, secret, false)
	if err != nil {
		return assent.Reply{}, err
	}
	a, err := send(ctx, q, true)
	switch {
	case a.Status == 0:
		return assent.Reply{}, err
	case !a.OK():
		return assent.Reply{Fault: "answered with status " + strconv.Itoa(a.Status)}, nil
	}
	return assent.Reply{}, nil
}

func (o Outbound) secret(env func(string) string) (string, error) {
	if o.SecretEnv == "" {
		return o.Secret, nil
	}
	if s := env(o.SecretEnv); s != "" {
		return s, nil
	}
	return "", fmt.Errorf("secret_env: %s is not set", o.SecretEnv)
}

func (o Outbound) wait() time.Duration {
	if o.Timeout == 0 {
		return DefaultTimeout
	}
	return min(max(o.Timeout, time.Second), MaxTimeout)
}

func (o Outbound) label() string {
	if o.Name != "" {
		return o.Name
	}
	return hostOf(o.URL)
}
