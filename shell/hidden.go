package shell

// Commands that stand inside words: substitutions.

import "mvdan.cc/sh/v3/syntax"

// hiddenWord walks the commands that stand in one word.
func (w *walker) hiddenWord(x *syntax.Word) {
	if x == nil {
		return
	}
	for _, p := range x.Parts {
		switch p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		default:
			w.hidden(p)
		}
	}
}

// hidden walks the commands that stand anywhere in n.
func (w *walker) hidden(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
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
