// Package mcp is the door for agents that speak the Model Context Protocol: a server
// over standard input and output whose tools act under grants.
//
// It knows the protocol and nothing of grants: whether a call is done, and doing it,
// is its Runner's. It never decides, it never tells a secret handle, and it never
// runs what it could not fully understand.
//
//	err := mcp.Server{Version: "1.0", Runner: broker, Grants: live}.Run(ctx, os.Stdin, os.Stdout)
//	// nil once the input ended, and everything that ran has ended
package mcp

import (
	"context"
	"io"
	"time"
)

// The bounds of the door.
const (
	MaxMessage  = 4 << 20   // bytes of one message
	MaxCalls    = 16        // requests that are worked on at once
	MaxOutput   = 256 << 10 // bytes that one result carries of what was printed, read or fetched
	MaxWait     = 600       // seconds that a call may ask to wait for people
	maxID       = 256       // bytes of a request's id
	maxGrants   = 20        // that one tool's description lists
	maxText     = 200       // characters of each
	maxSentence = 4 << 10   // bytes of what is said of a call that was not done
)

// Server is one connection with one agent.
type Server struct {
	Version string // of assent
	Runner  Runner
	// Grants lists what is live for whoever is connected. It is called often, and
	// concurrently with itself.
	Grants func(context.Context) ([]Grant, error)
	Wait   func() time.Duration // for people, where a call does not say it; nil = not at all
	Every  time.Duration        // how often it is looked whether the grants changed; 0 = after calls alone
}

// Runner does what one call asks for, after spending a use of a grant. It is called
// concurrently. Once ctx ends, so has everything that the call started when Do
// returns. Refused says why it was not done; other errors are said as they are.
type Runner interface {
	Do(ctx context.Context, c Call) (Done, error)
}

// Call is one call of a tool.
type Call struct {
	Action any           // Exec, Read, Write or Fetch
	Agent  string        // the agent's own id of the call, which its hooks know too; empty = not said
	Wait   time.Duration // how long people may take
	Ask    bool          // it is only asked for: a request is opened, and nothing is done
	Why    string        // the agent's prose about what it asks for
}

// Exec runs a program.
type Exec struct {
	Argv           []string
	Dir            string   // empty = that of this process
	Env            []string // names
	Stdin          *string  // nil = nothing to read
	Stdout, Stderr io.Writer
}

// Read reads a file. Max is how much of it is told; more may be read.
type Read struct {
	Path string
	Max  int
}

// Write writes a file as a whole.
type Write struct {
	Path    string
	Content []byte
}

// Fetch makes an HTTP request.
type Fetch struct {
	URL    string
	Method string // empty for GET
	Body   string
	Type   string // of the body; empty = plain text
}

// Done is what came of a call, as far as its action has it.
type Done struct {
	Exit    int    // of a program; -1 for a signal
	Content []byte // of a file, or of a reply
	Status  int    // of a reply
	URL     string // where it came from
	Type    string // of its content
	Grant   string // for Ask: the live grant that covers it already
	Request string // for Ask: the request that was opened, or joined
}

// Refused says that a call was not done, and why.
type Refused struct {
	Tell    string // one sentence for the agent
	Request string // the request that waits for people; empty = none does
}

func (r *Refused) Error() string { return r.Tell }

// Grant is a live grant, as the descriptions of the tools show it.
type Grant struct {
	ID    string // public
	Tool  string // the tool it is of; empty = any
	Text  string // what it covers, in words
	Left  int    // uses
	Until time.Time
}

// Run serves until the input ends, which is no error, or ctx does. It returns once
// every call has ended. A read of in that does not end is left behind.
func (s Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tools, err := tools()
	if err != nil {
		return err
	}
	c := &conn{server: s, tools: tools, out: out, stop: stop, calls: map[string]context.CancelFunc{}, look: make(chan struct{}, 1)}
	c.work.Go(func() { c.watch(ctx) })
	err = c.read(ctx, in)
	stop(nil)
	c.work.Wait()
	return err
}
