package analyze

// Calls: which functions a text in another language calls, with what arguments.

import (
	"strings"

	"assent"
)

// invocation is one call of a function.
type invocation struct {
	name string      // with what it is a member of: os.path.join; "()" = what another call returns
	recv assent.Word // of a method of what a call returns: the first argument of that call
	args [][]token
	then bool // what it returns is called at once
}

// parsing goes over the tokens of a text.
type parsing struct {
	lang    *language
	tokens  []token
	aliases map[string]string      // names that stand for modules, or functions of them
	values  map[string]assent.Word // variables that are set once, to a text
	spoilt  map[string]bool        // variables that are set more than once
	left    *int                   // tokens that may still be gone over, by all parsings of one text
}

// maxWork is how many tokens of one text are gone over, each as often as it is.
const maxWork = 200_000

// work counts tokens that are gone over and reports whether there may be more.
func (p *parsing) work(n int) bool {
	*p.left -= n + 1
	return *p.left > 0
}

// inner is a parsing of some tokens of the same text.
func (p *parsing) inner(tokens []token) *parsing {
	q := *p
	q.tokens = tokens
	return &q
}

// calls goes over the text and calls f for every call in it, and for every name
// that is no call.
func (p *parsing) calls(f func(invocation), other func(name string)) {
	for i := 0; i < len(p.tokens) && p.work(1); i++ {
		if p.tokens[i].kind != nameToken {
			continue
		}
		name, end := p.chain(i)
		before := p.receiver(i)
		first := end
		if end < len(p.tokens) && p.is(end, "(") {
			n := p.match(end, "(", ")")
			in := p.invocation(name, before, p.split(p.tokens[end+1:max(end+1, n-1)]))
			in.then = p.is(n, "(")
			f(in)
			i = first - 1
			continue
		}
		if args, ok := p.open(name, end); ok {
			f(p.invocation(name, before, args))
		} else if before < 0 {
			other(p.resolved(name))
		}
		i = first - 1
	}
}

// chain reads a name and the members after it, and returns where it ends.
func (p *parsing) chain(i int) (string, int) {
	name := p.tokens[i].text
	i++
	for {
		n := p.dot(i)
		if n == 0 || i+n >= len(p.tokens) || p.tokens[i+n].kind != nameToken {
			return name, i
		}
		name += "." + p.tokens[i+n].text
		i += n + 1
	}
}

// dot is the length of what stands between a name and its member, 0 when
// nothing does.
func (p *parsing) dot(i int) int {
	switch {
	case p.is(i, ".") && !p.is(i+1, "."):
		return 1
	case p.is(i, ":") && p.is(i+1, ":"), p.is(i, "-") && p.is(i+1, ">"), p.is(i, "?") && p.is(i+1, "."):
		return 2
	}
	return 0
}

func (p *parsing) is(i int, mark string) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].kind == markToken && p.tokens[i].text == mark
}

// receiver returns where the call begins whose result the name at i is a member
// of, -1 when it is none.
func (p *parsing) receiver(i int) int {
	switch {
	case p.is(i-1, ".") && p.is(i-2, ")"):
		i -= 2
	case p.is(i-1, ">") && p.is(i-2, "-") && p.is(i-3, ")"):
		i -= 3
	default:
		return -1
	}
	depth := 0
	defer func(from int) { p.work(from - i) }(i)
	for ; i >= 0 && *p.left > 0; i-- {
		if p.is(i, ")") {
			depth++
		} else if p.is(i, "(") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// invocation makes a call of a name; before is where the call begins that
// it is a method of.
func (p *parsing) invocation(name string, before int, args [][]token) invocation {
	in := invocation{name: p.resolved(name), args: args}
	if before < 0 {
		return in
	}
	in.name = "()." + name
	in.recv = p.received(before)
	if before > 0 && (p.tokens[before-1].text == "__import__" || p.tokens[before-1].text == "require" || p.tokens[before-1].text == "import_module") && in.recv.Known {
		in.name = strings.TrimPrefix(in.recv.Value, "node:") + "." + name
	}
	return in
}

// received is the first argument of the call whose arguments begin at i; of a
// call without any, that of the call that it is a method of.
func (p *parsing) received(i int) assent.Word {
	if args := p.split(p.tokens[i+1 : max(i+1, p.match(i, "(", ")")-1)]); len(args) > 0 {
		return p.value(args[0])
	}
	if before := p.receiver(i - 1); before >= 0 && before < i {
		return p.received(before)
	}
	return assent.Word{}
}

// resolved puts what an alias stands for in its place.
func (p *parsing) resolved(name string) string {
	first, rest, more := strings.Cut(name, ".")
	if full, ok := p.aliases[first]; ok {
		first = full
	}
	if more {
		return first + "." + rest
	}
	return first
}

// match is where what begins with a bracket at i ends.
func (p *parsing) match(i int, open, shut string) int {
	depth := 0
	defer func(from int) { p.work(i - from) }(i)
	for ; i < len(p.tokens) && *p.left > 0; i++ {
		if p.is(i, open) {
			depth++
		} else if p.is(i, shut) {
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(p.tokens)
}

// open reads the arguments of a call without brackets, in languages that have
// them.
func (p *parsing) open(name string, i int) ([][]token, bool) {
	if !p.lang.openCalls || i >= len(p.tokens) || !p.lang.knows(p.resolved(name)) {
		return nil, false
	}
	from := i
	depth := 0
	for ; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.kind == endToken || t.kind == nameToken && depth == 0 && strings.Contains(" if unless while until and or do then for foreach ", " "+t.text+" ") {
			break
		}
		if t.kind == markToken && strings.Contains("([{", t.text) {
			depth++
		} else if t.kind == markToken && strings.Contains(")]}", t.text) {
			if depth--; depth < 0 {
				break
			}
		}
	}
	if i == from || p.is(from, "=") && !p.is(from+1, "=") {
		return nil, i == from
	}
	return p.split(p.tokens[from:i]), true
}

// split cuts tokens at the commas that are in no bracket.
func (p *parsing) split(tokens []token) [][]token {
	if !p.work(len(tokens)) {
		return nil
	}
	var out [][]token
	depth, from := 0, 0
	for i, t := range tokens {
		if t.kind != markToken {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, tokens[from:i])
				from = i + 1
			}
		}
	}
	if from < len(tokens) {
		out = append(out, tokens[from:])
	}
	return out
}
