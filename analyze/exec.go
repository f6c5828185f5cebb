package analyze

// What assent is to run itself: arguments as they are, without a shell.

import (
	"maps"
	"path"
	"slices"
	"strings"

	"assent"
)

// understandExec reads a program with its arguments as the one simple command that a
// shell would make of them, so that the same is found in it: wrappers are looked
// through, and what a shell is given to run is judged.
func understandExec(c assent.Case) (assent.Case, []assent.Command) {
	x, err := c.Exec()
	if err != nil {
		c.Findings = append(c.Findings, unreadable("input", "What assent would run could not be read."))
		return c, nil
	}
	for _, name := range slices.Sorted(maps.Keys(x.Env)) {
		note := "It is given the variable " + name + ", whose value is the caller's."
		c.Findings = append(c.Findings, assent.Finding{By: "exec", Code: "code.settings", Target: name, Note: note})
	}
	c, acts := commanded(c, execText(x))
	c.Findings = append(c.Findings, resettled(append(slices.Clone(c.Commands), acts...))...)
	return c, append(acts, byItsPath(c, x)...)
}

// resettled are the variables by which an argument has programs take their parts or
// settings from another place than the fixed environment says, wherever that is: what
// lies there may be the agent's own.
func resettled(acts []assent.Command) (out []assent.Finding) {
	for _, cmd := range acts {
		settings(cmd, func(name string, _ assent.Word) {
			if slices.Contains(configs, name) || slices.Contains(searchPaths, name) || slices.Contains(commanders, name) {
				note := "It sets " + name + ", so that what runs takes its parts or settings from where that says."
				out = append(out, assent.Finding{By: "exec", Code: "code.settings", Target: name, Note: note})
			}
		})
	}
	return out
}

// execText is the command line that stands for x. Values of which only the hash is
// known are variables that nobody has set.
func execText(x assent.Exec) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(x.Env)) {
		b.WriteString(name + `="$` + name + `" `)
	}
	b.WriteString(x.Line())
	if x.Stdin != "" {
		b.WriteString(` <<<"$stdin"`)
	}
	return b.String()
}

// byItsPath is the command once more under the name of the file that its program is,
// where the caller could choose what leads to it: a link called ls may lead to rm.
func byItsPath(c assent.Case, x assent.Exec) []assent.Command {
	name := path.Base(x.Program.Path)
	if !strings.Contains(x.Argv[0], "/") || name == path.Base(x.Argv[0]) {
		return nil
	}
	x.Argv = append([]string{x.Program.Path}, x.Argv[1:]...)
	c.Findings = nil
	c, acts := commanded(c, execText(x))
	return append(c.Commands, acts...)
}

// commandText is the command line of a call, empty when it has none.
func commandText(c assent.Case) string {
	if c.Tool != assent.ToolExec {
		return inputText(c, "command")
	}
	x, err := c.Exec()
	if err != nil {
		return ""
	}
	return execText(x)
}

// held reports whether a file that would be run as code is bound by the input itself.
func held(c assent.Case, full string) bool {
	if c.Tool != assent.ToolExec {
		return false
	}
	x, err := c.Exec()
	real := followed(full)
	return err == nil && slices.ContainsFunc(append(x.Files, x.Program), func(o assent.Operand) bool { return o.Path == real })
}
