package shell

// Variables of the environment whose value is code for the program that is
// given them.

import (
	"slices"

	"assent"
)

// commandVars are variables whose value programs run.
var commandVars = []string{
	"BROWSER", "EDITOR", "FZF_DEFAULT_COMMAND", "GH_EDITOR", "GH_PAGER", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND",
	"GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "KUBE_EDITOR", "MANPAGER", "PAGER", "PROMPT_COMMAND", "RSYNC_RSH", "SSH_ASKPASS", "SUDO_ASKPASS", "SYSTEMD_PAGER", "VISUAL",
}

// prompts are variables that the shell expands whenever it shows them.
const prompts = "PS0 PS1 PS2 PS4"

// environment walks the code in the variables that a program is given.
func (w *walker) environment(env []assent.Assign) {
	for _, a := range env {
		if has(prompts, a.Name) {
			w.evaluated(a.Value.Value, a.Name)
		}
		if _, ok := slices.BinarySearch(commandVars, a.Name); ok && a.Value.Known && a.Value.Value != "" {
			w.child("sh", a.Value.Value, nil, run{dir: w.st.dir, via: []string{a.Name}})
		}
	}
}
