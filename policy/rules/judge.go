package rules

// Judging: the rules as one voice. Deny and ask hold when any command matches, an
// allow when every command of the call is covered, and nothing stands besides.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent"
	"assent/programs/reach"
)

// Book is rules that judge together. As a Hook it says the strictest of what they
// say, with the reasons of each; it never fails, and may be called concurrently.
type Book []Rule

// Judge says what the rules say of a case.
func (b Book) Judge(_ context.Context, c assent.Case) (assent.Reply, error) {
	return b.say("rules", c), nil
}

func (b Book) say(by string, c assent.Case) assent.Reply {
	if len(b) == 0 {
		return assent.Reply{}
	}
	list, loose := parts(&c)
	reply := assent.Reply{By: by}
	var texts []string
	for i := range b {
		r := &b[i]
		if r.Decision == assent.Allow || r.Decision < reply.Decision || !slices.ContainsFunc(list, r.holds) {
			continue
		}
		if r.Decision > reply.Decision {
			reply.Decision, texts = r.Decision, nil
		}
		texts = append(texts, r.says())
	}
	if reply.Decision == assent.None {
		by, _ := b.covering(list, loose)
		for _, r := range by {
			reply.Decision, texts = assent.Allow, append(texts, r.says())
		}
	}
	reply.Reason = joined(texts)
	return reply
}

// maxReasons is how many rules are named in one reason.
const maxReasons = 3

func joined(texts []string) string {
	if more := len(texts) - maxReasons; more > 0 {
		texts = append(texts[:maxReasons:maxReasons], fmt.Sprintf("%d more rules say so.", more))
	}
	return strings.Join(texts, " ")
}

var verbs = map[assent.Decision]string{assent.Allow: "allows it", assent.Ask: "asks", assent.Deny: "denies it"}

// says is the sentence of a rule that holds.
func (r *Rule) says() string {
	if r.Why == "" {
		return fmt.Sprintf("Rule %s %s.", r.At, verbs[r.Decision])
	}
	return fmt.Sprintf("Rule %s %s: %s.", r.At, verbs[r.Decision], strings.TrimRight(r.Why, ". \n"))
}

// holds reports whether an ask or a deny speaks of a part.
func (r *Rule) holds(p *part) bool {
	return r.When.misses(p, false) == "" && (r.Unless == nil || r.Unless.misses(p, true) != "")
}

// covering returns the rules by which a call is allowed, each once, or else why it
// is not.
func (b Book) covering(list []*part, loose int) (by []*Rule, why string) {
	if !slices.ContainsFunc(b, func(r Rule) bool { return r.Decision == assent.Allow && !r.Project }) {
		return nil, "no rule allows anything"
	}
	if why := besides(list[0].c); why != "" {
		return nil, why
	}
	if loose > 0 {
		return nil, "a fact belongs to no command"
	}
	for n, p := range list {
		if len(list) > 1 && p.prepares() {
			return nil, p.name() + " may change what the commands beside it are"
		}
		i := slices.IndexFunc(b, func(r Rule) bool { return r.covers(p) == "" })
		if i < 0 {
			i = b.within(p, list[:n])
		}
		if i < 0 && !p.onlyLooks() {
			return nil, "no rule covers " + p.name()
		}
		if i >= 0 && !slices.Contains(by, &b[i]) {
			by = append(by, &b[i])
		}
	}
	if len(by) == 0 {
		return nil, "every command only looks, and no rule speaks of one"
	}
	return by, ""
}

// grouping may stand beside the commands of a call that is allowed.
const grouping = " \t\n;&|(){}!"

// harmless are fields of a shell's input that change nothing of what runs.
var harmless = []string{"command", "description", "timeout", "timeout_ms", "run_in_background"}

// besides says what stands in a shell call beside its commands; empty: nothing.
func besides(c *assent.Case) string {
	if c.Tool != assent.ToolShell {
		return ""
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(c.Input, &in) != nil {
		return "the input cannot be read"
	}
	for name := range in {
		if !slices.Contains(harmless, name) {
			return "the input has a field " + clip(name) + ", which no rule covers"
		}
	}
	if left := strings.Trim(c.Besides(), grouping); left != "" || len(c.Commands) == 0 {
		return "beside its commands there stands " + clip(left) + ", which no rule covers"
	}
	return ""
}

// preparing are what shells do themselves that changes what later commands are: a
// variable, an option, another name.
var preparing = []string{
	"read", "mapfile", "readarray", "getopts", "export", "declare", "typeset", "local", "readonly", "let", "wait", "vared", "set", "shopt", "setopt", "unsetopt", "unset",
	"alias", "unalias", "hash", "enable", "exec", "trap", "source", ".", "autoload", "zmodload", "bind", "complete",
}

// prepares reports whether a command may change what the commands beside it are.
func (p *part) prepares() bool {
	if p.cmd == nil {
		return false
	}
	if p.cmd.Name == "printf" && len(p.cmd.Args) > 0 {
		first := p.cmd.Args[0]
		return !first.Known || strings.HasPrefix(first.Value, "-v")
	}
	return slices.Contains(preparing, p.cmd.Name)
}

// onlyLooks reports whether a command needs no cover: it is known to change
// nothing, and nothing is done with it.
func (p *part) onlyLooks() bool {
	return p.cmd != nil && len(p.facts) == 0 && p.ordinary() && len(p.cmd.Env) == 0 && p.strangeWrapper(nil) == "" && !p.writesFile()
}

func (p *part) writesFile() bool {
	return slices.ContainsFunc(p.cmd.Redirects, func(r assent.Redirect) bool {
		does, ok := opens(r)
		return ok && does&write != 0
	})
}

// covers says why an allow does not cover a part; empty: it does.
func (r *Rule) covers(p *part) string {
	if r.Decision != assent.Allow || r.Project {
		return "decision"
	}
	if key := r.When.exceeds(p); key != "" {
		return key
	}
	if r.Unless != nil && r.Unless.misses(p, false) == "" {
		return "unless"
	}
	switch m := &r.When; {
	case p.cmd == nil:
	case p.cmd.Name == "" && !slices.Contains(m.Codes, "code.unknown"):
		return "program"
	case m.Program == nil && m.Codes == nil && p.runs():
		return "program"
	case p.has(unasked...) && !every(p.facts, func(f assent.Finding) bool { return !anyFits(unasked, f.Code) || anyFits(m.Codes, f.Code) }):
		return "codes"
	case p.writesFile() && m.Writes == nil && m.Path == nil && m.In == nil:
		return "writes"
	}
	return ""
}

// unasked are facts of which no program's name says that they may be.
var unasked = []string{"net.shell", "net.run", "shell.other", "secret.read"}

// runs reports whether the command may run others or code, which no place bounds:
// an allow must name it.
func (p *part) runs() bool {
	return p.has(running...) || reach.Open(p.cmd.Name) != "" && !reach.Destroys(p.cmd.Name)
}

// neutral are wrappers that change nothing but when and how loudly a command
// runs; a shell's text was read like any other.
var neutral = []string{
	"nice", "ionice", "nohup", "timeout", "gtimeout", "stdbuf", "setsid", "command", "builtin", "unbuffer", "watch", "caffeinate", "env", "xargs", "find", "gfind", "eval",
	"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash",
}

// strangeWrapper returns a wrapper around the command that an allow must name and
// does not; empty: there is none.
func (p *part) strangeWrapper(named []string) string {
	for _, v := range p.cmd.Via {
		if !slices.Contains(neutral, v) && !strings.HasSuffix(v, "()") && !anyFits(named, v) {
			return v
		}
	}
	return ""
}
