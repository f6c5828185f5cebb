package shell

// Texts that the shell evaluates where it expects a number, a name or a prompt:
// the substitutions in them run, however they are quoted.

import (
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// evaluated walks the substitutions in a text of which the shell makes what it
// makes of one in double quotes.
func (w *walker) evaluated(text, via string) {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		w.inner(text, via, w.expansions)
	}
}

func (w *walker) expansions(text string) {
	outer := w.src
	defer func() { w.src = outer }()
	w.src = text
	in := &reader{text: text}
	word, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Document(in)
	switch {
	case in.deep:
		w.limit("The command is nested too deeply and was not read to its end.")
	case err != nil:
		w.find(Unknown, "It has the shell evaluate a text that is not complete shell syntax.")
	default:
		w.hiddenWord(word)
	}
}

// maxReferences is how many variables that name one another arithmetic is
// followed through.
const maxReferences = 8

// number walks what runs when the shell computes a text: substitutions, also
// those in the variables that the text names.
func (w *walker) number(text, via string, depth int) {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		w.evaluated(text, via)
		return
	}
	if depth == maxReferences {
		return
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !syntax.ValidName(name) || !w.step() {
			continue
		}
		for _, text := range w.held(name) {
			w.number(text, via, depth+1)
		}
	}
}

// held is what is known that a variable holds.
func (w *walker) held(name string) []string {
	v := w.lookup(name)
	if v.array {
		return v.list
	}
	return []string{v.text}
}

// evaluates walks what runs because of the values that a node computes.
func (w *walker) evaluates(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ArithmExp:
		w.computed(n.X)
	case *syntax.ArithmCmd:
		w.computed(n.X)
	case *syntax.LetClause:
		for _, x := range n.Exprs {
			w.computed(x)
		}
	case *syntax.CStyleLoop:
		w.computed(n.Init, n.Cond, n.Post)
	case *syntax.Assign:
		w.computed(n.Index)
	case *syntax.ArrayElem:
		w.computed(n.Index)
	case *syntax.ParamExp:
		w.expanded(n)
	case *syntax.BinaryTest:
		switch n.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.operand(n.X)
			w.operand(n.Y)
		}
	case *syntax.UnaryTest:
		if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
			w.operand(n.X)
		}
	}
}

// operand is one of [[ … ]] that is a number or a name.
func (w *walker) operand(x syntax.TestExpr) {
	if word, ok := x.(*syntax.Word); ok {
		w.number(w.textOf(word).text, "[[", 0)
	}
}

// computed walks what runs when arithmetic is done.
func (w *walker) computed(list ...syntax.ArithmExpr) {
	for _, x := range list {
		if x == nil {
			continue
		}
		w.visit(x, func(n syntax.Node) bool {
			word, ok := n.(*syntax.Word)
			if ok {
				w.number(w.textOf(word).text, "((", 0)
			}
			return !ok
		})
	}
}

// expanded walks what runs because of a parameter expansion's own parts.
func (w *walker) expanded(p *syntax.ParamExp) {
	w.computed(p.Index)
	if p.Slice != nil {
		w.computed(p.Slice.Offset, p.Slice.Length)
	}
	if p.Param == nil {
		return
	}
	if p.Excl {
		w.evaluated(w.lookup(p.Param.Value).text, "${!}")
	}
	if p.Exp == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.OtherParamOps:
		if p.Exp.Word.Lit() == "P" {
			for _, text := range w.held(p.Param.Value) {
				w.evaluated(text, "@P")
			}
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.given(p.Param.Value, w.textOf(p.Exp.Word))
	}
}

// ahead walks what the arithmetic of a loop evaluates in its first round, before
// what the loop assigns is no longer known.
func (w *walker) ahead(loop syntax.Node) {
	w.visit(loop, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause:
			w.evaluates(n)
		}
		return w.step()
	})
}
