package shell

// Lists and pipelines, and statements that only say once more what was said.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// list walks a && b || c. Each operand sees what is known if those before it
// went the way that leads to it.
func (w *walker) list(c *syntax.BinaryCmd) {
	stmts, ops := flatten(c, nil, nil)
	var left *state // in which the list may have been left so far
	leave := func() {
		if now := w.save(); left == nil {
			left = now
		} else {
			left = w.join(left, now)
		}
	}
	var before repeat
	sure := false // the operand before cannot fail
	for i, s := range stmts {
		if w.full {
			w.last(stmts[i:])
			break
		}
		if i > 0 && !(sure && ops[i-1] == syntax.AndStmt) {
			leave()
		}
		if i > 0 && ops[i-1] == syntax.OrStmt {
			succeeded := w.save()
			w.st = w.join(succeeded, left)
			w.unless(&before, s)
			w.st = w.join(succeeded, w.st)
		} else {
			w.unless(&before, s)
		}
		sure = w.cannotFail(s)
	}
	if left != nil {
		w.st = w.join(left, w.st)
	}
}

// flatten returns the operands of a left-leaning list in order.
func flatten(c *syntax.BinaryCmd, stmts []*syntax.Stmt, ops []syntax.BinCmdOperator) ([]*syntax.Stmt, []syntax.BinCmdOperator) {
	var chain []*syntax.BinaryCmd
	x := c
	for {
		chain = append(chain, x)
		left := x.X
		b, ok := left.Cmd.(*syntax.BinaryCmd)
		if !ok || len(left.Redirs) > 0 || left.Negated || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt {
			stmts = append(stmts, left)
			break
		}
		x = b
	}
	for i := len(chain) - 1; i >= 0; i-- {
		stmts, ops = append(stmts, chain[i].Y), append(ops, chain[i].Op)
	}
	return stmts, ops
}

// cannotFail holds for assignments, and for cd: a text that goes on after a cd
// that failed is judged as if it had not.
func (w *walker) cannotFail(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || len(s.Redirs) > 0 {
		return false
	}
	if len(c.Args) == 0 {
		return !w.substitutes(c)
	}
	return c.Args[0].Lit() == "cd" || c.Args[0].Lit() == "true"
}

// substitutes reports whether assignments run commands, which may fail.
func (w *walker) substitutes(c *syntax.CallExpr) bool {
	found := false
	for _, a := range c.Assigns {
		w.visit(a, func(n syntax.Node) bool {
			_, sub := n.(*syntax.CmdSubst)
			found = found || sub
			return !found
		})
	}
	return found
}

func (w *walker) pipeline(c *syntax.BinaryCmd) {
	stages := stagesOf(c)
	w.pipes++
	fr := w.frame
	pipe, in := w.pipes, fr.in
	var before repeat
	for i, s := range stages {
		w.frame = fr
		if w.full {
			w.frame.in = input{kind: stream}
			w.last(stages[i:])
			break
		}
		w.frame.pipe, w.frame.stage = pipe, i
		if i > 0 {
			fed := in.kind == stream
			if in = w.output(stages[i-1], in); !fed || in.kind != stream {
				before = repeat{} // it is fed something else than the one before
			}
			w.frame.in = in
		}
		if i < len(stages)-1 {
			w.apartly(func() { w.subshell(func() { w.unless(&before, s) }) })
		} else {
			w.maybe(func() { w.unless(&before, s) }) // zsh runs the last stage in the shell itself
		}
	}
	w.frame = fr
}

// stagesOf returns the stages of a left-leaning pipeline in order.
func stagesOf(c *syntax.BinaryCmd) []*syntax.Stmt {
	stages := []*syntax.Stmt{c.Y}
	for {
		b, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(c.X.Redirs) > 0 || b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
			stages = append(stages, c.X)
			slices.Reverse(stages)
			return stages
		}
		stages, c = append(stages, b.Y), b
	}
}

// repeat is a statement that was walked, and how often the state had been
// written to by then.
type repeat struct {
	text  string
	edits int
}

// unless walks a statement, unless it is the one before once more and that one
// has changed nothing: then it would run what is known already.
func (w *walker) unless(before *repeat, s *syntax.Stmt) {
	text := w.slice(s)
	if s.Semicolon.IsValid() && text != "" {
		text = text[:s.Semicolon.Offset()-s.Pos().Offset()]
	}
	if text == before.text && w.edits == before.edits && text != "" {
		return
	}
	*before = repeat{}
	edits := w.edits
	w.stmt(s)
	if edits == w.edits && !strings.Contains(text, "<<") {
		*before = repeat{text, edits}
	}
}
