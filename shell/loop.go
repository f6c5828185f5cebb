package shell

// What a stretch of code may assign.

import "mvdan.cc/sh/v3/syntax"

// assigned lists the variables that n may set; a directory change in it makes
// the directory unknown.
func (w *walker) assigned(n syntax.Node) []string {
	var names []string
	w.visit(n, func(n syntax.Node) bool {
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
	return append(names, w.arithAssigned(n)...)
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
func (w *walker) jumps(n syntax.Node) bool {
	found := false
	w.visit(n, func(n syntax.Node) bool {
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
func (w *walker) arithAssigned(n syntax.Node) []string {
	var names []string
	add := func(x syntax.ArithmExpr) {
		if word, ok := x.(*syntax.Word); ok && syntax.ValidName(word.Lit()) {
			names = append(names, word.Lit())
		}
	}
	w.visit(n, func(n syntax.Node) bool {
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
