package analyze

// Variables by which assent would run other code, or another assent would be asked.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// gated are programs that ask assent before they act.
var gated = []string{"claude", "codex", "gemini", "opencode", "hermes", "qwen", "cursor-agent", "copilot", "goose", "crush", "aider", "amp", "kiro-cli"}

// asking are the verbs of assent that ask, or act under what was answered.
var asking = []string{"hook", "exec", "mcp", "run", "grants", "requests"}

// twisted returns the variable that is set for a command so that assent's own program
// runs with other code, or so that its home is not the one that gates.
func (g gate) twisted(cmd assent.Command) string {
	us := cmd.Name == "assent" || slices.Contains(cmd.Via, "assent")
	if !us && !slices.Contains(gated, cmd.Name) {
		return ""
	}
	for _, a := range cmd.Env {
		switch {
		case us && (strings.HasPrefix(a.Name, "LD_") || strings.HasPrefix(a.Name, "DYLD_") || a.Name == "GODEBUG" || a.Name == "GOTRACEBACK"):
			return a.Name
		case a.Name == "ASSENT_HOME" && !g.holds(near(cmd, a.Value, g.places)) && (!us || slices.Contains(cmd.Via, "assent") || slices.Contains(asking, programs.Read(cmd).Word(0))):
			return a.Name
		}
	}
	return ""
}
