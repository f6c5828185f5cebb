package shell

// What a stretch of code may assign, and functions that start themselves.

import "mvdan.cc/sh/v3/syntax"

// assigned lists the variables that n may set; a directory change in it makes
// the directory unknown.
func (w *walker) assigned(n syntax.Node) []string {
	var names []string
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				names = append(names, n.Name.Value)
			}
		case *syntax.WordIter:
			names = append(names, n.Name.Value)
		case *syntax.CallExpr:
			names = append(names, w.assignedBy(n)...)
		}
		return w.step()
	})
	return append(names, arithAssigned(n)...)
}

func (w *walker) assignedBy(c *syntax.CallExpr) []string {
	if len(c.Args) == 0 {
		return nil
	}
	switch c.Args[0].Lit() {
	case "cd", "pushd", "popd", "eval", "builtin", "command":
		w.edit().dir = ""
	case "shift", "set":
		st := w.edit()
		st.params, st.open = nil, true
	case "read", "mapfile", "readarray", "getopts", "printf", "unset":
		var names []string
		for _, a := range c.Args[1:] {
			if name := a.Lit(); syntax.ValidName(name) {
				names = append(names, name)
			}
		}
		return names
	}
	return nil
}

// jumps reports whether control may leave the middle of n.
func jumps(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			switch c.Args[0].Lit() {
			case "break", "continue", "return", "eval", "builtin", "command":
				found = true
			}
		}
		return !found
	})
	return found
}

// arithAssigned lists the variables that arithmetic in n may set.
func arithAssigned(n syntax.Node) []string {
	var names []string
	add := func(x syntax.ArithmExpr) {
		if word, ok := x.(*syntax.Word); ok && syntax.ValidName(word.Lit()) {
			names = append(names, word.Lit())
		}
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryArithm:
			add(n.X)
		case *syntax.UnaryArithm:
			add(n.X)
		}
		return true
	})
	return names
}

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
