package review

// Offers: the scopes that a person may choose to grant for one case, a ladder from
// exactly this to what the program does every day.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assent"
	"assent/programs/reach"
)

// Analyse says what is true of an event. It is analyze.Case with its places.
type Analyse func(assent.Event) assent.Case

// offers returns the scopes to choose from, narrowest first: exactly this action;
// its kind of action under the path that its targets share; the same subcommand in
// this directory; the everyday subcommands there. A call of several commands is
// granted as a whole or not at all, and so is what cannot be fully read.
func offers(c assent.Case, digest string, analyse Analyse) []assent.Offer {
	list := []assent.Offer{{
		Scope: assent.Scope{Digest: digest},
		Text:  "exactly this, in " + orUnknown(c.Dir),
	}}
	if len(c.Commands) > 1 || hasUnread(c) {
		return list
	}
	for _, rung := range []func(assent.Case) (assent.Offer, bool){targets, shape, everyday} {
		if o, ok := rung(c); ok && o.Scope.Covers(c) {
			list = append(list, exemplified(o, c, analyse))
		}
	}
	return list
}

func orUnknown(dir string) string {
	if dir == "" {
		return "an unknown directory"
	}
	return dir
}

// plain are programs whose findings name everything that they change, so that a
// class of their calls may be granted by its targets alone. No wrapper and no
// interpreter is ever among them; nor is mv, which takes away what no finding
// names, nor chmod and mkdir, which often have no finding at all, nor printf, which
// sets variables.
var plain = []string{"cd", "echo", "ls", "pwd", "rm", "rmdir", "test", "true"}

// targets is the kind of action that the case is, under the path that all its
// targets share in the working directory.
func targets(c assent.Case) (assent.Offer, bool) {
	s := assent.Scope{Tool: c.Tool, Codes: codes(c)}
	for _, cmd := range c.Commands {
		if !slices.Contains(plain, cmd.Name) {
			return assent.Offer{}, false
		}
		s.Programs = append(s.Programs, cmd.Name)
	}
	for _, f := range c.Findings {
		if !assent.Under(f.Target, c.Dir) || strings.ContainsAny(f.Target, "*?[") {
			return assent.Offer{}, false
		}
		s.Under = commonDir(s.Under, f.Target)
	}
	if runs(c) && assent.Under(c.Dir, s.Under) {
		return assent.Offer{}, false // all of the directory, with what is not named here
	}
	what := strings.Join(s.Programs, ", ")
	if what == "" {
		what = s.Tool
	}
	return assent.Offer{Scope: s, Text: fmt.Sprintf("%s (%s) under %s", what, strings.Join(s.Codes, ", "), s.Under)}, true
}

// runs reports whether a case is of programs, by a shell or without one.
func runs(c assent.Case) bool { return c.Tool == assent.ToolShell || c.Tool == assent.ToolExec }

// commonDir is the longest path that both lie under; an empty a is no path yet.
func commonDir(a, b string) string {
	if a == "" {
		return filepath.Clean(b)
	}
	for !assent.Under(b, a) {
		a = filepath.Dir(a)
	}
	return a
}

// codes are the kinds of facts of a case, in order.
func codes(c assent.Case) []string {
	var out []string
	for _, f := range c.Findings {
		out = append(out, f.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shape is the program with its subcommand, in the directory that it runs in and
// with no word that leads out.
func shape(c assent.Case) (assent.Offer, bool) {
	name, ok := settled(c)
	if !ok {
		return assent.Offer{}, false
	}
	s := assent.Scope{Tool: c.Tool, Programs: []string{name}, Codes: codes(c), Dir: c.Commands[0].Dir}
	return assent.Offer{Scope: s, Text: fmt.Sprintf("%s in %s, with any arguments that stay there%s", name, s.Dir, doing(s.Codes))}, true
}

// everyday is what the program does every day, if the case is of it.
func everyday(c assent.Case) (assent.Offer, bool) {
	name, ok := settled(c)
	if !ok {
		return assent.Offer{}, false
	}
	subs := reach.Everyday(c.Commands[0].Name)
	if !slices.Contains(subs, name) {
		return assent.Offer{}, false
	}
	s := assent.Scope{Tool: c.Tool, Programs: subs, Codes: codes(c), Dir: c.Commands[0].Dir}
	return assent.Offer{Scope: s, Text: fmt.Sprintf("%s in %s, with any arguments that stay there%s", strings.Join(subs, ", "), s.Dir, doing(s.Codes))}, true
}

func doing(codes []string) string {
	if len(codes) == 0 {
		return ", doing nothing that has a fact"
	}
	return " (" + strings.Join(codes, ", ") + ")"
}

// bounded are the facts that a directory bounds, and that leave what is in it: what
// deletes, throws work away, is sent somewhere, runs elsewhere or reads secrets is
// granted exactly, or by what it is done to.
var bounded = []string{"fs.write", "fs.make", "vcs.change", "vcs.undoable", "code.file", "code.check", "prog.unknown", "pkg.install", "pkg.restore"}

// settled is the program and the subcommand of a case of one command, if they settle
// what runs: what may follow them is no program, no code and nothing to be
// destroyed, and a directory bounds what it does. A directory that holds the home
// bounds nothing.
func settled(c assent.Case) (string, bool) {
	if len(c.Commands) != 1 || !runs(c) {
		return "", false
	}
	for _, code := range codes(c) {
		if !slices.Contains(bounded, code) {
			return "", false
		}
	}
	cmd := c.Commands[0]
	if home := c.Places.Home; cmd.Dir == "" || cmd.Dir == "/" || home != "" && assent.Under(home, cmd.Dir) {
		return "", false
	}
	words := prefix(cmd)
	name := strings.Join(words, " ")
	fine := len(words) > 0 && strings.Count(name, " ") == len(words)-1 && !reach.Interprets(cmd.Name) && reach.Open(words...) == ""
	return name, fine
}

// prefix are the words that name what a command does: its program, and its
// subcommand.
func prefix(cmd assent.Command) []string {
	words := []string{cmd.Name}
	for _, a := range cmd.Args {
		if !a.Known || a.Value == "" {
			break
		}
		words = append(words, a.Value)
	}
	return slices.Clip(words[:reach.Prefix(words...)])
}
