package peer

// Markers: the variables that agents set for the processes they start.

import (
	"fmt"
	"slices"
	"strings"

	"assent"
)

// Marker is a variable of the environment that an agent sets for its children
// and that no person's shell has otherwise.
type Marker struct {
	Name  string
	Agent string // who sets it, for people
}

// Markers lists every marker that Lead knows. Variables that editors set for
// people's terminals too are not among them.
var Markers = []Marker{
	{"ASSENT_AGENT_SESSION", "assent's own agent"},
	{"CLAUDECODE", "claude"},
	{"CLAUDE_CODE_CHILD_SESSION", "claude"},
	{"CLAUDE_CODE_SESSION_ID", "claude"},
	{"CLAUDE_PID", "claude"},
	{"CODEX_SANDBOX", "codex"},
	{"CODEX_SANDBOX_NETWORK_DISABLED", "codex"},
	{"CODEX_THREAD_ID", "codex"},
	{"GEMINI_CLI", "gemini"},
	{"QWEN_CODE", "qwen"},
	{"QWEN_CODE_SESSION_ID", "qwen"},
	{"OPENCODE", "opencode"},
	{"CRUSH", "crush"},
	{"CRUSH_SESSION_ID", "crush"},
	{"CURSOR_AGENT", "cursor"},
	{"AUGMENT_AGENT", "auggie"},
	{"CLINE_ACTIVE", "cline"},
	{"GOOSE_TERMINAL", "goose"},
	{"HERMES_SESSION_ID", "hermes"},
	{"AI_AGENT", "an agent"},
}

// marked names the first marker that one of the line carries. An empty value is
// no marker.
func (w world) marked(line []assent.Process) string {
	for _, p := range line {
		for _, kv := range w.environ(p.PID) {
			name, value, _ := strings.Cut(kv, "=")
			i := slices.IndexFunc(Markers, func(m Marker) bool { return m.Name == name })
			if i < 0 || value == "" {
				continue
			}
			return fmt.Sprintf("process %d carries %s, which %s sets for its children", p.PID, name, Markers[i].Agent)
		}
	}
	return ""
}
