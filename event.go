package assent

// The Event: one thing an agent is about to do, or did, in our words.

import (
	"encoding/json"
	"strings"
	"time"
)

// Tool names of our own; a codec maps its agent's names onto these. MCP tools
// are "mcp/<server>/<tool>", all others keep the agent's name in lower case.
const (
	ToolShell = "shell" // Input: {"command": string}
	ToolRead  = "read"  // Input: {"path": string}
	ToolWrite = "write" // Input: {"path": string, "content": string}
	ToolEdit  = "edit"  // Input: {"path": string, …}
	ToolFetch = "fetch" // Input: {"url": string}
	ToolAgent = "agent" // a sub-agent is started
	ToolExec  = "exec"  // Input: Exec. assent runs it itself, without a shell
)

// AgentBroker is the Agent of what assent executes itself: behind it stands no agent
// whose own permission system could decide.
const AgentBroker = "assent"

// PrincipalToken is the Principal of what came with a bearer token: which process
// sent it, the door cannot tell.
const PrincipalToken = "token"

// Event is one lifecycle event of one agent. A codec makes it of what the agent
// sent; a door fills in Principal and Process from what it knows of the peer and
// never from what the peer says of itself.
type Event struct {
	ID            string                     `json:"id"`                       // a retry carries the same one
	Name          string                     `json:"name"`                     // a name of the catalogue (Events)
	At            time.Time                  `json:"at"`                       //
	Agent         string                     `json:"agent"`                    // which codec: "claude", "plain"
	Profile       string                     `json:"profile,omitempty"`        //
	Session       string                     `json:"session,omitempty"`        // the agent's own session id; a sub-agent's: see Within
	ParentSession string                     `json:"parent_session,omitempty"` //
	Turn          string                     `json:"turn,omitempty"`           //
	Call          string                     `json:"call,omitempty"`           // the agent's id of one tool call
	Principal     string                     `json:"principal,omitempty"`      // who the agent acts for, "uid:1000"
	Dir           string                     `json:"dir,omitempty"`            // absolute working directory
	Tool          string                     `json:"tool,omitempty"`           // our name
	Input         json.RawMessage            `json:"input,omitempty"`          // canonical JSON: what would run
	Extra         map[string]json.RawMessage `json:"extra,omitempty"`          // the event's other fields
	Raw           []byte                     `json:"-"`                        // what arrived, for the record only
	Process       *Process                   `json:"-"`                        // the agent's process, as a door saw it
	Invalid       string                     `json:"invalid,omitempty"`        // why it cannot be judged, as a sentence; denied where it gates
	Again         bool                       `json:"again,omitempty"`          // the agent asks once more about a call, by its own prompt, and does not name it
	Lapsed        bool                       `json:"lapsed,omitempty"`         // the agent waits no longer: an Ask is a Deny now
	Synthetic     bool                       `json:"synthetic,omitempty"`      // a canary: judged and recorded, asks nobody
}

// Process names one running process beyond the reuse of its number.
type Process struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start,omitempty"` // kernel start time, in clock ticks since boot
	Boot  string `json:"boot,omitempty"`  // boot id
	UID   int    `json:"uid"`
	Group int    `json:"pgid,omitempty"` // process group
	SID   int    `json:"sid,omitempty"`  // session leader
	TTY   int    `json:"tty,omitempty"`  // controlling terminal's device number, 0 = none
}

// Peer is who is at the other end of a door, as the door found out.
type Peer struct {
	Process
	// Agent says through what the peer leads to an agent ("child of claude, pid
	// 812"), and is empty when it does not.
	Agent string `json:"agent,omitempty"`
	// Line is the process and its parents as they were then, nearest first: the number of
	// each, and its program. It is for people who read the log, and proves nothing.
	Line []string `json:"line,omitempty"`
	// Sessions are those that have not ended and that belong to the peer, or else to the
	// nearest process that it descends from: the first living one that spoke for them.
	// Those that started last come first. What the peer says of itself is not among them.
	Sessions []string `json:"-"`
	// Root is, where it has no Sessions, the process that all of its terminal descends
	// from: a person's shell; or without a terminal, what the machine started: a job of CI.
	Root *Process `json:"-"`
	// Asker says through what the peer leads to a process that had people asked without
	// an agent's session ("on the terminal of …"), and is empty when it does not.
	Asker string `json:"asker,omitempty"`
}

// Within reports whether a session is root's or one of its sub-agents': their ids
// are root's, a slash, and their own.
func Within(session, root string) bool {
	return session == root || strings.HasPrefix(session, root+"/")
}

// Session is one run of one agent, and a process that has spoken for it.
type Session struct {
	ID        string    `json:"id"`
	Agent     string    `json:"agent"`
	Principal string    `json:"principal"`
	Dir       string    `json:"dir,omitempty"`
	Process   Process   `json:"process"`
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended,omitzero"`
	// Doubtful: the store cannot vouch for it: who it names counts as one that asks, and as
	// nobody that holds.
	Doubtful bool `json:"-"`
}
