package terminal

// The parsed truth: what would run, one argument a line.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// truth adds what the tool would do: commands where they are known, and in any
// case the input itself.
func (p *page) truth(c assent.Case) {
	p.commands(c)
	p.input(c)
}

// commands adds the commands that would run, and the files that are code.
func (p *page) commands(c assent.Case) {
	title := "What would run"
	if x, err := c.Exec(); err == nil {
		if p.executed(x, c) {
			c.Commands = nil
		}
		title = "What that is, and starts"
	}
	if len(c.Commands) > 0 {
		p.title(title)
	}
	for i, cmd := range c.Commands {
		p.command(cmd, i, len(c.Commands), c.Dir)
	}
	if slices.ContainsFunc(c.Commands, hasUnknown) {
		p.say(dim, "  ", "A ? marks what is shown as written, because its value is not known before it runs.")
	}
	for _, o := range c.Operands {
		p.operand("file that would run as code: ", o)
	}
}

func (p *page) command(c assent.Command, i, n int, dir string) {
	p.say(bold, "  ", fmt.Sprintf("Command %d of %d%s", i+1, n, how(c)))
	switch {
	case c.Dir == "":
		p.say(alarm, "       ", "in a directory that cannot be known")
	case c.Dir != dir:
		p.text(plain, "       in ", c.Dir)
	}
	p.word("    0", c.Program)
	for k, a := range c.Args {
		p.word(fmt.Sprintf("%5d", k+1), a)
	}
	for _, e := range c.Env {
		p.word("  set", assent.Word{Text: e.Name + "=" + e.Value.Text, Value: e.Name + "=" + e.Value.Value, Known: e.Value.Known})
	}
	for _, r := range c.Redirects {
		p.redirect(r, c)
	}
	if c.Stdin != nil {
		p.fed(*c.Stdin, "data fed to its standard input")
	}
}

// how says what stands around the command itself.
func how(c assent.Command) string {
	var b strings.Builder
	if len(c.Via) > 0 {
		b.WriteString(", via " + Escape(strings.Join(c.Via, " → ")))
	}
	if c.Stage > 0 {
		b.WriteString(", fed by the stage before it in its pipe")
	}
	return b.String()
}

// word adds one word behind its number: its value, or where that is not known
// what was written, with a question mark.
func (p *page) word(number string, w assent.Word) {
	text, mark := w.Value, "  "
	if !w.Known {
		text, mark = w.Text, "? "
	}
	p.text(plain, number+mark, text)
	p.notes(text)
}

// redirect adds a redirection. A heredoc is shown once: as what the command is fed,
// or, where a shell around the command has read it already, as that shell's code.
func (p *page) redirect(r assent.Redirect, c assent.Command) {
	op := r.Op + " "
	by := shells(c)
	switch {
	case !strings.HasPrefix(r.Op, "<<"):
		p.word("   io", assent.Word{Text: op + r.Target.Text, Value: op + r.Target.Value, Known: r.Target.Known})
	case c.Stdin != nil && strings.TrimSuffix(c.Stdin.Value, "\n") == strings.TrimSuffix(r.Target.Value, "\n"):
	case by == "":
		p.fed(r.Target, "data that is not fed to its standard input")
	case !slices.Contains(p.code, r.Target):
		p.fed(r.Target, "code that "+by+" would run")
		p.code = append(p.code, r.Target) // all of its commands are made of it
	}
}

// readers are the programs around a command that run their standard input as code.
var readers = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "ksh93", "oksh", "yash", "pdksh", "lksh", "bosh", "rzsh", "osh", "brush", "hush", "posh", "source", "."}

// shells are those around the command: "bash", "bash or sh"; empty for none.
func shells(c assent.Command) string {
	var found []string
	for _, name := range c.Via {
		if slices.Contains(readers, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return strings.Join(found, " or ")
}

func (p *page) fed(w assent.Word, what string) {
	text := w.Value
	if !w.Known {
		text, what = w.Text, what+", as written, its value is not known before it runs"
	}
	p.say(plain, "       ", what+":")
	p.block(text)
	p.notes(text)
}

func hasUnknown(c assent.Command) bool {
	unknown := func(w assent.Word) bool { return !w.Known }
	return unknown(c.Program) || slices.ContainsFunc(c.Args, unknown) ||
		slices.ContainsFunc(c.Env, func(a assent.Assign) bool { return unknown(a.Value) }) ||
		slices.ContainsFunc(c.Redirects, func(r assent.Redirect) bool { return !strings.HasPrefix(r.Op, "<<") && unknown(r.Target) })
}

// input adds the tool's input: a shell's command as it was written, and
// everything else as JSON.
func (p *page) input(c assent.Case) {
	command, rest := parts(c)
	if command != "" {
		p.title("As written")
		p.block(command)
		if len(c.Commands) == 0 {
			p.notes(command)
		}
	}
	if len(rest) > 0 {
		p.title("The tool's input")
		p.json(rest)
	}
}

// parts returns the command of a shell's input, if it has one, and all else. Of what
// assent would run itself everything is shown already.
func parts(c assent.Case) (command string, rest json.RawMessage) {
	var in map[string]json.RawMessage
	if _, err := c.Exec(); err == nil {
		return "", nil
	}
	canon, err := assent.Canonical(c.Input)
	if c.Tool != assent.ToolShell || err != nil || json.Unmarshal(canon, &in) != nil || json.Unmarshal(in["command"], &command) != nil || command == "" {
		return "", c.Input
	}
	if delete(in, "command"); len(in) > 0 {
		rest, err = json.Marshal(in)
	}
	if err != nil {
		return "", c.Input
	}
	return command, rest
}
