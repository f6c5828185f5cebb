package analyze

// Rules: what is known of programs, subcommands and options, as rows.

import (
	"strings"

	"assent"
)

// rule matches a command by its parsed parts.
type rule struct {
	prog string // base names of the program, with blanks between
	sub  string // its first operands: "a|b" either, "x-*" a start, "*" any one
	opt  string // options of which one must be given
	not  string // options that lift the rule
	code string
	note string
}

// match returns a finding for each command that a rule matches.
func match(by string, c assent.Case, rules []rule) []assent.Finding {
	var out []assent.Finding
	for i := range c.Commands {
		cmd := &c.Commands[i]
		if cmd.Name == "" {
			continue
		}
		if r := first(rules, *cmd); r != nil {
			out = append(out, assent.Finding{By: by, Code: r.code, Target: cmd.Dir, Note: r.note, Span: cmd.Span})
		}
	}
	return out
}

// first returns the first rule that matches.
func first(rules []rule, cmd assent.Command) *rule {
	var a arguments
	done := false
	for i := range rules {
		r := &rules[i]
		if !has(r.prog, cmd.Name) {
			continue
		}
		if !done {
			a, done = read(cmd), true
		}
		if r.fits(a) {
			return r
		}
	}
	return nil
}

func (r *rule) fits(a arguments) bool {
	if r.opt != "" && !a.option(r.opt) || r.not != "" && a.option(r.not) {
		return false
	}
	n := 0
	for sub := r.sub; sub != ""; n++ {
		var want string
		want, sub, _ = strings.Cut(sub, " ")
		if n >= len(a.operands) || !either(want, a.operands[n]) {
			return false
		}
	}
	return true
}

func either(want string, w assent.Word) bool {
	if want == "*" {
		return true
	}
	if !w.Known {
		return false
	}
	for want != "" {
		var one string
		one, want, _ = strings.Cut(want, "|")
		if one == w.Value {
			return true
		}
		if start, ok := strings.CutSuffix(one, "*"); ok && strings.HasPrefix(w.Value, start) {
			return true
		}
	}
	return false
}

// each calls f for every command whose name is known.
func each(c assent.Case, f func(assent.Command)) {
	for i := range c.Commands {
		if c.Commands[i].Name != "" {
			f(c.Commands[i])
		}
	}
}
