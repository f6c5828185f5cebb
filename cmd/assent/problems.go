package main

// What keeps an agent's gate from being closed, and what cures it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"assent/harness/claude"
)

// problem is one way in which an agent's settings leave its gate open.
type problem struct {
	text   string
	mend   string // what to do, in which %s is the settings file; empty: set the agent up again
	unread bool   // the agent takes nothing of the file
}

// cure is what to do about it.
func (p problem) cure(s setup, path string) string {
	if p.mend == "" {
		return "assent init " + s.name
	}
	return fmt.Sprintf(p.mend, path)
}

// claudeProblems says what keeps Claude Code's gate from being closed, and open to
// this home alone; and how its first gating entry runs assent.
func claudeProblems(settings []byte, home string) (program string, args []string, problems []problem) {
	s, err := claude.Wiring(settings)
	if err != nil {
		return "", nil, []problem{{text: "Claude Code cannot read its settings: " + sentence(err), mend: "mend %s", unread: true}}
	}
	problems = claudeKeys(s, settings)
	for _, w := range s.Hooks {
		if w.Gates && w.Problem != "" {
			problems = append(problems, problem{text: w.Event + ": " + w.Problem})
		}
		if !w.Gates || w.Program == "" {
			continue
		}
		if program == "" {
			program, args = w.Program, w.Args
		}
		if text := otherHome(w.Args, home); text != "" {
			problems = append(problems, problem{text: w.Event + ": " + text})
		}
	}
	return program, args, problems
}

// claudeKeys are the problems of what stands beside the hooks.
func claudeKeys(s claude.Status, settings []byte) (out []problem) {
	if s.Ignored != "" {
		p := problem{text: "Claude Code ignores the settings file: " + s.Ignored, mend: "mend that in %s", unread: true}
		if !json.Valid(bytes.TrimPrefix(settings, []byte("\ufeff"))) { // and yet it could be read
			p.mend = "take the comments and trailing commas out of %s"
		}
		out = append(out, p)
	}
	if s.Disabled {
		out = append(out, problem{text: "disableAllHooks is set, so no hook runs", mend: "take disableAllHooks out of %s"})
	}
	for _, name := range s.Env {
		out = append(out, problem{text: "the settings set " + name + " for every hook, which moves assent's own files", mend: "take env." + name + " out of %s"})
	}
	return out
}

// otherHome says which home a hook uses, if it is not this one alone.
func otherHome(args []string, home string) string {
	at := slices.Index(args, "--home")
	switch {
	case at >= 0 && slices.Equal(args[at:], []string{"--home", home}):
		return ""
	case at >= 0 && at+2 == len(args):
		return "its hook uses another home, " + args[at+1]
	}
	return "its hook is not fixed to " + home + ", so a project's settings could move it"
}
