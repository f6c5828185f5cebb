package mockllm

// The script: what the model does, one directive to a line of the prompt.

import "strings"

// Script is a list of steps. Each is one reply, and is taken once the calls of
// those before it have their results. In a prompt, where all other lines are
// ignored:
//
//	!sh COMMAND          call the agent's shell tool
//	!write PATH TEXT     call its file-writing tool
//	!read PATH           call its file-reading tool
//	!fetch URL           call its web tool
//	!tool NAME ARGS      call the tool NAME; ARGS is JSON, or text for a free-form tool
//	!say TEXT            end the turn with this text
//
// A directive that begins with "+" joins the step before it: the agent gets
// several calls in one reply.
type Script []Step

// Step is one reply of the model.
type Step []Directive

// Directive is one call, or the closing text.
type Directive struct{ Verb, Arg string }

// ParseScript reads the directives of a text. There may be none.
func ParseScript(text string) Script {
	var steps Script
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || (line[0] != '!' && line[0] != '+') {
			continue
		}
		verb, arg, _ := strings.Cut(line[1:], " ")
		switch verb {
		case "sh", "write", "read", "fetch", "tool", "say":
		default:
			continue
		}
		d := Directive{verb, strings.TrimSpace(arg)}
		if line[0] == '+' && len(steps) > 0 {
			steps[len(steps)-1] = append(steps[len(steps)-1], d)
		} else {
			steps = append(steps, Step{d})
		}
	}
	return steps
}

// Reply is what the model says: calls, or a closing text.
type Reply struct {
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"`
}

// Call is one tool call of a reply.
type Call struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Namespace string         `json:"namespace,omitempty"`
	Args      map[string]any `json:"args,omitempty"`
	Raw       string         `json:"raw,omitempty"` // argument of a free-form tool
}
