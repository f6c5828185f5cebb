// Package translate reads the lists of permissions that people have written for
// other products, and says the same in rules of assent's own, as far as that can
// be said.
//
// It is never wider than what it read: what cannot be said is left over with the
// reason, and so is what lint would refuse. It reads no file itself.
//
//	from, ok := translate.Named("claude")
//	r, err := from.Read("settings.json", raw, analyse)
//	fmt.Print(rules.Format(r.Rules))
//	for _, l := range r.Left {
//		fmt.Println(l.Line, l.Text, l.Why)
//	}
package translate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assent"
	"assent/policy/rules"
)

// Left is something that could not be said, or not quite.
type Left struct {
	Line int    `json:"line,omitempty"` // 0: not of one line
	Text string `json:"text"`
	Why  string `json:"why"`
	// Decision is what the entry would have said; None: nothing is lost by it.
	Decision assent.Decision `json:"decision,omitzero"`
}

// Lost reports whether something that asked or denied is said no more.
func (r Result) Lost() bool {
	return slices.ContainsFunc(r.Left, func(l Left) bool { return l.Decision == assent.Ask || l.Decision == assent.Deny })
}

// Result is what became of one file.
type Result struct {
	Rules []rules.Rule
	Left  []Left
}

// From is one product whose lists can be read.
type From struct {
	Name, Files string // and what files it has
	read        func(l *list) error
}

// All are the products, in the order in which they are shown.
var All = []From{
	{"claude", "settings.json", claude},
	{"codex", "rules/*.rules, config.toml", codex},
	{"gemini", "settings.json, policies/*.toml", gemini},
	{"hermes", "config.yaml", hermes},
}

// Named returns the product with this name.
func Named(name string) (From, bool) {
	for _, f := range All {
		if f.Name == name {
			return f, true
		}
	}
	return From{}, false
}

// Read translates a file of the product. name is the file's, for messages and to
// tell its kind. ErrInvalid when it cannot be read at all.
func (f From) Read(name string, raw []byte, analyse rules.Analyse) (Result, error) {
	l := &list{name: name, raw: raw, analyse: analyse}
	if err := f.read(l); err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	l.entry = assent.None
	l.refuse()
	return Result{l.rules, l.left}, nil
}

// list is a file while it is translated.
type list struct {
	name    string
	raw     []byte
	analyse rules.Analyse
	rules   []rules.Rule
	said    []string // what each of the rules was made of
	left    []Left
	entry   assent.Decision // of the entry that is being read
}

// leave notes what could not be said.
func (l *list) leave(text, why string, args ...any) {
	l.at(l.line(text), text, fmt.Sprintf(why, args...))
}

// line is where a text stands for the first time, in quotes or without.
func (l *list) line(text string) int {
	for _, form := range []string{`"` + text + `"`, text + ":", text} {
		if i := bytes.Index(l.raw, []byte(form)); i >= 0 && text != "" {
			return 1 + bytes.Count(l.raw[:i], []byte("\n"))
		}
	}
	return 0
}

// at notes what could not be said of something on a line.
func (l *list) at(line int, text, why string) {
	l.left = append(l.left, Left{line, text, strings.ReplaceAll(why, "\n", " "), l.entry})
}

// add keeps a rule that says what text said.
func (l *list) add(text string, r rules.Rule) { l.keep(l.line(text), text, r) }

// keep is add for what stands on a line that is known.
func (l *list) keep(line int, text string, r rules.Rule) {
	r.At = rules.Place{File: l.name, Line: line}
	l.rules, l.said = append(l.rules, r), append(l.said, text)
}

// tool keeps a rule about tools.
func (l *list) tool(text string, d assent.Decision, m rules.Matcher) {
	l.add(text, rules.Rule{Decision: d, When: m})
}

// command keeps what a command with "*" for any text says. An ask or a deny that
// begins with any text is about what stands in arguments, too.
func (l *list) command(text string, d assent.Decision, line, why string) {
	l.entry = d
	r, err := rules.FromLine(d, line)
	if err != nil {
		l.leave(text, "%s", plainly(err))
		return
	}
	r.Why = why
	l.add(text, r)
	if inner := strings.Trim(line, "*"); d != assent.Allow && strings.HasPrefix(line, "*") && inner != "" {
		l.add(text, rules.Rule{Decision: d, Why: why, When: rules.Matcher{Args: []rules.Token{{"..."}, {"*" + inner + "*"}}}})
	}
}

// plainly is an error in words alone.
func plainly(err error) string {
	return strings.TrimSuffix(err.Error(), ": "+assent.ErrInvalid.Error())
}

// unplaced is an error in words alone, without the place that it begins with.
func unplaced(err error, r rules.Rule) string {
	text := plainly(err)
	for _, p := range []string{rules.Place{File: scrap, Line: 2}.String(), r.At.String()} {
		text = strings.TrimPrefix(text, p+": ")
	}
	return text
}

// scrap is the name of a file that only tries whether a rule can be written.
const scrap = "rule"

// refuse leaves over what a file of rules cannot hold, what lint would refuse, and
// examples that do not come out.
func (l *list) refuse() {
	refused, moot := map[int]string{}, map[int]bool{}
	for i, r := range l.rules {
		if _, err := rules.Parse(scrap, []byte(rules.Format([]rules.Rule{r}))); err != nil {
			refused[i] = unplaced(err, r)
		}
	}
	for _, m := range rules.Lint(l.rules, nil, l.analyse) {
		refused[m.Rule] = m.Text
		moot[m.Rule] = m.Kind == rules.Twice || m.Kind == rules.Shadowed
	}
	kept := l.rules[:0]
	for i, r := range l.rules {
		if why, ok := refused[i]; ok {
			if l.entry = r.Decision; moot[i] {
				l.entry = assent.None
			}
			l.at(r.At.Line, l.said[i], fmt.Sprintf("as %s: %s", r.String(), why))
			continue
		}
		l.entry = assent.None
		kept = append(kept, l.tried(r))
	}
	l.rules = kept
}

// tried is a rule with those of its examples that come out.
func (l *list) tried(r rules.Rule) rules.Rule {
	keep := func(from []rules.Example, alone func(rules.Example) rules.Rule) (out []rules.Example) {
		for _, e := range from {
			if err := rules.Try([]rules.Rule{alone(e)}, l.analyse); err != nil {
				l.at(e.Line, e.Text, "the example does not come out here: "+unplaced(err, rules.Rule{At: rules.Place{File: l.name, Line: e.Line}}))
				continue
			}
			out = append(out, e)
		}
		return out
	}
	match, not := r.Match, r.NotMatch
	r.Match, r.NotMatch = nil, nil
	with := r
	with.Match = keep(match, func(e rules.Example) rules.Rule { x := r; x.Match = []rules.Example{e}; return x })
	with.NotMatch = keep(not, func(e rules.Example) rules.Rule { x := r; x.NotMatch = []rules.Example{e}; return x })
	return with
}

// literal is a text as a pattern that matches nothing else.
func literal(s string) string {
	if s == "..." {
		return `\...`
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(s)
}
