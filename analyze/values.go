package analyze

// Values: what the arguments of calls in another language are, where that can be
// told.

import (
	"strings"

	"assent"
)

// transparent calls give back the path or text that they are given.
const transparent = " Path PurePath PosixPath expanduser expandvars abspath realpath normpath resolve str String bytes encode decode URI URL parse File.expand_path expand_path fspath Pathname File normalize fileURLToPath "

// joining calls put slashes between their arguments.
const joining = " join path.join os.path.join File.join joinpath resolve Path PurePath "

// value is what tokens make of texts: known when there is nothing else in them.
// The home directory, however it is asked for, is "~".
func (p *parsing) value(tokens []token) assent.Word {
	v := valuing{p: p, known: true}
	v.all(tokens)
	text := v.text.String()
	if v.known {
		return assent.Word{Text: text, Value: text, Known: true}
	}
	start, _, _ := strings.Cut(text, "$_")
	return assent.Word{Text: text, Value: start}
}

// valuing collects a value.
type valuing struct {
	p     *parsing
	text  strings.Builder
	known bool
}

func (v *valuing) hole() {
	v.known = false
	v.text.WriteString("$_")
}

func (v *valuing) all(tokens []token) {
	inner := v.p.inner(tokens)
	if len(tokens) == 0 || !v.p.work(len(tokens)) {
		v.hole()
		return
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.kind == textToken || t.kind == numberToken:
			v.text.WriteString(t.text)
			if !t.known {
				v.hole()
			}
		case t.kind == nameToken:
			i = v.name(inner, i)
		case t.kind == markToken && t.text == "/" && v.p.lang.name == "python":
			v.text.WriteString("/")
		case t.kind == markToken && strings.Contains("+.(){}[]", t.text) || t.kind == endToken:
		default:
			v.hole()
		}
	}
}

// name takes in what a name stands for, and returns the last token it used.
func (v *valuing) name(p *parsing, i int) int {
	name, end := p.chain(i)
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.HasSuffix(name, "env.HOME") || last == "homedir" || last == "home" && end > i+1:
		v.text.WriteString("~")
		if p.is(end, "(") {
			end = p.match(end, "(", ")")
		}
		return end - 1
	case last == "environ" || last == "getenv" || name == "ENV" || name == "$ENV" || name == "env" || last == "get" && strings.Contains(name, "environ") || name == "$_SERVER":
		if end+1 < len(p.tokens) && strings.Trim(p.tokens[end+1].text, "'\"") == "HOME" {
			v.text.WriteString("~")
		} else {
			v.hole()
		}
		return min(len(p.tokens), end+3) - 1
	case p.is(end, "(") && (strings.Contains(transparent, " "+last+" ") || strings.Contains(joining, " "+last+" ")):
		n := p.match(end, "(", ")")
		for k, arg := range p.split(p.tokens[end+1 : max(end+1, n-1)]) {
			if k > 0 {
				if !strings.Contains(joining, " "+last+" ") {
					break
				}
				v.text.WriteString("/")
			}
			v.all(arg)
		}
		return n - 1
	}
	if w, ok := p.values[name]; ok && end == i+1 {
		v.text.WriteString(w.Text)
		v.known = v.known && w.Known
		return i
	}
	v.hole()
	if p.is(end, "(") {
		return p.match(end, "(", ")") - 1
	}
	return end - 1
}

// list returns the words of a list of texts; false when it is none.
func (p *parsing) list(tokens []token) ([]assent.Word, bool) {
	for len(tokens) > 0 && tokens[0].kind == endToken {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 || tokens[0].kind != markToken || tokens[0].text != "[" && tokens[0].text != "(" && tokens[0].text != "{" {
		return nil, false
	}
	inner := p.inner(tokens)
	shut := map[string]string{"[": "]", "(": ")", "{": "}"}[tokens[0].text]
	n := inner.match(0, tokens[0].text, shut)
	parts := p.split(tokens[1:max(1, n-1)])
	if tokens[0].text == "(" && len(parts) < 2 {
		return nil, false
	}
	var out []assent.Word
	for _, part := range parts {
		out = append(out, p.value(part))
	}
	return out, true
}
