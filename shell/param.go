package shell

// Parameter expansions, as far as their values are known.

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func isList(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Length || p.Excl {
		return false
	}
	if p.Param.Value == "@" || p.Param.Value == "*" {
		return true
	}
	index, ok := p.Index.(*syntax.Word)
	return ok && (index.Lit() == "@" || index.Lit() == "*")
}

func isStar(p *syntax.ParamExp) bool {
	index, ok := p.Index.(*syntax.Word)
	return p.Param.Value == "*" || ok && index.Lit() == "*"
}

// param is the value of an expansion. ${X:=y} assigns.
func (w *walker) param(p *syntax.ParamExp) value {
	if p.Param == nil || p.Names != 0 || p.Width || p.IsSet {
		return value{}
	}
	v := w.lookup(p.Param.Value)
	if p.Excl {
		if !v.known || !syntax.ValidName(v.text) {
			return value{}
		}
		v = w.lookup(v.text)
	}
	v = indexed(v, p)
	switch {
	case p.Length:
		return value{text: strconv.Itoa(len(v.text)), known: v.known && !v.array}
	case p.Slice != nil:
		return sliced(v, p.Slice)
	case p.Repl != nil:
		return w.replaced(v, p.Repl)
	case p.Exp != nil:
		return w.operated(v, p)
	}
	return v
}

// indexed picks one element of an array; of "@" and "*" the whole.
func indexed(v value, p *syntax.ParamExp) value {
	if isList(p) || !v.array {
		return v
	}
	n := 0
	if p.Index != nil {
		index, ok := p.Index.(*syntax.Word)
		if !ok {
			return value{}
		}
		i, err := strconv.Atoi(index.Lit())
		if err != nil || i < 0 {
			return value{}
		}
		n = i
	}
	if n >= len(v.list) {
		return value{known: v.known}
	}
	return value{text: v.list[n], known: v.known}
}

func sliced(v value, s *syntax.Slice) value {
	from, ok1 := number(s.Offset, 0)
	n, ok2 := number(s.Length, len(v.text))
	if !v.known || v.array || !ok1 || !ok2 || from > len(v.text) {
		return value{}
	}
	return value{text: v.text[from:min(len(v.text), from+n)], known: true}
}

// number reads a literal that is not negative.
func number(x syntax.ArithmExpr, missing int) (int, bool) {
	if x == nil {
		return missing, true
	}
	word, ok := x.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(word.Lit())
	return n, err == nil && n >= 0 && n <= MaxWord
}

func (w *walker) replaced(v value, r *syntax.Replace) value {
	old, with := w.textOf(r.Orig), w.textOf(r.With)
	if !v.known || v.array || !old.known || !with.known || old.text == "" || strings.ContainsAny(old.text, `*?[\#%`) {
		return value{}
	}
	n := 1
	if r.All {
		n = -1
	}
	if len(v.text)/len(old.text)*len(with.text) > MaxWord {
		return value{}
	}
	return value{text: strings.Replace(v.text, old.text, with.text, n), known: true}
}

func (w *walker) operated(v value, p *syntax.ParamExp) value {
	arg := w.textOf(p.Exp.Word)
	if !v.known && isDefault(p.Exp.Op) {
		w.defaulted = true
		if w.defaults {
			return arg
		}
	}
	if !v.known || v.array {
		return value{}
	}
	plain := arg.known && !strings.ContainsAny(arg.text, `*?[\`)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		_, set := w.st.vars[p.Param.Value]
		if v.text != "" || set && (p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.AssignUnset) {
			return v
		}
		if (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) && syntax.ValidName(p.Param.Value) {
			w.set(p.Param.Value, arg)
		}
		return arg
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if v.text != "" {
			return arg
		}
		return value{known: p.Exp.Op == syntax.AlternateUnsetOrNull}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return value{text: strings.TrimPrefix(v.text, arg.text), known: plain}
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return value{text: strings.TrimSuffix(v.text, arg.text), known: plain}
	case syntax.UpperAll:
		return value{text: strings.ToUpper(v.text), known: arg.known && arg.text == ""}
	case syntax.LowerAll:
		return value{text: strings.ToLower(v.text), known: arg.known && arg.text == ""}
	}
	return value{}
}

// isDefault reports whether an operator gives a value to a variable that has
// none.
func isDefault(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}
