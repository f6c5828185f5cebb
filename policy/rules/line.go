package rules

// Lines: rules that other products write as a command with "*" in it, as rules of
// ours.

import (
	"errors"
	"fmt"
	"strings"

	"assent"
)

// FromLine makes a rule of a command in which "*" is any text, as most products
// write their lists: "npm run *", "git push*--force*". An allow becomes no wider
// than the line, a deny or an ask no narrower. ErrInvalid for what is no single
// command.
func FromLine(d assent.Decision, text string) (Rule, error) {
	r := Rule{Decision: d}
	words, err := split(text)
	switch {
	case err != nil:
		return r, fmt.Errorf("%w: %w", err, assent.ErrInvalid)
	case len(words) == 0:
		words = []string{"*"} // a line that asks for nothing fits everything
	}
	for len(words) > 1 && isAssign(words[0]) {
		name, _, _ := strings.Cut(words[0], "=")
		r.When.Env, words = append(r.When.Env, name), words[1:]
	}
	r.When.Program = []string{words[0]}
	if program, glued := strings.CutSuffix(words[0], "*"); glued && program != "" && !hasGlob(program) && d != assent.Allow {
		r.When.Program = []string{program, words[0]} // "rm*" is rm with arguments, too
	}
	if strings.Trim(words[0], "*") == "" && len(words) == 1 {
		return r, nil
	}
	r.When.Args = tokens(d, words[1:])
	if strings.HasSuffix(words[0], "*") && len(words) == 1 {
		r.When.Args = nil
	}
	if d != assent.Allow && len(r.When.Args) == 0 {
		r.When.Args = nil // what follows is free in any case
	}
	return r, nil
}

// tokens are the patterns of a line's arguments.
func tokens(d assent.Decision, words []string) []Token {
	out := []Token{}
	for i, w := range words {
		last := i == len(words)-1
		switch {
		case w == rest:
			out = append(out, Token{`\` + rest}) // the word, as in go vet ...
		case strings.Trim(w, "*") == "":
			out = append(out, Token{rest})
		case d == assent.Allow:
			out = append(out, Token{w})
			if last && strings.HasSuffix(w, "*") {
				out = append(out, Token{rest})
			}
		default:
			out = append(out, pieced(w)...)
		}
	}
	for d != assent.Allow && len(out) > 0 && out[len(out)-1].Rest() {
		out = out[:len(out)-1]
	}
	return out
}

// pieced takes a word apart at a star inside it, which may stand for blanks too.
func pieced(w string) []Token {
	var out []Token
	before, after, found := strings.Cut(strings.TrimSuffix(w, "*"), "*")
	switch {
	case !found:
		return []Token{{w}}
	case before == "":
		return []Token{{rest}, {w}}
	}
	out = append(out, Token{before + "*"})
	if !dashed(after) {
		out = append(out, Token{rest})
	}
	return append(out, pieced(after+strings.Repeat("*", len(w)-len(strings.TrimSuffix(w, "*"))))...)
}

func isAssign(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && name != "" && strings.Trim(strings.ToUpper(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// split reads words as a shell does, where there is nothing but words and quotes.
func split(text string) ([]string, error) {
	var out []string
	var b strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			in, quote = true, c
		case c == ' ' || c == '\t':
			if in {
				out, in = append(out, b.String()), false
				b.Reset()
			}
		case strings.IndexByte("|&;<>()$`\n\\{}#!", c) >= 0:
			return nil, fmt.Errorf("%q is of a command line, and a rule is about one command: each command of a line is judged by itself", c)
		default:
			in = true
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote does not end")
	}
	if in {
		out = append(out, b.String())
	}
	return out, nil
}
