// Package broker does what was approved, itself: it runs programs, reads and writes
// files, and fetches, each by one use that is spent and recorded before it happens.
//
// What runs is what was judged: the program is held open from the moment it is looked at
// until it starts, by its content, and so are the directory, the scripts and what it
// reads. What has changed in between is not run. It never uses a shell, never decides
// anything, and never passes on a variable or an open file that was not named. Whatever
// fails, nothing is done.
//
//	b := &broker.Broker{Gate: gate, Ask: true, Wait: 10 * time.Minute}
//	r, err := b.Exec(ctx, broker.Command{Argv: []string{"make", "build"}, Stdout: os.Stdout, Stderr: os.Stderr})
//	var no *broker.Refused
//	if errors.As(err, &no) {
//		fmt.Println(no.Decision, no.Request)
//	}
package broker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"assent"
	"assent/internal/child"
)

// Gate is what a broker needs of assent: the engine, or a client of a server. It may be
// called concurrently.
type Gate interface {
	Use(ctx context.Context, u assent.Use) (assent.Verdict, error)
	Wait(ctx context.Context, request string, hold time.Duration) (assent.Request, error)
	Begin(ctx context.Context, s assent.Start) error
	End(ctx context.Context, e assent.End) error
}

// Broker does things for one holder. Its methods may be called concurrently.
type Broker struct {
	Gate    Gate
	Places  assent.Places
	Now     func() time.Time // nil = time.Now
	Session string           // claimed; a door says itself whose it is
	Extra   map[string]json.RawMessage

	Grant  string        // the only grant to spend from; empty = any that covers it
	Handle string        // the handle that names it
	Ask    bool          // where no grant covers it, people are asked
	Wait   time.Duration // how long for their answer

	LookupEnv func(string) (string, bool) // the caller's variables; nil = os.LookupEnv
	Guard     *child.Guard                // ends what runs if this process is killed; nil = the kernel alone does
}

// ErrChanged is the error of what is no longer what was approved. It was not done.
var ErrChanged = errors.New("changed since it was approved")

// Refused is the error of what may not be done now.
type Refused struct {
	Decision assent.Decision // Ask: it needs a grant; Deny
	Tell     string          // why, in one sentence
	Request  string          // the request that asks for it; empty: nobody was asked
	Waited   bool            // it was waited for an answer, in vain
	Reasons  []assent.Reason
}

// Error says why.
func (r *Refused) Error() string {
	switch {
	case r.Decision == assent.Deny:
		return "denied: " + r.why()
	case r.Waited:
		return r.Request + " has no answer yet"
	case r.Request != "":
		return r.Request + " waits for an answer"
	}
	return "a grant is needed: " + r.why()
}

func (r *Refused) why() string {
	if r.Tell != "" {
		return r.Tell
	}
	var said []string
	for _, why := range r.Reasons {
		if why.Decision == r.Decision && why.Text != "" {
			said = append(said, why.Text)
		}
	}
	if len(said) == 0 {
		return "no grant covers it"
	}
	return strings.Join(said, " ")
}

func (b *Broker) now() time.Time {
	if b.Now == nil {
		return time.Now()
	}
	return b.Now()
}

func (b *Broker) lookup(name string) (string, bool) {
	if b.LookupEnv == nil {
		return os.LookupEnv(name)
	}
	return b.LookupEnv(name)
}

// event is a call of one of our tools, of a name that nobody has used.
func (b *Broker) event(tool, dir string, input json.RawMessage) assent.Event {
	return assent.Event{
		ID: "ev_" + rand.Text(), Call: "call_" + rand.Text(), Name: assent.PreToolCall, At: b.now(), Agent: assent.AgentBroker,
		Session: b.Session, Dir: dir, Tool: tool, Input: input, Extra: b.Extra,
	}
}

// use spends a use on an event, once people have answered where they must. The error is
// a *Refused, or what went wrong: then nothing may be done.
func (b *Broker) use(ctx context.Context, ev assent.Event) (assent.Verdict, error) {
	u := assent.Use{Event: ev, Grant: b.Grant, Handle: b.Handle, Ask: b.Ask}
	until := b.now().Add(b.Wait)
	for {
		v, err := b.Gate.Use(ctx, u)
		switch {
		case err != nil:
			return v, fmt.Errorf("it was not done: %w", err)
		case v.Decision == assent.Allow && v.Rewrite == nil:
			return v, nil
		case v.Decision != assent.Ask || v.Request == "" || b.Wait <= 0:
			return v, refused(v)
		}
		r, err := b.Gate.Wait(ctx, v.Request, until.Sub(b.now()))
		if err != nil {
			return v, fmt.Errorf("it was not done: %w", err)
		}
		if r.State == assent.Pending {
			no := refused(v)
			no.Waited = true
			return v, no
		}
	}
}

func refused(v assent.Verdict) *Refused {
	no := &Refused{Decision: v.Decision, Tell: v.Tell, Request: v.Request, Reasons: v.Reasons}
	if no.Decision != assent.Ask {
		no.Decision = assent.Deny // no opinion is none of ours
	}
	return no
}

// ended tells that a call is over. It is told also where nobody waits any longer.
func (b *Broker) ended(ctx context.Context, e assent.End) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	e.At = b.now()
	if err := b.Gate.End(ctx, e); err != nil {
		return fmt.Errorf("its end could not be recorded: %w", err)
	}
	return nil
}

// endLimit is how long the record of an end may take.
const endLimit = 10 * time.Second

// given back is the end of what was never begun.
func (b *Broker) giveBack(ctx context.Context, ev assent.Event, v assent.Verdict, why error) error {
	return errors.Join(why, b.ended(ctx, assent.End{Session: v.Session, Call: ev.Call, Digest: v.Digest, Note: why.Error()}))
}
