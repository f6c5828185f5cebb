package rules

// Explaining: which rules speak of a call, and of the others why not.

import (
	"fmt"
	"slices"
	"strings"

	"assent"
)

// Account is what one rule has to do with one call.
type Account struct {
	At       Place           `json:"at"`
	Decision assent.Decision `json:"decision"`
	Rule     string          `json:"rule"`
	Matches  bool            `json:"matches"`
	Commands []string        `json:"commands,omitempty"` // those it speaks of
	Because  string          `json:"because,omitempty"`  // why it does not match, or is not heard
}

// Explain says of every rule what it has to do with a case, and what all of them
// make of it.
func Explain(list []Rule, c assent.Case) (accounts []Account, verdict assent.Reply) {
	ps, _ := parts(&c)
	for i := range list {
		accounts = append(accounts, list[i].account(ps))
	}
	heard := slices.DeleteFunc(slices.Clone(list), func(r Rule) bool { return r.Project && r.Decision == assent.Allow })
	return accounts, Book(heard).say("rules", c)
}

// WhyNotAllowed says why the rules do not allow a case; empty: they do.
func WhyNotAllowed(list []Rule, c assent.Case) string {
	ps, loose := parts(&c)
	_, why := Book(list).covering(ps, loose)
	return why
}

func (r *Rule) account(ps []*part) Account {
	a := Account{At: r.At, Decision: r.Decision, Rule: r.String()}
	for _, p := range ps {
		key := r.misses(p)
		if key == "" {
			a.Matches, a.Commands, a.Because = true, append(a.Commands, p.name()), ""
		} else if !a.Matches && a.Because == "" {
			a.Because = r.because(key, p)
		}
	}
	if r.Project && r.Decision == assent.Allow {
		a.Because = "it is a project's, which can only tighten: it is not heard"
	}
	return a
}

// misses is the key for which a rule does not speak of a part; empty: it does.
func (r *Rule) misses(p *part) string {
	if r.Decision == assent.Allow {
		heard := *r
		heard.Project = false
		return heard.covers(p)
	}
	if key := r.When.misses(p, false); key != "" {
		return key
	}
	if r.Unless != nil && r.Unless.misses(p, true) == "" {
		return "unless"
	}
	return ""
}

// because says what a part has where the rule asks for something else.
func (r *Rule) because(key string, p *part) string {
	has := func(what string, list ...string) string {
		if text := clip(strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")); text != "" {
			return fmt.Sprintf("%s: it has %s", what, text)
		}
		return what + ": it has none"
	}
	if p.cmd == nil && slices.Contains(ofCommands, key) {
		return key + ": it is no command"
	}
	switch key {
	case "program":
		return has(key, p.cmd.Program.Text)
	case "args":
		return has(key, texts(p.cmd.Args)...)
	case "via":
		return has(key, p.cmd.Via...)
	case "env":
		return has(key, names(p.cmd.Env)...)
	case "tool":
		return has(key, p.c.Tool)
	case "agent":
		return has(key, p.c.Agent)
	case "profile":
		return has(key, p.c.Profile)
	case "codes":
		text := has(key, codesOf(p)...)
		if r.Decision == assent.Allow {
			text += "; an allow covers a protected fact only if it names it, and if it names any, no other"
		}
		return text
	case "host":
		return has(key, hostNames(p)...)
	case "in":
		return fmt.Sprintf("in: it runs in %s, or reaches out of it", clip(p.dir()))
	case "unless":
		return "unless: what stands there holds"
	}
	return has(key, pathsOf(p)...)
}

func texts(words []assent.Word) (out []string) {
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}

func names(env []assent.Assign) (out []string) {
	for _, a := range env {
		out = append(out, a.Name)
	}
	return out
}

func codesOf(p *part) (out []string) {
	for _, f := range p.facts {
		if !slices.Contains(out, f.Code) {
			out = append(out, f.Code)
		}
	}
	return out
}

func hostNames(p *part) (out []string) {
	for _, h := range p.look().hosts {
		out = append(out, h.name)
	}
	return out
}

func pathsOf(p *part) (out []string) {
	for _, t := range p.look().targets {
		if !slices.Contains(out, t.path) {
			out = append(out, t.path)
		}
	}
	return out
}
