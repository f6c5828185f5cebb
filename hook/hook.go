// Package hook makes one Hook of many: the user's own code at every point of an
// agent's life. The Dispatcher asks each entry that an event concerns, in its own
// time, and folds what they say as the event's row of the catalogue states.
//
// It runs no program, reads no file and keeps nothing: the kinds of hooks live in
// the folders below, and make Entries. What fails is never taken for a yes, and
// never stops the others.
//
//	d := hook.New(hook.Options{}, hook.Func(assent.PreToolCall, "no-friday", noFriday))
//	go d.Run(ctx)                  // serves those that only watch
//	reply, err := d.Judge(ctx, c)  // reply.Parts: what each of them said
package hook

import (
	"cmp"
	"context"
	"time"

	"assent"
)

// Kind is what sort of hook an entry is.
type Kind string

// The kinds, in the order in which they speak.
const (
	KindPlugin  Kind = "plugin"  // register(ctx) of a plugin
	KindScript  Kind = "script"  // hooks: of config.yaml
	KindDir     Kind = "dir"     // a directory with HOOK.yaml
	KindWebhook Kind = "webhook" // an address that is told, or asked
	KindFunc    Kind = "func"    // a function of a Go program
)

// OnError says what a hook's failure counts as, where the event hears a decision.
type OnError string

// The choices. The zero value is the event's default: ask where it hears a
// decision, ignore elsewhere.
const (
	FailAsk    OnError = "ask"
	FailDeny   OnError = "deny"   // fail_closed: true
	FailIgnore OnError = "ignore" // fail_closed: false, written out
)

// DefaultTimeout is how long an entry may take that does not say.
const DefaultTimeout = 60 * time.Second

// Entry is one hook for one event. It is a value: what runs is behind Call.
type Entry struct {
	ID      string // names it in the log, in cards and for the doctor: "script ./guard.sh"
	Kind    Kind
	Event   string        // a name of the catalogue, or "agent:*" for all that begin so
	Match   Matcher       // which tools; the zero Matcher is all
	Profile string        // of the agents that it is for; empty = all
	Timeout time.Duration // 0 = DefaultTimeout
	OnError OnError
	Watch   bool // it only watches, whatever its event hears

	// Call asks the hook. It returns soon after ctx ends, and leaves nothing
	// running. An error is a failure: what it counts as, OnError says; a Reply
	// beside it counts only if it denies. A Fault in the Reply is told to people,
	// and fails nothing. By is filled in by the Dispatcher.
	Call func(ctx context.Context, c assent.Case) (assent.Reply, error)

	// Many tells an entry that watches of several events at once, in order. nil: Call
	// tells it of each.
	Many func(ctx context.Context, cs []assent.Case) error
}

// Func makes an entry of a function.
func Func(event, name string, f func(ctx context.Context, c assent.Case) (assent.Reply, error)) Entry {
	return Entry{ID: "func " + name, Kind: KindFunc, Event: event, Call: f}
}

func (e Entry) timeout() time.Duration { return cmp.Or(e.Timeout, DefaultTimeout) }
