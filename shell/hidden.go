package shell

// Commands that stand inside words: substitutions.

import "mvdan.cc/sh/v3/syntax"

// hiddenWord walks the commands that stand in one word.
func (w *walker) hiddenWord(x *syntax.Word) {
	if x == nil {
		return
	}
	for _, p := range x.Parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			continue
		case *syntax.ParamExp:
			if p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && !p.Excl {
				continue
			}
		}
		w.hidden(p)
	}
}

// maxVisit is how deep nodes may lie inside one another where they are not
// walked but only looked through.
const maxVisit = 1000

// visit calls f for each node, and for what is inside it if f says so.
func (w *walker) visit(root syntax.Node, f func(syntax.Node) bool) {
	depth := 0
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		if depth > maxVisit {
			w.limit("The command is nested too deeply and was not followed to its end.")
			return false
		}
		if !f(n) {
			return false
		}
		depth++
		return true
	})
}

// hidden walks the commands that stand anywhere in n.
func (w *walker) hidden(n syntax.Node) {
	w.visit(n, func(n syntax.Node) bool {
		if !w.step() {
			return false
		}
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.substitution(n.Stmts, input{})
			return false
		case *syntax.ProcSubst:
			in := input{}
			if n.Op == syntax.CmdOut {
				in.kind = stream
			}
			w.substitution(n.Stmts, in)
			return false
		default:
			w.evaluates(n)
		}
		return true
	})
}

func (w *walker) substitution(list []*syntax.Stmt, in input) {
	if !w.enter() {
		return
	}
	defer w.leave()
	fr := w.frame
	w.frame = frame{via: fr.via, in: in}
	if in.kind == inherited {
		w.frame.in = fr.in
	}
	w.subshell(func() { w.stmts(list) })
	w.frame = fr
}
