package assent

// The Case: an Event with what is true of it. Facts, no opinions.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// Span is a stretch of the command text, in bytes. The zero Span is the whole.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Finding is one fact about an event.
type Finding struct {
	By     string `json:"by"`               // the analyzer
	Code   string `json:"code"`             // "fs.delete", "net.egress", "code.unknown" …
	Target string `json:"target,omitempty"` // what it is done to: an absolute path, a host, a branch
	Note   string `json:"note"`             // one true sentence for people
	Span   Span   `json:"span,omitzero"`
}

// Word is one shell word: as written, and its value where that is known.
type Word struct {
	Text  string `json:"text"`            // as written, quotes and all
	Value string `json:"value,omitempty"` // after expansion
	Known bool   `json:"known"`           // false: Value is not to be trusted
}

// Assign is one assignment in front of a command, or exported before it.
type Assign struct {
	Name  string `json:"name"`
	Value Word   `json:"value"`
}

// Redirect is one redirection of a command.
type Redirect struct {
	Op     string `json:"op"`     // ">", ">>", "<", "<<", "<<<", ">|", "&>" …
	Target Word   `json:"target"` // a file, a descriptor, or a heredoc's body
}

// Command is one simple command as shell sees it, wrappers peeled off.
type Command struct {
	Program   Word       `json:"program"`             // as written
	Name      string     `json:"name,omitempty"`      // base name of the program; empty when it cannot be known
	Args      []Word     `json:"args,omitempty"`      // without the program
	Env       []Assign   `json:"env,omitempty"`       // what is set for it in the text
	Redirects []Redirect `json:"redirects,omitempty"` //
	Dir       string     `json:"dir,omitempty"`       // where it would run; empty when it cannot be known
	Via       []string   `json:"via,omitempty"`       // wrappers looked through, outermost first: sudo, env
	Pipe      int        `json:"pipe,omitempty"`      // commands of one pipeline share a number; 0 = none
	Stage     int        `json:"stage,omitempty"`     // position in the pipeline, from 0
	Stdin     *Word      `json:"stdin,omitempty"`     // text it is fed by a heredoc or here-string
	Span      Span       `json:"span"`
}

// Operand is a file that would be run as code, bound by its content.
type Operand struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// Case is what is judged: the event, the commands it would run, and the facts.
type Case struct {
	Event
	Commands []Command `json:"commands,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Operands []Operand `json:"operands,omitempty"` // sorted by path
	Places   Places    `json:"-"`
}

// Places are the directories that facts speak of. Empty = not known.
type Places struct {
	Home   string   // the user's home directory
	Assent string   // assent's own home: database, socket, keys, log
	Guards []string // files that the owner's hooks and approvers run
}

// Digest names what was judged: agent, principal, tool, canonical input, directory,
// the content of script operands, and for whom (profile, user_id), as the hex SHA-256
// of canonical JSON. Not in it: event id, time, turn and session (a scope adds those), and
// the findings, which are derived. Assignments of the environment are part of
// the command and so of the input. It is empty when the input is not JSON, or
// when any part is not valid UTF-8: such a case can be denied, and nothing else.
func (c Case) Digest() string {
	if !c.readable() {
		return ""
	}
	input := c.Input
	if len(input) == 0 {
		input = json.RawMessage("null")
	}
	return canonicalHash(struct {
		V         int             `json:"v"`
		Agent     string          `json:"agent"`
		Principal string          `json:"principal"`
		Tool      string          `json:"tool"`
		Input     json.RawMessage `json:"input"`
		Dir       string          `json:"dir"`
		Operands  []Operand       `json:"operands"`
		Profile   string          `json:"profile,omitempty"`
		User      string          `json:"user,omitempty"`
	}{1, c.Agent, c.Principal, c.Tool, input, c.Dir, c.Operands, c.Profile, c.User()})
}

// canonicalHash is the hex SHA-256 of a value as canonical JSON; empty for one that has none.
func canonicalHash(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	canon, err := Canonical(raw)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(canon)
	return hex.EncodeToString(sum[:])
}

// User is whom the agent says that it acts for on its platform: its user_id, a number
// too. It is a claim, and no proof.
func (e Event) User() string {
	var name string
	raw := e.Extra["user_id"]
	if json.Unmarshal(raw, &name) != nil && string(raw) != "null" {
		name = string(raw)
	}
	return name
}

// readable reports whether every part of the digest has one spelling in JSON.
func (c Case) readable() bool {
	for _, s := range []string{c.Agent, c.Principal, c.Tool, c.Dir, c.Profile, c.User()} {
		if !utf8.ValidString(s) {
			return false
		}
	}
	for _, o := range c.Operands {
		if !utf8.ValidString(o.Path) {
			return false
		}
	}
	return true
}

// Analyzer finds one kind of fact. It is a value: a name, what it knows, and a
// function that cannot decide.
type Analyzer struct {
	Name  string
	Doc   string   // one sentence for people
	Codes []string // every code it can report
	Run   func(Case) []Finding
}
