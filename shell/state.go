package shell

// What a shell would know at one point of the text: directory, variables,
// functions, positional parameters.

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// value is a variable's value. When not known, text is the literal start that
// it is known to have.
type value struct {
	text  string
	known bool
	list  []string // of an array
	array bool
}

func (v value) same(o value) bool {
	return v.known && o.known && v.text == o.text && v.array == o.array && slices.Equal(v.list, o.list)
}

type function struct {
	body   *syntax.Stmt
	src    string       // the text that it was declared in
	at     *assent.Span // where that text came from
	called bool
	bomb   bool
}

// binding is what a name of a function stands for: one of the bodies, or, when
// it is not sure, what the name stands for without it.
type binding struct {
	bodies []*function
	unsure bool
}

// state is copied when it is frozen and then written to, so that keeping one is
// free.
type state struct {
	dir     string
	vars    map[string]value
	funcs   map[string]binding
	exports []assent.Assign
	params  []string // $1 …
	open    bool     // the parameters cannot be known
	frozen  bool
}

// save returns the state as it is now.
func (w *walker) save() *state {
	w.st.frozen = true
	return w.st
}

// edit returns the state for writing.
func (w *walker) edit() *state {
	w.edits++
	if w.st.frozen {
		st := *w.st
		st.frozen = false
		w.steps += len(st.vars) + len(st.funcs)
		st.vars, st.funcs = maps.Clone(st.vars), maps.Clone(st.funcs)
		st.exports = slices.Clip(st.exports)
		w.st = &st
	}
	return w.st
}

func (w *walker) set(name string, v value) {
	st := w.edit()
	if st.vars == nil {
		st.vars = map[string]value{}
	}
	st.vars[name] = v
}

// forget makes variables unknown.
func (w *walker) forget(names ...string) {
	for _, name := range names {
		w.set(name, value{})
	}
}

// lose makes everything unknown that the text may have set.
func (w *walker) lose() {
	st := w.edit()
	for name := range st.vars {
		st.vars[name] = value{}
	}
	st.dir, st.params, st.open = "", nil, true
}

// join is what is known when either a or b may be the state.
func (w *walker) join(a, b *state) *state {
	if a == b {
		return a
	}
	w.steps += len(a.vars) + len(b.vars)
	w.edits++
	j := *b
	j.frozen = false
	if a.dir != b.dir {
		j.dir = ""
	}
	j.vars = joinVars(a.vars, b.vars)
	j.funcs = joinFuncs(a.funcs, b.funcs)
	if len(a.exports) > len(b.exports) {
		j.exports = a.exports
	}
	j.exports = slices.Clip(j.exports)
	if a.open || !slices.Equal(a.params, b.params) {
		j.params, j.open = nil, true
	}
	return &j
}

func sameVars(a, b map[string]value) bool {
	return maps.EqualFunc(a, b, func(v, o value) bool { return v.same(o) || !v.known && !o.known })
}

func joinFuncs(a, b map[string]binding) map[string]binding {
	if len(a)+len(b) == 0 {
		return nil
	}
	j := make(map[string]binding, len(a))
	for name, x := range a {
		y, ok := b[name]
		x.unsure = x.unsure || y.unsure || !ok
		for _, f := range y.bodies {
			if !slices.Contains(x.bodies, f) {
				x.bodies = append(x.bodies[:len(x.bodies):len(x.bodies)], f)
			}
		}
		j[name] = x
	}
	for name, y := range b {
		if _, ok := a[name]; !ok {
			y.unsure = true
			j[name] = y
		}
	}
	return j
}

func joinVars(a, b map[string]value) map[string]value {
	if len(a)+len(b) == 0 {
		return nil
	}
	j := make(map[string]value, len(a))
	for name, v := range a {
		if o, ok := b[name]; !ok || !v.same(o) {
			v = value{}
		}
		j[name] = v
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			j[name] = value{}
		}
	}
	return j
}

// lookup returns a variable's value: what the text set, or what is the same in
// every shell. Variables of the environment are not known.
func (w *walker) lookup(name string) value {
	if w.blind {
		return value{}
	}
	if v, ok := w.st.vars[name]; ok {
		return v
	}
	switch name {
	case "HOME":
		return value{text: w.home, known: true}
	case "PWD":
		return value{text: w.st.dir, known: w.st.dir != ""}
	case "IFS":
		return value{text: " \t\n", known: true}
	case "@", "*":
		return value{list: w.st.params, array: true, known: !w.st.open}
	}
	if len(name) == 1 && name[0] >= '1' && name[0] <= '9' {
		n := int(name[0] - '1')
		if n < len(w.st.params) {
			return value{text: w.st.params[n], known: true}
		}
		return value{known: !w.st.open}
	}
	return value{}
}
