package programs

// The options that a program is known to have: any other is a doubt.

import "strings"

// list is the options of a program, or of one of its subcommands.
type list struct {
	of   rule // the subcommand: a pattern of nothing but words
	have set
	may  set // letters that take a value when it follows in the same argument
}

// number stands in a list for options that are numbers: "head -20".
const number = "NUM"

// listOf reads what follows "only": "-a --bc", or "remote show: -a --bc".
func listOf(text string) list {
	of, options := ofWhich(text)
	l := list{of: newRule(looks, strings.Fields(of), ""), have: set{}, may: set{}}
	for o := range strings.FieldsSeq(options) {
		o, may := strings.CutSuffix(o, "=")
		l.have.add(o)
		if may {
			l.may.add(o)
		}
	}
	return l
}

// ofWhich splits the subcommand from a list of options, if it names one.
func ofWhich(text string) (of, options string) {
	if of, options, ok := strings.Cut(text+" ", ": "); ok && !strings.HasPrefix(of, "-") {
		return of, options
	}
	return "", text
}

// vocabulary is the sets of options that an invocation may choose from. Without
// one, it may choose any.
type vocabulary []set

// options are those that the program has in an invocation that gives some.
func (p *Program) options(a *Arguments) vocabulary {
	var v vocabulary
	if len(a.Options) == 0 {
		return nil
	}
	for i := range p.only {
		if p.only[i].of.suits(a) {
			v = append(v, p.only[i].have)
		}
	}
	if v != nil {
		v = append(v, p.knows, p.may)
	}
	return v
}

// letters are those that take a value in the same argument by what is listed of
// the subcommand.
func (p *Program) letters(a *Arguments) (v vocabulary) {
	for i := range p.only {
		if l := &p.only[i]; len(l.may) > 0 && l.of.suits(a) {
			v = append(v, l.may)
		}
	}
	return v
}

// have reports whether an option is one of them: by its name, by the name after
// "no-", as a number, or cut short so that only one begins like it. Every program
// may be asked for its help and its version.
func (v vocabulary) have(name string) bool {
	positive, no := strings.CutPrefix(name, "no-")
	switch {
	case v.name(name), no && v.name(positive), name == "help", name == "version":
		return true
	case strings.Trim(name, "0123456789") == "":
		return v.name(number)
	}
	return len(name) > 2 && v.begin(name)
}

func (v vocabulary) name(name string) bool {
	for _, s := range v {
		if s[name] {
			return true
		}
	}
	return false
}

// begin reports whether one option, and no other, begins like this.
func (v vocabulary) begin(short string) bool {
	found := ""
	for _, s := range v {
		for name := range s {
			if strings.HasPrefix(name, short) && name != found {
				if found != "" {
					return false
				}
				found = name
			}
		}
	}
	return found != ""
}
