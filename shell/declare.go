package shell

// Declarations: export, declare, local, readonly, and the attributes they give
// to variables.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// declare carries out a declaration. A variable with an attribute that changes
// what assigning means (-i, -u, -r …) is not known from then on.
func (w *walker) declare(c *syntax.DeclClause, redirs []assent.Redirect) {
	w.declared(c, redirs)
	kind := c.Variant.Value
	odd := kind == "readonly"
	export := kind == "export"
	computes := kind == "nameref"        // the values are numbers, or names
	values := make([]value, len(c.Args)) // all are made before the first is assigned
	for i, a := range c.Args {
		values[i] = w.declaredValue(a.Value)
	}
	for i, a := range c.Args {
		if a.Name == nil {
			w.hidden(a)
			flags := w.textOf(a.Value)
			w.names(kind, []assent.Word{w.asWord(a.Value, flags)})
			computes = computes || strings.HasPrefix(flags.text, "-") && strings.ContainsAny(flags.text, "in")
			odd = odd || !flags.known || strings.ContainsAny(flags.text, "iulcrtIp")
			export = export || strings.Contains(flags.text, "x")
			if !flags.known || strings.Contains(flags.text, "n") || kind == "nameref" {
				w.blind = true // a name that stands for another: any may change
			}
			continue
		}
		if kind == "local" && len(w.stack) == 0 {
			w.hidden(a) // it fails outside of functions
			continue
		}
		w.hidden(a)
		w.assignValue(a, values[i])
		if computes {
			w.number(values[i].text, kind, 0)
		}
		if name := a.Name.Value; has(prompts, name) || name == "PROMPT_COMMAND" {
			w.environment([]assent.Assign{{Name: name, Value: w.asWord(a.Value, values[i])}})
		}
		if odd {
			w.attribute(a.Name.Value)
		}
		if export {
			w.export(a.Name.Value)
		}
	}
}

// declared emits a declaration as the command that it is: export NAME=value.
func (w *walker) declared(c *syntax.DeclClause, redirs []assent.Redirect) {
	kind := c.Variant.Value
	words := []assent.Word{{Text: kind, Value: kind, Known: true}}
	for _, a := range c.Args {
		v := w.textOf(a.Value)
		if a.Name == nil {
			words = append(words, w.asWord(a.Value, v))
			continue
		}
		x := assent.Word{Text: w.slice(a), Value: a.Name.Value, Known: true}
		if !a.Naked && a.Array == nil {
			x.Value, x.Known = a.Name.Value+"="+v.text, v.known
		}
		words = append(words, x)
	}
	w.emit(run{words: words, redirs: redirs, dir: w.st.dir})
}

// declaredValue is a value in a declaration. There braces are expanded, and the
// last of the words counts.
func (w *walker) declaredValue(x *syntax.Word) value {
	if x == nil || opened(x) == 0 {
		return w.textOf(x)
	}
	words := w.expand(nil, x)
	if len(words) == 0 {
		return value{}
	}
	last := words[len(words)-1]
	return value{text: last.Value, known: last.Known}
}

// attribute makes a variable's value unknown for good, unless it is read-only
// from its first value on.
func (w *walker) attribute(name string) {
	if w.odd == nil {
		w.odd = map[string]bool{}
	}
	w.odd[name] = true
	w.forget(name)
}

// export notes a variable as part of the environment.
func (w *walker) export(name string) {
	v := w.lookup(name)
	st := w.edit()
	st.exports = append(st.exports, assent.Assign{Name: name, Value: assent.Word{Text: v.text, Value: v.text, Known: v.known}})
}

// locals lists the variables that a function's body declares for itself.
func (w *walker) locals(body *syntax.Stmt) []string {
	var names []string
	w.visit(body, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.DeclClause); ok {
			for _, a := range d.Args {
				if a.Name != nil {
					names = append(names, a.Name.Value)
				}
			}
		}
		return true
	})
	return names
}
