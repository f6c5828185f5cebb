package mockllm

// A turn: one request to the model, reduced to what the script needs.

import (
	"encoding/json"
	"fmt"
	"strings"
)

type turn struct {
	id      string // of the reply: agents merge replies that share one
	model   string
	stream  bool
	usage   bool // chat completions: send a usage chunk
	tools   []tool
	script  Script   // of the last user text that holds a directive
	results []string // of tools, since then
	before  int      // results before that, so that every call has a name of its own
}

// user notes a text of the user.
func (t *turn) user(text string) {
	if s := ParseScript(text); len(s) > 0 {
		t.before += len(t.results)
		t.script, t.results = s, nil
	}
}

// result notes a tool's result.
func (t *turn) result(text string) { t.results = append(t.results, text) }

func (t *turn) toolNames() []string {
	names := make([]string, len(t.tools))
	for i, tl := range t.tools {
		names[i] = tl.Name
	}
	return names
}

// reply picks the first step whose calls have no result yet. Requests without
// tools or a script get a plain text, which keeps title generators quiet.
func (t *turn) reply(fallback Script) Reply {
	steps := t.script
	if len(steps) == 0 {
		steps = fallback
	}
	if len(t.tools) == 0 || len(steps) == 0 {
		return Reply{Text: "mock"}
	}
	done := len(t.results)
	for _, st := range steps {
		if st[0].Verb == "say" {
			return Reply{Text: st[0].Arg}
		}
		if done >= len(st) {
			done -= len(st)
			continue
		}
		return t.calls(st)
	}
	return Reply{Text: "mock: finished"}
}

func (t *turn) calls(st Step) Reply {
	var r Reply
	for i, d := range st {
		c, err := t.call(d)
		if err != nil {
			return Reply{Text: "mockllm: " + err.Error()}
		}
		c.ID = fmt.Sprintf("call_mock_%d_%d", t.before+len(t.results), i)
		r.Calls = append(r.Calls, c)
	}
	return r
}

func (t *turn) call(d Directive) (Call, error) {
	if d.Verb == "tool" {
		return t.named(d.Arg)
	}
	tl := t.find(toolNames[d.Verb])
	if tl == nil {
		return Call{}, fmt.Errorf("no %s tool among %v", d.Verb, t.toolNames())
	}
	values := []string{d.Arg}
	if d.Verb == "write" {
		path, text, _ := strings.Cut(d.Arg, " ")
		values = []string{path, text}
	}
	return Call{Name: tl.Name, Namespace: tl.Namespace, Args: tl.fill(argNames[d.Verb], values)}, nil
}

// named is a call of the tool that the directive names, known or not.
func (t *turn) named(arg string) (Call, error) {
	name, arg, _ := strings.Cut(arg, " ")
	c := Call{Name: name}
	for _, tl := range t.tools {
		if tl.Name == name {
			c.Namespace = tl.Namespace
			if tl.Freeform {
				c.Raw = strings.ReplaceAll(arg, `\n`, "\n")
				return c, nil
			}
		}
	}
	if arg == "" {
		arg = "{}"
	}
	return c, json.Unmarshal([]byte(arg), &c.Args)
}

func (t *turn) find(names []string) *tool {
	for _, n := range names {
		for i := range t.tools {
			if t.tools[i].Name == n && !t.tools[i].Freeform {
				return &t.tools[i]
			}
		}
	}
	return nil
}
