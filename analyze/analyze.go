// Package analyze states what is true of an event: which files a command would
// delete, which history it would throw away, which secrets it would read. Facts,
// no opinions: what becomes of them is policy's to say.
//
// It never decides and never asks the network. It opens no file but those that
// would be run as code, to bind them by their content, and looks whether a file
// that would be emptied holds anything.
//
//	c := analyze.Case(event, assent.Places{Home: "/home/ada"})
//	for _, f := range c.Findings {
//		fmt.Println(f.Code, f.Target, f.Note) // fs.delete /srv/data "It deletes …"
//	}
package analyze

import (
	"slices"

	"assent"
	"assent/shell"
)

// All is every analyzer, in the order in which their facts are told.
var All = []assent.Analyzer{
	deletes, devices, permissions, writes, empties, personal,
	vcs, downloads, uploads, leaks, metadata, remoteShells, hosts, packages,
	secrets, power, processes, exhaustion, containers, databases,
	persistence, agentConfig, environment, traces, self, off,
	privilege, disguise, code, known, tools,
}

// Codes are those that Case and the shell package report themselves.
var Codes = []string{shell.Unknown, shell.Limit, shell.File, shell.Setup, shell.Other, shell.ForkBomb, shell.Exhaust, Unbound}

// Case says what is true of an event. It never fails and never panics: what
// cannot be understood is a finding with the code "code.unknown". It reads the
// files that would be run as code, and looks up the symbolic links of the paths
// that a call names. It may be called concurrently.
func Case(e assent.Event, p assent.Places) assent.Case {
	c := assent.Case{Event: e, Places: p}
	var acts []assent.Command
	switch {
	case e.Name == assent.PreToolCall:
		c, acts = understand(c)
	case !assent.Gates(e.Name):
		return c
	}
	seen := c // as the analyzers see it
	seen.Commands = slices.Concat(c.Commands, acts)
	for _, a := range All {
		seen.Findings = append(seen.Findings, guarded(a, seen)...)
	}
	seen.Findings = append(seen.Findings, lookalike(seen)...)
	seen.Findings = append(seen.Findings, retold(seen)...)
	c.Findings = precise(unique(led(seen)))
	return c
}

// guarded runs one analyzer; one that panics has found something unknown.
func guarded(a assent.Analyzer, c assent.Case) (found []assent.Finding) {
	defer func() {
		if recover() != nil {
			found = []assent.Finding{unreadable(a.Name, "A part of assent failed while it looked at the call.")}
		}
	}()
	return a.Run(c)
}

func unreadable(by, note string) assent.Finding {
	return assent.Finding{By: by, Code: shell.Unknown, Note: note}
}

// unique drops findings that say the same of the same thing.
func unique(all []assent.Finding) []assent.Finding {
	if len(all) < 2 {
		return all
	}
	type key struct {
		code, target string
		span         assent.Span
	}
	seen := make(map[key]bool, len(all))
	out := all[:0]
	for _, f := range all {
		k := key{f.Code, f.Target, f.Span}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}
