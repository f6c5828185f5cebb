package approve

// Custom: the owner's own approval hook, a script or an address.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/hook/answer"
	"assent/hook/consent"
	"assent/internal/child"
	"assent/internal/post"
	"assent/internal/redact"
)

// Custom asks a hook that the owner wrote. It is a value, and may be called
// concurrently.
type Custom struct {
	Command     string        // a command line, or an http(s) URL
	Timeout     time.Duration // 0 = DefaultTimeout
	Secret      string        // signs what an address is sent, and wants its answer signed
	SeesSecrets bool          // a command is given secrets as they are; an address never is
	Home        string        // what ~ stands for
	Dir         string        // where a command runs; "" = where this process does
	Env         []string      // of a command; nil = that of this process
	Guard       *child.Guard  // ends a command with this process; nil = nobody does
}

// Trial is one time that the hook was asked, with all that was said.
type Trial struct {
	Given          json.RawMessage // on standard input, or as the body
	Stdout, Stderr []byte          // Stdout is an address's answer
	Exit           int             // as Advice.Exit
	Took           time.Duration
	Advice         assent.Advice
}

// Name is who the hook is: its file with the beginning of its content's hash, as it
// is now.
func (c Custom) Name() assent.Identity {
	return assent.Identity{Surface: assent.SurfaceHook, ID: c.source().id(), Name: redact.Text(c.Command)}
}

// Approve asks the hook. The error is nil: what goes wrong is a Fault in the advice,
// for people to decide.
func (c Custom) Approve(ctx context.Context, r assent.Request) (assent.Advice, error) {
	return c.Try(ctx, r).Advice, nil
}

// Try asks the hook and keeps what it was given and what it said. It runs the hook
// and nothing else: whatever the advice is, nothing comes of it here.
func (c Custom) Try(ctx context.Context, r assent.Request) Trial {
	from, who := time.Now(), c.Name()
	t := c.ask(ctx, r)
	t.Took = time.Since(from)
	if t.Advice.Decision != assent.Ask && c.Name().ID != who.ID {
		t.Advice = failed("the approval hook was changed while it ran")
	}
	t.Advice.By, t.Advice.At, t.Advice.Took, t.Advice.Exit, t.Advice.Done = who, from, assent.Duration(t.Took), t.Exit, true
	return t
}

func (c Custom) ask(ctx context.Context, r assent.Request) Trial {
	remote := post.IsURL(c.Command)
	body, err := given(r, c.SeesSecrets && !remote)
	switch {
	case err != nil:
		return Trial{Advice: failed("the request cannot be written for the approval hook: " + err.Error())}
	case remote:
		return c.post(ctx, r, body)
	}
	return c.run(ctx, r, body)
}

// run asks a command.
func (c Custom) run(ctx context.Context, r assent.Request, body []byte) Trial {
	t := Trial{Given: body}
	args, err := consent.Place{Home: c.Home, Dir: c.Dir}.Words(c.Command)
	if err != nil {
		t.Advice = failed("approvals.hook cannot be read: " + err.Error())
		return t
	}
	out, err := child.Run(ctx, child.Spec{Args: args, Dir: c.Dir, Env: c.Env, Stdin: body, Timeout: timeout(c.Timeout), Guard: c.Guard})
	t.Stdout, t.Stderr, t.Exit = out.Stdout, out.Stderr, out.Exit
	switch {
	case err != nil:
		t.Advice = failed("the approval hook did not run: " + err.Error())
	case out.TimedOut:
		t.Advice = failed(fmt.Sprintf("the approval hook gave no answer in %s, and was ended", timeout(c.Timeout)))
	default:
		t.Advice = c.read(r, answer.Output{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit, Signal: out.Signal, Truncated: out.Truncated})
	}
	return t
}

// post asks an address.
func (c Custom) post(ctx context.Context, r assent.Request, body []byte) Trial {
	t := Trial{Given: body}
	ctx, cancel := context.WithTimeout(ctx, timeout(c.Timeout))
	defer cancel()
	q := post.Request{URL: c.Command, Body: body, Secret: c.Secret}
	a, err := q.Send(ctx)
	t.Stdout, t.Exit = a.Body, a.Status
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		t.Advice = failed(fmt.Sprintf("the approval hook gave no answer in %s", timeout(c.Timeout)))
	case err != nil:
		t.Advice = failed("the approval hook: " + err.Error())
	case !a.OK():
		t.Advice = failed(fmt.Sprintf("the approval hook answered with status %d", a.Status))
	case q.Verify(a) != nil:
		t.Advice = failed("the approval hook: " + q.Verify(a).Error())
	default:
		t.Advice = c.read(r, answer.Output{Stdout: a.Body})
	}
	return t
}

// read makes advice of what a hook said.
func (c Custom) read(r assent.Request, out answer.Output) assent.Advice {
	op, err := answer.Approval(out)
	if err != nil {
		return failed("the approval hook: " + err.Error())
	}
	return advised(op, r)
}
