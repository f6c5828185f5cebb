package shell

// Statements: what is walked for each kind of them.

import (
	"mvdan.cc/sh/v3/syntax"

	"assent"
)

func (w *walker) stmts(list []*syntax.Stmt) { w.sequence(list, new(repeat)) }

// sequence walks statements in order; before is the one in front of them.
func (w *walker) sequence(list []*syntax.Stmt, before *repeat) {
	for i, s := range list {
		if w.full {
			w.last(list[i:])
			return
		}
		w.unless(before, s)
	}
}

func (w *walker) stmt(s *syntax.Stmt) {
	if s == nil || !w.enter() {
		return
	}
	defer w.leave()
	defer func(here assent.Span) { w.here = here }(w.here)
	w.here = w.span(s)
	if s.Background || s.Coprocess || s.Disown {
		w.apartly(func() { w.subshell(func() { w.command(s) }) })
		return
	}
	w.command(s)
}

func (w *walker) command(s *syntax.Stmt) {
	fr := w.frame
	defer func() { w.frame = fr }()
	switch c := s.Cmd.(type) {
	case nil:
		if len(s.Redirs) > 0 {
			w.call(&syntax.CallExpr{}, s)
		}
		return
	case *syntax.CallExpr:
		w.call(c, s)
		return
	case *syntax.DeclClause:
		redirs, _ := w.redirects(s.Redirs)
		w.declare(c, redirs)
		return
	}
	redirs, in := w.redirects(s.Redirs)
	w.frame.redirs = append(w.frame.redirs[:len(w.frame.redirs):len(w.frame.redirs)], redirs...)
	if in.kind != inherited {
		w.frame.in = in
	}
	w.compound(s.Cmd)
}

func (w *walker) compound(cmd syntax.Command) {
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			w.pipeline(c)
		} else {
			w.list(c)
		}
	case *syntax.Subshell:
		w.subshell(func() { w.stmts(c.Stmts) })
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.IfClause:
		w.ifClause(c)
	case *syntax.WhileClause:
		if why := floods(c); why != "" {
			w.find(Exhaust, "%s", why)
		}
		w.ahead(c)
		w.forget(w.assigned(c)...)
		w.maybe(func() { w.stmts(c.Cond); w.stmts(c.Do) })
	case *syntax.ForClause:
		w.forClause(c)
	case *syntax.CaseClause:
		w.caseClause(c)
	case *syntax.FuncDecl:
		w.funcDecl(c)
	case *syntax.TimeClause:
		w.stmt(c.Stmt)
	case *syntax.CoprocClause:
		w.frame.via = join(w.frame.via, []string{"coproc"})
		w.subshell(func() { w.stmt(c.Stmt) })
	default: // [[ … ]], (( … )), let: nothing runs but what they substitute
		w.hidden(cmd)
		w.forget(w.arithAssigned(cmd)...)
	}
}

// maybe walks what may run or not.
func (w *walker) maybe(walk func()) {
	before := w.save()
	walk()
	w.st = w.join(before, w.st)
}
