package analyze

// awk programs: the commands they start, the files and hosts they reach.

import (
	"strings"

	"assent"
	"assent/programs"
)

var awkDialect = dialect{line: "#", raw: "'", slashes: true}

// awkSnippets returns the program that a call of awk is given.
func awkSnippets(cmd assent.Command) []snippet {
	a := programs.Read(cmd)
	if a.Option("--version --help -V -h") && len(a.Operands) == 0 {
		return nil
	}
	var out []snippet
	for _, w := range a.Values("e source") {
		out = append(out, snippet{text: w, read: observeAwk, filter: true})
	}
	if len(out) == 0 && !a.Option("-f --file -E --exec") && len(a.Operands) > 0 {
		out = append(out, snippet{text: a.Operands[0], read: observeAwk, filter: true})
	}
	return out
}

// observeAwk returns what an awk program does.
func observeAwk(text string) effects {
	tokens, whole := lex(text, awkDialect)
	e := effects{unclear: !whole}
	p := parse(&awkLanguage, tokens)
	for i, t := range tokens {
		switch {
		case t.kind == nameToken && t.text == "system" && p.is(i+1, "("):
			e.texts = append(e.texts, p.awkValue(i+2, p.match(i+1, "(", ")")-1))
		case t.kind == markToken && t.text == "|" && !p.is(i+1, "|") && !p.is(i-1, "|"):
			if i+1 < len(tokens) && tokens[i+1].text == "getline" || p.is(i+1, "&") {
				e.texts = append(e.texts, p.awkBefore(i))
			} else {
				e.texts = append(e.texts, p.awkValue(i+1, p.statementEnd(i+1)))
			}
		case t.kind == markToken && t.text == ">" && p.prints(i):
			from := i + 1
			if p.is(from, ">") {
				continue // the second one of >>
			}
			e.writes(p.awkValue(from, p.statementEnd(from)))
		case t.kind == markToken && t.text == "<" && p.getline(i):
			e.act("cat", p.awkValue(i+1, min(len(tokens), i+2)))
		case t.kind == markToken && t.text == "@" && i+1 < len(tokens) && (tokens[i+1].text == "load" || tokens[i+1].text == "include"):
			e.unclear = true
		case t.kind == textToken && strings.HasPrefix(t.text, "/inet"):
			e.say("net.shell", "It opens a network connection from an awk program.")
		case t.kind == nameToken && t.text == "ENVIRON" && !p.is(i+1, "["):
			e.say("secret.env", "It reads the whole environment, in which secrets are often kept.")
		}
	}
	return e
}

var awkLanguage = language{name: "awk"}

// writes takes in a file that is written.
func (e *effects) writes(w assent.Word) {
	if !w.Known || !harmless(w.Value) {
		e.act("tee", w)
	}
}

// awkValue is the text that stands between two tokens; texts side by side are
// joined.
func (p *parsing) awkValue(from, to int) assent.Word {
	if from >= to || from >= len(p.tokens) {
		return assent.Word{Text: "$_"}
	}
	return p.value(p.tokens[from:min(to, len(p.tokens))])
}

// awkBefore is the text right before a pipe.
func (p *parsing) awkBefore(i int) assent.Word {
	if i == 0 {
		return assent.Word{Text: "$_"}
	}
	from := i - 1
	for from > 0 && p.tokens[from-1].kind == textToken {
		from--
	}
	return p.awkValue(from, i)
}

// prints reports whether the ">" at i is that of a print, not a comparison.
func (p *parsing) prints(i int) bool {
	depth := 0
	for i--; i >= 0; i-- {
		t := p.tokens[i]
		switch {
		case t.kind == markToken && (t.text == ")" || t.text == "]"):
			depth++
		case t.kind == markToken && (t.text == "(" || t.text == "["):
			if depth--; depth < 0 {
				return false
			}
		case t.kind == endToken || t.kind == markToken && depth == 0 && (t.text == "{" || t.text == "}"):
			return false
		case t.kind == nameToken && depth == 0 && (t.text == "print" || t.text == "printf"):
			return true
		}
	}
	return false
}

// getline reports whether the "<" at i feeds a getline.
func (p *parsing) getline(i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if p.tokens[k].text == "getline" {
			return true
		}
	}
	return false
}

// statementEnd is where the statement ends that goes on at i.
func (p *parsing) statementEnd(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.kind == endToken {
			return i
		}
		if t.kind != markToken {
			continue
		}
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "}":
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
