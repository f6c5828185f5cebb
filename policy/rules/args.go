package rules

// Arguments: whether a command's fit the patterns of a rule. An allow wants all of
// them named, in their order. An ask or a deny holds when they may be meant.

import (
	"strings"

	"assent"
)

// named reports whether the patterns name every argument, in order. Only Rest
// takes what is not known, and only a pattern with a dash takes an option.
func named(want []Token, args []assent.Word) bool {
	at := 1 // bit i: the first i patterns have taken all arguments so far
	at = past(want, at)
	for _, w := range args {
		next := 0
		for i, t := range want {
			if at&(1<<i) == 0 {
				continue
			}
			switch {
			case t.Rest():
				next |= 1 << i
			case w.Known && t.takes(w.Value):
				next |= 1 << (i + 1)
			}
		}
		if at = past(want, next); at == 0 {
			return false
		}
	}
	return at&(1<<len(want)) != 0
}

// past adds the places that are reached because Rest may take nothing.
func past(want []Token, at int) int {
	for i, t := range want {
		if at&(1<<i) != 0 && t.Rest() {
			at |= 1 << (i + 1)
		}
	}
	return at
}

func (t Token) takes(arg string) bool {
	for _, p := range t {
		if fits(p, arg) && (dashed(p) || !dashed(arg)) {
			return true
		}
	}
	return false
}

// dashed reports whether a word is an option; a dash alone is not.
func dashed(s string) bool { return len(s) > 1 && s[0] == '-' }

// meant reports whether the arguments may be those that an ask or a deny speaks
// of: those patterns with a dash stand anywhere, the others in their order from
// the first operand on, and more may follow. Which options take a value is not
// asked: what follows one may be its value or an operand.
func meant(want []Token, args []assent.Word) bool {
	var operands []Token
	for _, t := range want {
		if !t.floats() {
			operands = append(operands, t)
		} else if !t.anywhere(args) {
			return false
		}
	}
	return inOrder(operands, args)
}

// floats reports whether the place of a pattern does not count.
func (t Token) floats() bool {
	for _, p := range t {
		if dashed(p) {
			return true
		}
	}
	return false
}

// inOrder matches operands from the first on.
func inOrder(want []Token, args []assent.Word) bool {
	at, gap := 1, 0 // gap: places from which any argument may be passed over
	for i, t := range want {
		if t.Rest() {
			gap |= 1 << i
		}
	}
	at = past(want, at)
	ended := false // by "--"
	for j, w := range args {
		if at&(1<<len(want)) != 0 {
			return true
		}
		option := !ended && dashed(w.Value) // also one of which only the start is known
		passes := option || j > 0 && !ended && dashed(args[j-1].Value) && !strings.Contains(args[j-1].Value, "=")
		if option && w.Value == "--" {
			ended = true
		}
		next := at & gap
		for i, t := range want {
			if at&(1<<i) == 0 || t.Rest() {
				continue
			}
			if passes {
				next |= 1 << i
			}
			if (!option || t.loose()) && t.may(w) {
				next |= 1 << (i + 1)
			}
		}
		at = past(want, next)
	}
	return at&(1<<len(want)) != 0
}

// loose reports whether a pattern begins with any text, which may be a dash.
func (t Token) loose() bool {
	for _, p := range t {
		if p != "*" && strings.HasPrefix(p, "*") {
			return true
		}
	}
	return false
}

// may reports whether an argument can be one of the alternatives. One of which
// nothing at all is known is only "*".
func (t Token) may(w assent.Word) bool {
	for _, p := range t {
		if p == "*" || (w.Known || w.Value != "") && glob(p, w.Value, !w.Known) {
			return true
		}
	}
	return false
}

// anywhere reports whether an argument can be one of the alternatives, wherever
// it stands.
func (t Token) anywhere(args []assent.Word) bool {
	for _, p := range t {
		if dashed(p) && optionGiven(p, args) || !dashed(p) && p != rest && anyArgument(p, args) {
			return true
		}
	}
	return false
}

func anyArgument(p string, args []assent.Word) bool {
	for _, w := range args {
		if !dashed(w.Value) && (Token{p}).may(w) {
			return true
		}
	}
	return false
}

// optionGiven reports whether an option may be given: as written, cut short
// (--forc), among letters that share a dash (-uf), or with its value apart.
func optionGiven(p string, args []assent.Word) bool {
	for i, w := range args {
		v := w.Value
		if v == "--" && w.Known {
			break
		}
		if !w.Known && v == "-" || dashed(v) && (glob(p, v, !w.Known) || sameOption(p, v) || apart(p, args[i:])) {
			return true
		}
	}
	return shared(p, args)
}

// sameOption compares the names of two options, of which the given one may be
// cut short.
func sameOption(p, given string) bool {
	name, _, _ := strings.Cut(given, "=")
	if strings.Contains(p, "=") {
		return false
	}
	if fits(p, name) {
		return true
	}
	literal := p
	if i := strings.IndexAny(p, "*?"); i >= 0 {
		literal = p[:i]
	}
	const least = len("--xy")
	return len(name) >= least && strings.HasPrefix(name, "--") && strings.HasPrefix(literal, name)
}

// apart reports whether --name=value is given as two arguments.
func apart(p string, args []assent.Word) bool {
	name, value, ok := strings.Cut(p, "=")
	return ok && len(args) > 1 && fits(name, args[0].Value) && Token{value}.may(args[1])
}

// shared reports whether every letter of a short option is given, alone or among
// others behind one dash.
func shared(p string, args []assent.Word) bool {
	letters := strings.TrimPrefix(p, "-")
	if strings.HasPrefix(letters, "-") || strings.ContainsFunc(letters, func(r rune) bool { return !isLetter(r) }) {
		return false
	}
	for i := range len(letters) {
		if !letterGiven(letters[i:i+1], args) {
			return false
		}
	}
	return true
}

func letterGiven(letter string, args []assent.Word) bool {
	for _, w := range args {
		v := w.Value
		if v == "--" && w.Known {
			return false
		}
		if !dashed(v) || v[1] == '-' {
			continue
		}
		end := strings.IndexFunc(v[1:], func(r rune) bool { return !isLetter(r) })
		if end < 0 {
			end = len(v) - 1
		}
		if strings.Contains(v[1:1+end], letter) {
			return true
		}
	}
	return false
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
