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
// them count. Those that ask for options or operands as well add to them. A
// "looks" that asks for an option takes the place of all that ask for none, and
// one that asks for operands the place of those that ask for nothing; but only of
// what names no more subcommands than it does. A "dry" takes the place of all, but
// one that asks for an option not of an option that has code run, and one that
// asks for "--help" not of a subcommand that runs what is named after it.
func (p *Program) Facts(a Arguments) (facts []Fact, known bool) {
	var room [16]*rule
	fit := p.fitting(&a, room[:0])
	best, tries, helps := -1, false, true
	var looked [3]int // by what a "looks" asks for: the most subcommands, and one more
	for _, r := range fit {
		switch {
		case r.code == dry && r.asks != options:
			return nil, true
		case r.code == dry:
			tries, helps = true, helps && r.helps(&a)
		case r.asks == nothing:
			best = max(best, r.weight)
		case r.code == looks:
			looked[r.asks] = max(looked[r.asks], r.weight+1)
		}
	}
	for _, r := range fit {
		if r.code == dry || tries && !r.runsAnyway(&a, helps) {
			continue
		}
		base := r.asks == nothing && (r.weight < best || r.weight < looked[operands])
		if r.code != looks && !base && (r.asks == options || r.weight >= looked[options]) {
			words, _ := r.fits(&a)
			facts = append(facts, Fact{r.code, r.note, words})
		}
	}
	return facts, len(fit) > 0
}

// runsAnyway reports whether code runs by a rule although an option asks for a
// trial, or for help: an option names it, or it stands after a subcommand and may
// be asked for the help itself ("run x --help").
func (r *rule) runsAnyway(a *Arguments, helps bool) bool {
	if !strings.HasPrefix(r.code, "code.") && !has("vcs.exec net.run persist", r.code) {
		return false
	}
	return r.asks == options || helps && len(r.words) > 0 && len(a.Operands) > r.weight
}

// helps reports whether what a "dry" asks for is help, or a version.
func (r *rule) helps(a *Arguments) bool {
	for i := range a.Options {
		o := &a.Options[i]
		for j := range r.given {
			if r.given[j].has(o) && !o.named("-h -v -V -? --help --version") {
				return false
			}
		}
	}
	return true
}

// fitting appends the rules that fit to fit. Only those that may begin with the
// first operand are looked at.
func (p *Program) fitting(a *Arguments, fit []*rule) []*rule {
	lists := [2][]*rule{nil, p.free}
	if len(a.Operands) > 0 && a.Operands[0].Known {
		lists[0] = p.first[a.Operands[0].Value]
	}
	for _, list := range lists {
		for _, r := range list {
			if r.suits(a) {
				fit = append(fit, r)
			}
		}
	}
	return fit
}

// doubtful are options that in most programs do more than look.
const doubtful = "output out outfile output-file output-dir outdir out-dir exec execute command write in-place inplace fix autofix delete remove force save install uninstall upload overwrite update upgrade apply edit editor pager open-files-in-pager export download output-document"

// Doubt returns an option of which nothing is known: one that the program is not
// known to have, if its options are; if not, one that in most programs does more
// than look. An argument that is not known, and may be an option, is one in
// programs that have options of whom it would matter. Empty is no doubt.
func (p *Program) Doubt(a Arguments) string {
	known := p.options(&a)
	for i := range a.Options {
		o := &a.Options[i]
		if !o.other && p.doubts(o, known) {
			dashes := "--"
			if len(o.Name) == 1 || p.long {
				dashes = "-"
			}
			return strings.ToValidUTF8(dashes+o.Name, "?")
		}
	}
	for _, w := range a.Operands {
		if !w.Known && mayBeOption(w) && p.more {
			return w.Text
		}
	}
	return ""
}

// doubts reports whether an option is a doubt.
func (p *Program) doubts(o *Option, known vocabulary) bool {
	switch {
	case o.open:
		return p.more
	case known != nil:
		return !known.have(o.Name)
	}
	return len(o.Name) > 1 && has(doubtful, o.Name) && !p.fine[o.Name] && !p.mentions(o.Name)
}

// mentions reports whether a rule speaks of an option.
func (p *Program) mentions(name string) bool {
	for wanted := range p.speaks {
		if (&Option{Name: name}).is(wanted) {
			return true
		}
	}
	return false
}

// mayBeOption reports whether a word that is not known may begin with a dash. What
// xargs or find put in its place are names of files.
func mayBeOption(w assent.Word) bool {
	return w.Text != "{}" && (w.Value == "" || strings.HasPrefix(w.Value, "-"))
}
