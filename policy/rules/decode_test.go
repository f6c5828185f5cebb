package rules_test

// Files of rules: what is read, and what is said of what is wrong.

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/policy/rules"
)

func TestRulesAreRead(t *testing.T) {
	t.Parallel()
	const text = `# of the team
rules:
  - ask: {program: git, args: [push, [-f, "--force*"]], why: "history of others"}
    match: ["git push -f"]
    not_match:
      - git push
      - |
        git log
        git status
  - deny:
      reads: ["~/.ssh/**", /etc/shadow]
      unless:
        agent: ops
  - allow: {program: mkfile, args: [1, true, 0x7f], code: fs.write}
`
	list, err := rules.Parse("r.yaml", []byte(text))
	want := []rules.Rule{
		{
			At: rules.Place{File: "r.yaml", Line: 3}, Decision: assent.Ask, Why: "history of others",
			When:     rules.Matcher{Program: []string{"git"}, Args: []rules.Token{{"push"}, {"-f", "--force*"}}},
			Match:    []rules.Example{{Text: "git push -f", Line: 4}},
			NotMatch: []rules.Example{{Text: "git push", Line: 6}, {Text: "git log\ngit status", Line: 7}},
		},
		{
			At: rules.Place{File: "r.yaml", Line: 10}, Decision: assent.Deny,
			When: rules.Matcher{Reads: []string{"~/.ssh/**", "/etc/shadow"}}, Unless: &rules.Matcher{Agent: []string{"ops"}},
		},
		{
			At: rules.Place{File: "r.yaml", Line: 14}, Decision: assent.Allow,
			When: rules.Matcher{Program: []string{"mkfile"}, Args: []rules.Token{{"1"}, {"true"}, {"0x7f"}}, Codes: []string{"fs.write"}},
		},
	}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Fatalf("%v\n got %+v\nwant %+v", err, list, want)
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "rules:\n", "rules: []\n", "rules:\n# none yet\n", "{}"} {
		if list, err := rules.Parse("r.yaml", []byte(text)); err != nil || len(list) != 0 {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}

func TestWhatIsWrongIsSaidWithItsLine(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"rulez: []":                    `r.yaml:1: there is no key "rulez"; did you mean "rules"?`,
		"- ask: {program: x}":          `r.yaml:1: a list was found; put it under the key rules`,
		"rules: 3":                     `r.yaml:1: a list of rules was expected, each begun with "- "`,
		"rules: {ask: {program: x}}":   `r.yaml:1: a list of rules was expected`,
		"rules: []\n---\nrules: []":    `r.yaml:3: a second document follows`,
		"rules: [":                     `r.yaml:1: `,
		"rules:\n- x":                  `r.yaml:2: keys with values were expected`,
		"rules:\n-":                    `r.yaml:2: keys with values were expected`,
		"rules:\n\n- match: [ls]":      `r.yaml:3: a rule is one of allow, ask and deny`,
		"rules:\n- aks: {program: x}":  `r.yaml:2: there is no key "aks"; did you mean "ask"?`,
		"rules:\n- prevent: {tool: x}": `r.yaml:2: there is no key "prevent"; there are allow, ask, deny, match, not_match`,
		"rules:\n- ask: {}":            `r.yaml:2: it says nothing of what it is about`,
		"rules:\n- ask:":               `r.yaml:2: it says nothing of what it is about`,
		"rules:\n- ask: {why: x}":      `r.yaml:2: it says nothing of what it is about`,
		"rules:\n- ask: rm":            `r.yaml:2: keys with values were expected`,
		"rules:\n- ask: {program: x}\n  deny: {program: x}":      `r.yaml:3: a rule is one of allow, ask and deny`,
		"rules:\n- ask: {program: x}\n  ask: {program: x}":       `r.yaml:3: mapping key "ask" already defined`,
		"rules:\n- ask: {program: x}\n  why: y":                  `r.yaml:3: why stands inside the braces: ask: {…, why: …}`,
		"rules:\n- ask: {program: x}\n  unless: {agent: y}":      `r.yaml:3: unless stands inside the braces`,
		"rules:\n- ask: {programs: x}":                           `r.yaml:2: there is no key "programs"; did you mean "program"?`,
		"rules:\n- ask:\n    program: x\n    arsg: [y]":          `r.yaml:4: there is no key "arsg"; did you mean "args"?`,
		"rules:\n- ask: {flags: x}":                              `r.yaml:2: there is no key "flags"; there are why, unless, program, args, via, `,
		"rules:\n- ask: {program: x, unless: {}}":                `r.yaml:2: unless: it says nothing`,
		"rules:\n- ask: {program: x, unless: {agnet: y}}":        `r.yaml:2: there is no key "agnet"; did you mean "agent"?`,
		"rules:\n- ask: {program: x, unless: {why: y}}":          `r.yaml:2: there is no key "why"; there are program, `,
		"rules:\n- ask: {program: [x, [y]]}":                     `r.yaml:2: one plain value was expected`,
		"rules:\n- ask: {program: []}":                           `r.yaml:2: program: between 1 and 200 patterns were expected`,
		"rules:\n- ask: {program: ''}":                           `r.yaml:2: program: a pattern of 1 to 1024 bytes was expected`,
		"rules:\n- ask: {program: null}":                         `r.yaml:2: one plain value was expected`,
		"rules:\n- ask: {program: npm run}":                      `r.yaml:2: program: "npm run": one word was expected; further words are arguments`,
		"rules:\n- ask: {program: x, args: push}":                `r.yaml:2: args: a list was expected: [push, "--force*"]`,
		"rules:\n- ask: {program: x, args: []}":                  `r.yaml:2: args: an empty list says nothing here; leave it out`,
		"rules:\n- ask: {program: x, args: [[\"...\", y]]}":      `r.yaml:2: args: "..." stands alone`,
		"rules:\n- ask: {reads: .env}":                           `r.yaml:2: reads: ".env": a path begins with /, ~/, workspace/ or **/`,
		"rules:\n- ask:\n    reads:\n      - /a\n      - ~ada/x": `r.yaml:5: reads: "~ada/x": a path begins with`,
		"rules:\n- ask: {path: /a/../b}":                         `r.yaml:2: path: "/a/../b": a path with .. in it names no place`,
		"rules:\n- ask: {in: \"/srv/*\"}":                        `r.yaml:2: in: "/srv/*": a directory was expected, without * or ?`,
		"rules:\n- ask: {host: \"https://x\"}":                   `r.yaml:2: host: "https://x": a host was expected, without a scheme`,
		"rules:\n- ask: {host: 10.0.0.0/33}":                     `r.yaml:2: host: "10.0.0.0/33": a host, or a network such as 10.0.0.0/8, was expected`,
		"rules:\n- ask: {program: x}\n  match: ls":               `r.yaml:3: a list of examples was expected`,
		"rules:\n- ask: {program: x}\n  match: ['']":             `r.yaml:3: an example has 1 to`,
		"rules:\n- ask: &a {program: x}":                         `r.yaml:2: keys with values were expected`,
		"rules:\n- ask: {<<: {program: x}}":                      `r.yaml:2: a plain key was expected`,
		"rules:\n- 7: x":                                         `r.yaml:2: a plain key was expected`,
	} {
		list, err := rules.Parse("r.yaml", []byte(text))
		if list != nil || !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}

func TestFilesHaveABound(t *testing.T) {
	t.Parallel()
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	for name, text := range map[string]string{
		"bytes": "#" + many(rules.MaxBytes, "x"), "rules": "rules:\n" + many(rules.MaxRules+1, "- ask: {agent: x}\n"),
		"tokens": "rules:\n- ask: {args: [" + many(rules.MaxTokens+1, "x,") + "]}", "patterns": "rules:\n- ask: {agent: [" + many(rules.MaxPatterns+1, "x,") + "]}",
		"pattern": "rules:\n- ask: {agent: " + many(rules.MaxPattern+1, "x") + "}", "examples": "rules:\n- ask: {agent: x}\n  match: [" + many(rules.MaxExamples+1, "x,") + "]",
		"example": "rules:\n- ask: {agent: x}\n  match: [" + many(rules.MaxExample+1, "x") + "]", "depth": many(250_000, "["), "maps": many(60_000, "{a: "), "lists": many(120_000, "- "), "lines": many(120_000, "[\n"), "indents": indented(700),
	} {
		if list, err := rules.Parse("r.yaml", []byte(text)); list != nil || !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %d rules, %v", name, len(list), err)
		}
	}
}

// indented is a text of so many maps in each other.
func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestExamplesAreTried(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"ask: {program: git}\n  match: [\n    git status,\n    hg status]":                "r.yaml:5: the rule does not match hg status, because of program",
		"ask: {program: git}\n  not_match: [git status]":                                  "r.yaml:3: the rule matches git status",
		"allow: {program: git, args: [add]}\n  match: [git add x]":                        "r.yaml:3: the rule does not match git add x, because of args",
		"allow: {program: git, args: [add]}\n  match: ['git add && git push']":            "because of no rule covers git push",
		"ask: {program: rm, unless: {in: workspace}}\n  match: [rm x]":                    "because of unless",
		"ask: {tool: read}\n  match: ['{\"tool\":\"write\",\"input\":{\"path\":\"x\"}}']": "because of tool",
		"ask: {tool: x}\n  match: ['{\"tol\":\"x\"}']":                                    "r.yaml:3: example {\"tol\":\"x\"}: an object with tool, input, agent, profile and dir was expected",
		"ask: {tool: x}\n  match: ['{\"agent\":\"x\"}']":                                  "one object with a tool was expected",
		"ask: {tool: x}\n  match: ['{\"tool\":\"x\",\"dir\":\"y\"}']":                     "dir: an absolute path was expected",
	} {
		list, err := rules.Parse("r.yaml", []byte("rules:\n- "+text))
		if err != nil {
			t.Fatal(text, err)
		}
		if err := rules.Try(list, analyse); !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// somePattern draws what may stand in a rule.
func somePattern() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"git", "*", "--force*", "true", "~", "/x", "7", "0x1", "a b", "é", "-", "*x", "!x", "a: b", "#", "'", `"`, `\`, "\t", "null", "2026-11-30", "on", "<<", "@x", "%"}), rapid.StringMatching(`[ -~]{1,8}`))
}

// What is written is read again as it was.
func TestFormatIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []rules.Rule
		for i := range rapid.IntRange(0, 4).Draw(t, "rules") {
			r := rules.Rule{At: rules.Place{File: "r.yaml", Line: i + 2}, Decision: rapid.SampledFrom([]assent.Decision{assent.Allow, assent.Ask, assent.Deny}).Draw(t, "decision")}
			r.When.Agent = rapid.SliceOfN(somePattern().Filter(func(s string) bool { return !strings.ContainsAny(s, " \t") }), 1, 3).Draw(t, "agent")
			for range rapid.IntRange(0, 3).Draw(t, "args") {
				r.When.Args = append(r.When.Args, rules.Token(rapid.SliceOfN(somePattern(), 1, 2).Draw(t, "token")))
			}
			if rapid.Bool().Draw(t, "unless") {
				r.Unless = &rules.Matcher{Reads: []string{"~/" + somePattern().Filter(func(s string) bool { return s != ".." }).Draw(t, "path")}}
			}
			r.Why = rapid.String().Draw(t, "why")
			list = append(list, r)
		}
		text := rules.Format(list)
		got, err := rules.Parse("r.yaml", []byte(text))
		if err != nil || len(got) != len(list) || len(list) > 0 && !reflect.DeepEqual(got, list) {
			t.Fatalf("%v\n%s\n got %+v\nwant %+v", err, text, got, list)
		}
	})
}

// FuzzParse: any bytes are rules or an error with a line, and what is read can be
// written, judged by and looked over.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"rules:\n- ask: {program: git, args: [push, \"--force*\"], why: x}\n  match: [git push -f]", "rules: [{deny: {reads: ~/.ssh, unless: {agent: [a, b]}}}]",
		"rules:\n- allow: {host: 10.0.0.0/8, in: workspace}", "a: &x [*x]", "rules:\n- ? x\n: y", "%YAML 1.2\n---\nrules:\n", "rules: !!seq []", "rules:\n- ask:\n    program: |\n      x\n",
	} {
		f.Add([]byte(text))
	}
	c := analyse(event(f, "cd web && git push --force origin main > out; cat ~/.ssh/x | sudo tee /etc/x"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := rules.Parse("r.yaml", raw)
		if err != nil {
			if list != nil || !errors.Is(err, assent.ErrInvalid) || !strings.HasPrefix(err.Error(), "r.yaml:") {
				t.Fatalf("%v, %v", list, err)
			}
			return
		}
		if _, err := rules.Book(list).Judge(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		rules.Explain(list, c)
		if len(list) < 20 {
			_ = rules.Try(list, analyse)
			rules.Lint(list, nil, analyse)
		}
		again, err := rules.Parse("r.yaml", []byte(rules.Format(list)))
		if err != nil || len(again) != len(list) {
			t.Fatalf("%q became %q: %v", raw, rules.Format(list), err)
		}
	})
}
