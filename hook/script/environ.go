package script

// The environment of a hook, and the interpreter that it may need.

import (
	"os"
	"path/filepath"
	"strings"

	"assent"
)

// environ is the parent's environment without what is nobody's business but ours.
func (h Host) environ() []string {
	from := h.Env
	if from == nil {
		from = os.Environ()
	}
	out := make([]string, 0, len(from)+5)
	for _, kv := range from {
		if name, _, _ := strings.Cut(kv, "="); !secret(name) {
			out = append(out, kv)
		}
	}
	if h.AssentHome != "" {
		out = append(out, "ASSENT_HOME="+h.AssentHome)
	}
	if h.HermesHome != "" {
		out = append(out, "HERMES_HOME="+h.HermesHome)
	}
	return out
}

// secret reports whether a variable of ours proves something to us.
func secret(name string) bool {
	if !strings.HasPrefix(name, "ASSENT_") {
		return false
	}
	for _, part := range []string{"TOKEN", "KEY", "SECRET", "PASSPHRASE", "PASSWORD"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// of is the environment of one run. Python imports nothing from the directory of the
// agent, which is where hooks run: only from beside the script, as it always does.
func (h Host) of(e assent.Event, script string) []string {
	out := append(h.Env[:len(h.Env):len(h.Env)],
		"PROJECT_DIR="+e.Dir, "CLAUDE_PROJECT_DIR="+e.Dir, "ASSENT_HOOK_EVENT="+e.Name, "PYTHONSAFEPATH=1")
	if !isPython(script) {
		return out
	}
	if real, err := filepath.EvalSymlinks(script); err == nil {
		script = real
	}
	path := filepath.Dir(script)
	for _, kv := range h.Env {
		if own, ok := strings.CutPrefix(kv, "PYTHONPATH="); ok && own != "" {
			path += string(os.PathListSeparator) + own
		}
	}
	return append(out, "PYTHONPATH="+path)
}

// isPython reports whether a script is one of Python's, by its ending or its first
// line.
func isPython(script string) bool {
	switch ext := strings.ToLower(filepath.Ext(script)); {
	case ext == ".py" || ext == ".pyw":
		return true
	case ext != "" || script == "":
		return false
	}
	if info, err := os.Stat(script); err != nil || !info.Mode().IsRegular() {
		return false // a pipe would wait for a writer
	}
	f, err := os.Open(script)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := f.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	return strings.HasPrefix(line, "#!") && strings.Contains(line, "python")
}

// interpreters run scripts on a system that does not look at their first line.
var interpreters = map[string][]string{
	".sh": {"bash"}, ".bash": {"bash"}, ".py": {"python"}, ".pyw": {"python"}, ".js": {"node"}, ".mjs": {"node"}, ".cjs": {"node"},
	".ts": {"node"}, ".rb": {"ruby"}, ".pl": {"perl"}, ".lua": {"lua"}, ".ps1": {"powershell", "-NoProfile", "-File"},
}

func interpreted(words []string, goos string) []string {
	if goos != "windows" {
		return words
	}
	by := interpreters[strings.ToLower(filepath.Ext(words[0]))]
	return append(by[:len(by):len(by)], words...)
}
