package webhook

// Directives: an address that is asked like a script.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/answer"
	"assent/internal/post"
	"assent/internal/redact"
)

// Directive is an http(s) URL as the command of a hook. Its answer's body is read as
// a script's standard output.
type Directive struct {
	URL         string
	Event       string
	Match       hook.Matcher
	Profile     string
	Timeout     time.Duration // 0 = hook.DefaultTimeout
	OnError     hook.OnError
	Secret      string // signs what is sent, and wants the answer signed
	SeesSecrets bool   // the payload as it is
}

// Entry is the hook of the address. Any status but 2xx, no answer, and one whose
// signature is missing or wrong are failures: what they count as, OnError says.
func (d Directive) Entry() hook.Entry {
	return hook.Entry{
		ID: "webhook " + redact.Text(d.URL), Kind: hook.KindWebhook, Event: d.Event, Match: d.Match, Profile: d.Profile,
		Timeout: d.Timeout, OnError: d.OnError, Call: d.ask,
	}
}

func (d Directive) ask(ctx context.Context, c assent.Case) (assent.Reply, error) {
	q, err := request(c, d.URL, d.Secret, d.SeesSecrets)
	if err != nil {
		return assent.Reply{}, err
	}
	a, err := send(ctx, q, false)
	switch {
	case err != nil:
		return assent.Reply{}, err
	case !a.OK():
		return assent.Reply{}, fmt.Errorf("answered with status %d", a.Status)
	}
	if err := q.Verify(a); err != nil {
		return assent.Reply{}, err
	}
	r, err := answer.Read(c.Name, hook.Hermes, c.Tool, answer.Output{Stdout: a.Body})
	if err == nil && masked(c, r) {
		return assent.Reply{}, errors.New("it rewrote the input with what it was not shown (" + redact.Mark + ")")
	}
	return r, err
}

// masked reports whether a rewrite would put the mark where a secret was.
func masked(c assent.Case, r assent.Reply) bool {
	mark := []byte(redact.Mark)
	if bytes.Contains(c.Input, mark) {
		return false // it was there before
	}
	return bytes.Contains(r.Rewrite, mark)
}

// IsURL reports whether the command of a hook is an address.
func IsURL(command string) bool { return post.IsURL(command) }
