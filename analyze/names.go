package analyze

// Names in code: what modules and variables are called.

import (
	"strings"

	"assent"
)

// parse makes a parsing of the tokens of a whole text.
func parse(lang *language, tokens []token) *parsing {
	left := maxWork
	p := &parsing{lang: lang, tokens: tokens, aliases: map[string]string{}, values: map[string]assent.Word{}, spoilt: map[string]bool{}, left: &left}
	p.learn()
	return p
}

// learn notes which names stand for modules, and which variables for texts.
func (p *parsing) learn() {
	for i, t := range p.tokens {
		if t.kind != nameToken || !p.work(1) {
			continue
		}
		switch {
		case t.text == "import" && p.lang.name == "python":
			p.imports(i)
		case t.text == "require" && p.is(i+1, "(") && i+2 < len(p.tokens) && p.tokens[i+2].kind == textToken:
			p.requires(i, strings.TrimPrefix(p.tokens[i+2].text, "node:"))
		case t.text == "from" && p.lang.name == "javascript" && i+1 < len(p.tokens) && p.tokens[i+1].kind == textToken:
			p.requires(i+1, strings.TrimPrefix(p.tokens[i+1].text, "node:"))
		case p.is(i+1, "=") && !p.is(i+2, "=") && !p.is(i+2, ">") && !p.is(i-1, "."):
			p.assign(i)
		case (t.text == "for" || t.text == "def" || t.text == "function" || t.text == "lambda" || t.text == "as" || t.text == "my" || t.text == "our" || t.text == "catch") && i+1 < len(p.tokens):
			p.declares(i + 1)
		}
	}
}

// declares notes the names of a loop, a function and its arguments.
func (p *parsing) declares(i int) {
	for ; i < len(p.tokens); i++ {
		t := p.tokens[i]
		switch {
		case t.kind == nameToken && t.text != "in" && t.text != "of":
			p.spoilt[t.text] = true
		case t.kind == markToken && strings.Contains("(),*&", t.text):
		default:
			return
		}
	}
}

// assign notes a variable that is set to a text; one that is set again is not
// known.
func (p *parsing) assign(i int) {
	name := p.tokens[i].text
	end := i + 2
	depth := 0
	for ; end < len(p.tokens); end++ {
		t := p.tokens[end]
		if t.kind == endToken && depth == 0 || t.kind == markToken && depth == 0 && (t.text == "," || t.text == ")") {
			break
		}
		if t.kind == markToken && strings.Contains("([{", t.text) {
			depth++
		} else if t.kind == markToken && strings.Contains(")]}", t.text) {
			depth--
		}
	}
	p.work(end - i)
	w := p.value(p.tokens[i+2 : end])
	if _, again := p.values[name]; again || p.spoilt[name] || !w.Known {
		delete(p.values, name)
		p.spoilt[name] = true
		return
	}
	p.values[name] = w
}

// imports reads "import a, b as c" and "from a import b as c, d".
func (p *parsing) imports(i int) {
	module := ""
	start := i
	for start > 0 && p.tokens[start-1].kind != endToken {
		start--
	}
	if p.tokens[start].text == "from" && start < i {
		module, _ = p.chain(start + 1)
		module += "."
	}
	for j := i + 1; j < len(p.tokens) && p.tokens[j].kind != endToken; {
		if p.tokens[j].kind != nameToken {
			j++
			continue
		}
		name, end := p.chain(j)
		as := name
		if end+1 < len(p.tokens) && p.tokens[end].text == "as" {
			as, end = p.tokens[end+1].text, end+2
		}
		if as != name || module != "" {
			p.aliases[as] = module + name
		}
		j = end
	}
}

// requires reads "const x = require('m')", "const {a, b: c} = require('m')" and
// "import x from 'm'".
func (p *parsing) requires(i int, module string) {
	j := i - 1
	for j >= 0 && p.tokens[j].kind != endToken && (p.is(j, "=") || p.tokens[j].text == "from" || p.tokens[j].text == "await") {
		j--
	}
	switch {
	case j >= 0 && p.tokens[j].kind == nameToken && j < i-1:
		p.aliases[p.tokens[j].text] = module
		p.spoilt[p.tokens[j].text] = true
	case p.is(j, "}"):
		last := ""
		for j--; j >= 0 && !p.is(j, "{"); j-- {
			if p.tokens[j].kind != nameToken {
				continue
			}
			name := p.tokens[j].text
			switch {
			case p.is(j+1, ":") && last != "":
				p.aliases[last] = module + "." + name
			case name == "as":
			default:
				p.aliases[name] = module + "." + name
				last = name
			}
		}
	}
}
