package shell

// Conditions, loops, and functions.

import (
	"mvdan.cc/sh/v3/syntax"

	"assent"
)

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
		w.ahead(c)
		w.forget(w.assigned(c)...)
		w.maybe(func() { w.stmts(c.Do) })
		return
	}
	items, known := w.fields(it.Items), syntax.ValidName(it.Name.Value)
	if !it.InPos.IsValid() {
		items, known = []assent.Word{{}}, false
	}
	for _, item := range items {
		known = known && item.Known && !hasGlob(item.Value)
	}
	if known && len(items) <= maxRounds && !w.jumps(c) {
		for _, item := range items {
			w.set(it.Name.Value, value{text: item.Value, known: true})
			w.given(it.Name.Value, value{text: item.Value, known: true})
			w.stmts(c.Do)
		}
		return
	}
	w.ahead(c)
	w.forget(w.assigned(c)...)
	if syntax.ValidName(it.Name.Value) {
		w.set(it.Name.Value, value{text: commonStart(items)})
		w.given(it.Name.Value, value{text: commonStart(items)})
	}
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
	f := &function{body: c.Body, src: w.src, at: w.at, bomb: bombs(c)}
	w.decl = append(w.decl, f)
	st := w.edit()
	if st.funcs == nil {
		st.funcs = map[string]binding{}
	}
	st.funcs[c.Name.Value] = binding{bodies: []*function{f}}
	w.emit(run{words: []assent.Word{{Text: "function", Value: "function", Known: true}, {Text: c.Name.Value, Value: c.Name.Value, Known: true}}, dir: st.dir})
	if f.bomb {
		w.find(ForkBomb, "The function %s starts itself again and again until the machine stops.", c.Name.Value)
	}
}
