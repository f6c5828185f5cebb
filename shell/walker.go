package shell

// The walker: one pass over the syntax tree in the order a shell would run it.

import (
	"fmt"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

type note struct {
	code, text string
	span       assent.Span
}

type walker struct {
	out    Script
	home   string
	src    string       // the text being walked
	at     *assent.Span // where the code came from, while a text inside the text is walked
	st     *state
	seen   map[note]bool
	here   assent.Span // the statement being walked
	frame  frame
	decl   []*function
	stack  []activation // functions being walked
	depth  int
	steps  int
	edits  int // how often the state was written to
	nested int // bytes of inner texts
	pipes  int
	apart  int             // how many processes deep: in the background, or in a pipe
	blind  bool            // no variable is known any more
	odd    map[string]bool // variables whose assignments mean something else

	full      bool // a limit was reached: nothing more is walked
	most      int  // commands that are allowed
	mostSteps int
	more      int // commands that were allowed past the limit

	drafts    map[string]string // of words that are not known, by their source
	subs      map[string]input  // what can be read from <(…), by its source
	aliases   map[string]string // what the text has defined
	expanding []string          // aliases that are being walked
	traps     []trap
	defaults  bool // ${X:-y} of a variable that nobody set is y
	defaulted bool // there was one
}

// trap is code that runs later.
type trap struct {
	text string
	run  run
	st   *state // in which it was set
	span assent.Span
}

// frame is what commands take over from the statement around them.
type frame struct {
	pipe, stage int
	in          input
	redirs      []assent.Redirect
	via         []string
	far         bool // on another machine
}

func (w *walker) find(code, format string, args ...any) {
	n := note{code, fmt.Sprintf(format, args...), w.here}
	if w.seen[n] {
		return
	}
	if w.seen == nil {
		w.seen = map[note]bool{}
	}
	w.seen[n] = true
	w.out.Findings = append(w.out.Findings, assent.Finding{By: by, Code: code, Note: n.text, Span: n.span})
}

func (w *walker) limit(format string, args ...any) {
	if !w.full && w.more == 0 {
		w.find(Limit, format, args...)
	}
	w.full = true
}

// partly says that a limit has cut something short, after which more is walked.
func (w *walker) partly(format string, args ...any) { w.find(Limit, format, args...) }

// last walks the end of a list that a limit has cut short, with nothing known of
// what the rest has set.
func (w *walker) last(list []*syntax.Stmt) {
	if !w.full || w.more >= maxMore || len(list) == 0 {
		return
	}
	most, mostSteps := len(w.out.Commands)+maxMore-w.more, w.steps+maxMore*64
	w.more++
	before := len(w.out.Commands)
	w.full, w.most, w.mostSteps = false, most, mostSteps
	w.subshell(func() {
		w.lose()
		for _, s := range list[max(0, len(list)-maxLast):] {
			w.stmt(s)
		}
	})
	w.more += len(w.out.Commands) - before
	w.full = true
}

// step counts work and reports whether there may be more.
func (w *walker) step() bool {
	w.steps++
	if w.steps > w.mostSteps {
		w.limit("The command does more than can be followed in the time there is.")
	}
	return !w.full
}

// enter goes one level deeper, unless that is too deep.
func (w *walker) enter() bool {
	if w.depth >= MaxDepth {
		w.limit("The command is nested too deeply and was not followed to its end.")
		return false
	}
	w.depth++
	return w.step()
}

func (w *walker) leave() { w.depth-- }

func (w *walker) span(n syntax.Node) assent.Span {
	if w.at != nil {
		return *w.at
	}
	return assent.Span{From: min(int(n.Pos().Offset()), len(w.src)), To: min(int(n.End().Offset()), len(w.src))}
}

func (w *walker) slice(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.src) || from > to {
		return ""
	}
	return w.src[from:to]
}

// code walks a text that is found inside the text and is code itself.
func (w *walker) code(text string, via string) { w.inner(text, via, w.text) }

// inner has walk go through a text that is found inside the text.
func (w *walker) inner(text, via string, walk func(text string)) {
	w.nested += len(text)
	if w.nested > MaxNested {
		w.limit("The texts inside the command that are code add up to more than %d bytes.", MaxNested)
		return
	}
	if !w.enter() {
		return
	}
	defer w.leave()
	at, fr := w.at, w.frame
	here := w.here
	w.at = &here
	if via != "" {
		w.frame.via = append(w.frame.via[:len(w.frame.via):len(w.frame.via)], via)
	}
	walk(text)
	w.at, w.frame, w.here = at, fr, here
}

// subshell walks in a copy of the state.
func (w *walker) subshell(walk func()) {
	saved := w.save()
	walk()
	w.st = saved
}

// uncalled walks the functions that the text declares and never calls: a caller
// may still be elsewhere.
func (w *walker) uncalled() {
	for i := 0; i < len(w.decl) && !w.full; i++ {
		if f := w.decl[i]; !f.called {
			w.subshell(func() {
				st := w.edit()
				st.params, st.open = nil, true
				w.invoke(f, "")
			})
		}
	}
}

// activation is a function being walked, and what was known when it was called.
type activation struct {
	f     *function
	st    *state
	apart int
}

// maxRecursion is how often one function is followed inside itself.
const maxRecursion = 16

// again reports whether f is being walked already with nothing new to know.
func (w *walker) again(f *function, name string) bool {
	n := 0
	for _, a := range w.stack {
		if a.f != f {
			continue
		}
		if n++; a.st.open == w.st.open && slices.Equal(a.st.params, w.st.params) && a.st.dir == w.st.dir && sameVars(a.st.vars, w.st.vars) {
			w.endless(a, name)
			return true
		}
	}
	if n >= maxRecursion {
		w.limit("A function calls itself more than %d times, each time otherwise.", maxRecursion)
	}
	return w.full
}

// invoke walks a function's body.
func (w *walker) invoke(f *function, name string) {
	if w.again(f, name) {
		return
	}
	if !w.enter() {
		return
	}
	defer w.leave()
	f.called = true
	src, fr, at := w.src, w.frame, w.at
	w.src = f.src
	if w.at == nil {
		w.at = f.at
	}
	w.stack = append(w.stack, activation{f, w.save(), w.apart})
	if name != "" {
		w.frame.via = append(w.frame.via[:len(w.frame.via):len(w.frame.via)], name+"()")
	}
	w.stmt(f.body)
	w.stack = w.stack[:len(w.stack)-1]
	w.src, w.frame, w.at = src, fr, at
}
