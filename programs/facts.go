package programs

// Facts: what an invocation does, by the rules that fit.

import (
	"strings"

	"assent"
)

// Facts returns what an invocation does. No facts and true: it only looks. False
// is for what nothing is known of: the facts may not be all.
//
// Of the rules that ask for nothing but subcommands, those that name the most of
// them count. Those that ask for options or operands as well add to them; such a
// "looks" takes the place of the former, and a "dry" that of everything.
func (p *Program) Facts(a Arguments) (facts []Fact, known bool) {
	best, instead := -1, -1
	for i := range p.rules {
		r := &p.rules[i]
		if !r.fits(a) {
			continue
		}
		known = true
		switch {
		case r.code == dry:
			return nil, true
		case r.bare():
			best = max(best, r.weight())
		case r.code == looks:
			instead = max(instead, r.weight())
		}
	}
	for i := range p.rules {
		r := &p.rules[i]
		base := r.bare()
		if r.code == looks || base && (r.weight() < best || instead >= best) || !r.fits(a) {
			continue
		}
		facts = append(facts, Fact{r.code, r.note, len(r.words)})
	}
	return facts, known
}

// doubtful are options that in most programs do more than look.
const doubtful = "output out outfile output-file output-dir outdir out-dir exec execute command write in-place inplace fix autofix delete remove force save install uninstall upload overwrite update upgrade apply edit editor pager open-files-in-pager export download output-document"

// Doubt returns an option that in most programs does more than look, and of
// which nothing is known in this one. An argument that is not known, and may be
// an option, is one in programs that have options of whom it would matter. Empty
// is no doubt.
func (p *Program) Doubt(a Arguments) string {
	for _, o := range a.Options {
		if len(o.Name) > 1 && has(doubtful, o.Name) && !has(p.fine, o.Name) && !p.mentions(o.Name) {
			return "--" + o.Name
		}
	}
	for _, w := range a.Operands {
		if !w.Known && mayBeOption(w) && p.optional() {
			return w.Text
		}
	}
	return ""
}

// mentions reports whether a rule speaks of an option.
func (p *Program) mentions(name string) bool {
	for i := range p.rules {
		for _, c := range p.rules[i].given {
			if (Option{Name: name}).named(c.names) {
				return true
			}
		}
	}
	return false
}

// optional reports whether an option makes more of the program than a look.
func (p *Program) optional() bool {
	for i := range p.rules {
		if r := &p.rules[i]; r.code != looks && r.code != dry && len(r.given) > 0 {
			return true
		}
	}
	return false
}

// mayBeOption reports whether a word that is not known may begin with a dash: it
// has no known start, and is not a whole in quotes with something before it.
func mayBeOption(w assent.Word) bool {
	return w.Value == "" || strings.HasPrefix(w.Value, "-")
}
