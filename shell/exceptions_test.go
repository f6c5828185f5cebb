package shell

// What tests with the interpreter pass over, and why.

import (
	"strings"
	"sync"
	"testing"
)

// exceptions counts the commands that a test passes over, by the reason.
type exceptions struct {
	mu      sync.Mutex
	reasons []exception
}

type exception struct {
	part, why string // a part of the text, and why it is passed over
	n         int
}

func (e *exceptions) has(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, r := range e.reasons {
		if strings.Contains(text, r.part) {
			e.reasons[i].n++
			return true
		}
	}
	return false
}

// report says how often each reason was given, and that it was not too often.
func (e *exceptions) report(t *testing.T) {
	t.Helper()
	for _, r := range e.reasons {
		t.Logf("%d commands are passed over: %s", r.n, r.why)
		if r.n > 100 {
			t.Errorf("too many to pass over: %d", r.n)
		}
	}
}

// interpreterLacks is what bash does and the interpreter does not.
func interpreterLacks() *exceptions {
	return &exceptions{reasons: []exception{
		{part: "exec -", why: "the interpreter takes the options of exec for a program"},
		{part: "eval -", why: "the interpreter takes the options of eval for a program"},
		{part: "trap -", why: "the interpreter takes the first signal of trap - for code"},
		{part: "printf -v", why: "the interpreter's printf sets no variables"},
		{part: "SHELL", why: "the interpreter has no variable SHELL"},
		{part: "declare ", why: "the interpreter assigns in a declaration before it expands what follows"},
		{part: "command -v", why: "the interpreter finds no programs"},
		{part: "$(pwd", why: "the interpreter runs in a directory of its own"},
		{part: "$PWD", why: "the interpreter runs in a directory of its own"},
		{part: "~+", why: "the interpreter does not expand ~+"},
		{part: "{,", why: "the interpreter keeps the empty words of braces"},
		{part: ",}", why: "the interpreter keeps the empty words of braces"},
	}}
}
