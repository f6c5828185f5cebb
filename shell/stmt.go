package shell

// Statements: lists, pipelines, subshells, conditions, loops, functions.

import (
	"mvdan.cc/sh/v3/syntax"

	"assent"
)

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		if w.full {
			return
		}
		w.stmt(s)
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
		w.subshell(func() { w.command(s) })
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
		w.redirects(s.Redirs)
		w.declare(c)
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
		w.subshell(func() { w.stmt(c.Stmt) })
	default: // [[ … ]], (( … )), let: nothing runs but what they substitute
		w.forget(arithAssigned(cmd)...)
		w.hidden(cmd)
	}
}

// maybe walks what may run or not.
func (w *walker) maybe(walk func()) {
	before := w.save()
	walk()
	w.st = w.join(before, w.st)
}

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
	sure := false // the operand before cannot fail
	for i, s := range stmts {
		if i > 0 && !(sure && ops[i-1] == syntax.AndStmt) {
			leave()
		}
		if i > 0 && ops[i-1] == syntax.OrStmt {
			succeeded := w.save()
			w.st = w.join(succeeded, left)
			w.stmt(s)
			w.st = w.join(succeeded, w.st)
		} else {
			w.stmt(s)
		}
		sure = cannotFail(s)
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
func cannotFail(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || len(s.Redirs) > 0 {
		return false
	}
	if len(c.Args) == 0 {
		return !substitutes(c)
	}
	return c.Args[0].Lit() == "cd" || c.Args[0].Lit() == "true"
}

// substitutes reports whether assignments run commands, which may fail.
func substitutes(c *syntax.CallExpr) bool {
	found := false
	for _, a := range c.Assigns {
		syntax.Walk(a, func(n syntax.Node) bool {
			_, sub := n.(*syntax.CmdSubst)
			found = found || sub
			return !found
		})
	}
	return found
}

func (w *walker) pipeline(c *syntax.BinaryCmd) {
	var stages []*syntax.Stmt
	var collect func(s *syntax.Stmt)
	collect = func(s *syntax.Stmt) {
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(s.Redirs) == 0 {
			collect(b.X)
			collect(b.Y)
			return
		}
		stages = append(stages, s)
	}
	collect(c.X)
	collect(c.Y)
	w.pipes++
	fr := w.frame
	pipe := w.pipes
	for i, s := range stages {
		w.frame = fr
		w.frame.pipe, w.frame.stage = pipe, i
		if i > 0 {
			w.frame.in = w.output(stages[i-1])
		}
		if i < len(stages)-1 {
			w.subshell(func() { w.stmt(s) })
		} else {
			w.maybe(func() { w.stmt(s) }) // zsh runs the last stage in the shell itself
		}
	}
	w.frame = fr
}

func (w *walker) ifClause(c *syntax.IfClause) {
	w.stmts(c.Cond)
	before := w.save()
	w.stmts(c.Then)
	then := w.save()
	w.st = before
	if c.Else != nil && w.enter() {
		w.ifClause(c.Else)
		w.leave()
	}
	w.st = w.join(then, w.st)
}

func (w *walker) caseClause(c *syntax.CaseClause) {
	w.hiddenWord(c.Word)
	before := w.save()
	after := before
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.hiddenWord(p)
		}
		w.st = before
		w.stmts(item.Stmts)
		after = w.join(after, w.save())
	}
	w.st = after
}

// maxRounds is the most items over which a for loop is followed one by one.
const maxRounds = 8

func (w *walker) forClause(c *syntax.ForClause) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		w.hidden(c.Loop)
		w.forget(w.assigned(c)...)
		w.maybe(func() { w.stmts(c.Do) })
		return
	}
	items, known := w.fields(it.Items), true
	if !it.InPos.IsValid() {
		items, known = []assent.Word{{}}, false
	}
	for _, item := range items {
		known = known && item.Known && !hasGlob(item.Value)
	}
	if known && len(items) <= maxRounds && !jumps(c) {
		for _, item := range items {
			w.set(it.Name.Value, value{text: item.Value, known: true})
			w.stmts(c.Do)
		}
		return
	}
	w.forget(w.assigned(c)...)
	w.set(it.Name.Value, value{text: commonStart(items)})
	w.maybe(func() { w.stmts(c.Do) })
}

// commonStart is the literal start that all words share.
func commonStart(words []assent.Word) string {
	if len(words) == 0 {
		return ""
	}
	start := words[0].Value
	for _, x := range words {
		n := 0
		for n < len(start) && n < len(x.Value) && start[n] == x.Value[n] && !isGlob(start[n]) {
			n++
		}
		start = start[:n]
	}
	return start
}

func (w *walker) funcDecl(c *syntax.FuncDecl) {
	if c.Name == nil {
		w.stmt(c.Body)
		return
	}
	f := &function{body: c.Body, src: w.src, at: w.at}
	w.decl = append(w.decl, f)
	st := w.edit()
	if st.funcs == nil {
		st.funcs = map[string]binding{}
	}
	st.funcs[c.Name.Value] = binding{bodies: []*function{f}}
	if bombs(c) {
		w.find(ForkBomb, "The function %s starts itself again and again until the machine stops.", c.Name.Value)
	}
}
