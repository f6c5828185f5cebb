package shell

// What starts more and more of itself: functions, and loops in the background.

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// bombs reports whether a function starts itself at least twice, on every call
// and without waiting: in a pipe or in the background.
func bombs(f *syntax.FuncDecl) bool {
	starts, apart := 0, false
	var stmt func(s *syntax.Stmt, depth int)
	stmt = func(s *syntax.Stmt, depth int) {
		if depth > MaxDepth {
			return
		}
		before := starts
		switch c := s.Cmd.(type) {
		case *syntax.CallExpr:
			if len(c.Args) > 0 && c.Args[0].Lit() == f.Name.Value {
				starts++
			}
		case *syntax.BinaryCmd:
			stmt(c.X, depth+1)
			if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
				stmt(c.Y, depth+1)
				apart = apart || starts > before
			}
		case *syntax.Block:
			for _, s := range c.Stmts {
				stmt(s, depth+1)
			}
		case *syntax.Subshell:
			for _, s := range c.Stmts {
				stmt(s, depth+1)
			}
		}
		apart = apart || s.Background && starts > before
	}
	stmt(f.Body, 0)
	return starts >= 2 && apart
}

// apartly walks what runs beside the shell: in the background, or in a pipe.
func (w *walker) apartly(walk func()) {
	w.apart++
	walk()
	w.apart--
}

// endless says of a function that starts itself that it does so in processes of
// their own.
func (w *walker) endless(a activation, name string) {
	if w.apart > a.apart && !a.f.bomb {
		w.find(Exhaust, "The function %s starts itself again and again, each time in a process of its own.", name)
	}
}

// costly are programs that each time ask another machine, or a model, for something.
var costly = []string{"curl", "wget", "http", "xh", "claude", "codex", "gemini", "llm", "ollama", "aider", "goose", "opencode", "cursor-agent", "openai", "aichat"}

// floods says why a loop without an end does harm: it starts processes in the
// background without waiting, or calls others without a pause. Empty: it does not.
func floods(c *syntax.WhileClause) string {
	if len(c.Cond) != 1 || !c.Until && !always(c.Cond[0], "true", ":", "1") || c.Until && !always(c.Cond[0], "false", "", "0") {
		return ""
	}
	apart, calls, pauses := false, false, false
	for _, s := range c.Do {
		call, ok := s.Cmd.(*syntax.CallExpr)
		first := ""
		if ok && len(call.Args) > 0 {
			first = call.Args[0].Lit()
		}
		calls = calls || slices.Contains(costly, first)
		pauses = pauses || mayEnd(s)
		switch {
		case s.Background:
			apart = true
		case first == "wait" && apart, slices.Contains(enders, first):
			return ""
		}
	}
	switch {
	case apart:
		return "It starts processes in the background without an end."
	case calls && !pauses:
		return "It calls another machine or a model again and again, without an end and without a pause."
	}
	return ""
}

// enders pause the loop that they stand in, or end it.
var enders = []string{"sleep", "read", "break", "exit", "return"}

// mayEnd reports whether a statement has one of them somewhere.
func mayEnd(s *syntax.Stmt) bool {
	found := false
	syntax.Walk(s, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		found = found || ok && len(call.Args) > 0 && slices.Contains(enders, call.Args[0].Lit())
		return !found
	})
	return found
}

// always reports whether a condition is one of these words, or [ word ], or
// ((number)).
func always(s *syntax.Stmt, word, colon, number string) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 || s.Negated {
			return false
		}
		first := c.Args[0].Lit()
		return first == word || colon != "" && (first == colon || first == "[" && len(c.Args) == 3)
	case *syntax.ArithmCmd:
		x, ok := c.X.(*syntax.Word)
		return ok && x.Lit() == number
	}
	return false
}
