package rules

// Lint: what is wrong with rules that can be read. Holes, rules that never match,
// rules that never take effect, and rules that stand twice.

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs/reach"
)

// Remark is one thing that is wrong with a rule.
type Remark struct {
	Rule int    `json:"-"` // which of those that were looked over
	At   Place  `json:"at"`
	Kind string `json:"kind"` // hole, dead, shadowed, twice, project
	Text string `json:"text"`
}

// The kinds of remarks.
const (
	Hole     = "hole"     // it allows more than can be meant
	Dead     = "dead"     // it can never match
	Shadowed = "shadowed" // another rule always wins over it
	Twice    = "twice"    // it stands there already
	Loosens  = "project"  // a project's rule allows
)

// Lint looks rules over, in their order. codes are those of all facts there are;
// nil asks for none.
func Lint(list []Rule, codes []string, analyse Analyse) []Remark {
	var out []Remark
	for i := range list {
		r := &list[i]
		found := r.Remarks(codes, analyse)
		if len(found) == 0 {
			found = r.among(list[:i], list)
		}
		for _, m := range found {
			m.Rule = i
			out = append(out, m)
		}
	}
	return out
}

// Remarks are what is wrong with a rule by itself.
func (r *Rule) Remarks(codes []string, analyse Analyse) []Remark {
	switch {
	case r.Project && r.Decision == assent.Allow:
		return r.remark(Loosens, "a project's rules can only tighten: this one is not heard; it belongs into the user's own file")
	case r.dead(codes) != "":
		return r.remark(Dead, "it can never match: "+r.dead(codes))
	case r.Decision != assent.Allow:
		return nil
	}
	if why := r.hole(analyse); why != "" {
		return r.remark(Hole, why)
	}
	if why := r.peeled(analyse); why != "" {
		return r.remark(Dead, "it can never match: "+why)
	}
	return nil
}

func (r *Rule) remark(kind, text string) []Remark {
	return []Remark{{At: r.At, Kind: kind, Text: text}}
}

// dead says why a rule can never match; empty: it may.
func (r *Rule) dead(codes []string) string {
	m := &r.When
	shell := m.Tool == nil || slices.ContainsFunc(m.Tool, func(t string) bool { return pathGlob{plain: true}.fits(t, assent.ToolShell) })
	if needs := m.commandKey(); needs != "" && !shell {
		return fmt.Sprintf("%s is of shell commands, and the tool is another", needs)
	}
	if codes != nil {
		for _, c := range m.Codes {
			if !slices.ContainsFunc(codes, func(code string) bool { return fits(c, code) }) {
				return fmt.Sprintf("there is no fact with the code %s; %s", c, near(c, codes))
			}
		}
	}
	for i, t := range m.Args {
		if r.Decision == assent.Allow && i > 0 && t.Rest() && m.Args[i-1].Rest() {
			return "\"...\" stands twice in a row"
		}
	}
	if r.Decision == assent.Allow && r.Unless != nil && r.Unless.includes(m, true) {
		return "its unless takes everything away again"
	}
	return ""
}

// ofCommands are the keys that only a command can fit.
var ofCommands = []string{"program", "args", "via", "env"}

// commandKey is one of the keys that only a command can fit; empty: none is set.
func (m *Matcher) commandKey() string {
	for _, k := range asked {
		if k.set(m) && slices.Contains(ofCommands, k.name) {
			return k.name
		}
	}
	return ""
}

func near(word string, known []string) string {
	if text := Meant(word, known); strings.HasPrefix(text, "did you") {
		return text
	}
	return "assent analyzers lists them"
}

// running are facts of which none may be let through that a rule does not bound.
var running = []string{"prog.unknown", "tool.unknown", "code.unknown", "code.inline", "code.file", "code.preload", "shell.other", "net.run", "vcs.exec", "limit"}

// hole says what an allow lets through that nobody can mean; empty: nothing.
func (r *Rule) hole(analyse Analyse) string {
	m := &r.When
	fitsTool := func(name string) bool {
		return slices.ContainsFunc(m.Tool, func(t string) bool { return pathGlob{plain: true}.fits(t, name) })
	}
	bounded := m.Codes != nil && !slices.ContainsFunc(running, func(code string) bool { return anyFits(m.Codes, code) })
	switch {
	case bounded:
		return "" // by what it may do
	case m.Program == nil && m.Tool == nil:
		return "it allows any program"
	case m.Program == nil && fitsTool(assent.ToolShell):
		return "it allows any command"
	case fitsTool("mcp/" + probe + "/" + probe):
		return "it allows any tool of any server"
	}
	for _, p := range m.Program {
		if reach.Destroys(p) && (m.Deletes != nil || m.Path != nil || m.In != nil) {
			continue // bounded by where
		}
		for _, fixed := range starts(m.Args) {
			if why := openEnd(p, fixed, analyse); why != "" {
				return why
			}
		}
	}
	return ""
}

// openEnd says what an open end after a program and its first arguments lets
// through; empty: nothing that could not be meant.
func openEnd(program string, fixed []string, analyse Analyse) string {
	words := append([]string{program}, fixed...)
	switch {
	case strings.Trim(program, "*?") == "":
		return "it allows any program"
	case strings.Contains(program, "/") && (hasGlob(path.Dir(program)) || literal(path.Base(program)) == ""):
		return fmt.Sprintf("%s may be any program that is put there", program)
	case hasGlob(program):
		program := path.Base(program)
		name, why := reach.Fitting(func(name string) bool {
			words[0] = name
			return fits(program, name) && reach.Open(words...) != ""
		})
		if name != "" {
			return fmt.Sprintf("%s may be %s, which %s", program, name, why)
		}
		return ""
	}
	if why := reach.Open(words...); why != "" {
		return fmt.Sprintf("%s %s", program, why)
	}
	if runsNext(words, analyse) {
		return fmt.Sprintf("%s starts the program that its arguments name", program)
	}
	return ""
}

// maxStarts is how many of the ways in which arguments may begin are looked at.
const maxStarts = 64

// starts returns the words before the first open end of arguments, in each of the
// ways that alternatives make of them; none when no end is open. A pattern with a
// start of its own names what it fits.
func starts(args []Token) [][]string {
	ways := [][]string{nil}
	if args == nil {
		return ways
	}
	for _, t := range args {
		if slices.ContainsFunc(t, open) {
			return ways
		}
		var next [][]string
		for _, w := range ways {
			for _, p := range t {
				if len(next) < maxStarts {
					next = append(next, append(w[:len(w):len(w)], literal(p)))
				}
			}
		}
		ways = next
	}
	return nil
}

// literal is what a pattern begins with.
func literal(p string) string {
	if i := strings.IndexAny(p, "*?"); i >= 0 {
		return p[:i]
	}
	return p
}

// open reports whether a pattern says nothing of what it fits.
func open(p string) bool {
	return p == rest || p != literal(p) && strings.Trim(literal(p), "-+@:=./~") == ""
}

// probe is a program that nobody has.
const probe = "assent-probe"

// runsNext reports whether one of the next arguments after these words is a program
// that would be started, as the shell's reader sees it.
func runsNext(words []string, analyse Analyse) bool {
	for _, more := range []string{probe, "x " + probe, "-c " + probe} {
		c := analyse(command(strings.Join(quoted(words), " ") + " " + more))
		if slices.ContainsFunc(c.Commands, func(cmd assent.Command) bool { return cmd.Name == probe }) {
			return true
		}
	}
	return false
}

// peeled says that the program of an allow is always seen through; empty: it is
// not.
func (r *Rule) peeled(analyse Analyse) string {
	m := &r.When
	if len(m.Program) != 1 || len(m.Args) == 0 || strings.ContainsAny(m.Program[0], "*?/") {
		return ""
	}
	words := []string{m.Program[0]}
	for _, t := range m.Args {
		if open(t[0]) {
			break
		}
		words = append(words, literal(t[0]))
	}
	c := analyse(command(strings.Join(quoted(words), " ")))
	if len(c.Commands) == 0 || slices.ContainsFunc(c.Commands, func(cmd assent.Command) bool { return cmd.Name == words[0] }) {
		return ""
	}
	return fmt.Sprintf("%s is seen through; write program: %s, via: %s", words[0], c.Commands[0].Name, words[0])
}

func command(text string) assent.Event {
	ev, _ := Example{Text: text}.event() // a text is always a command
	ev.Dir = "/"
	return ev
}

// quoted are words as a shell reads them.
func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return out
}

// among says how a rule stands to the others: those before it, and all.
func (r *Rule) among(before, all []Rule) []Remark {
	for i := range before {
		b := &before[i]
		if b.Decision == r.Decision && b.same(r) {
			return r.remark(Twice, fmt.Sprintf("it stands at %s already", b.At))
		}
	}
	for i := range all {
		o := &all[i]
		if o.Decision > r.Decision && o.Unless == nil && o.When.includes(&r.When, r.Decision == assent.Allow) {
			return r.remark(Shadowed, fmt.Sprintf("it never takes effect: the %s at %s always wins", o.Decision, o.At))
		}
	}
	return nil
}
