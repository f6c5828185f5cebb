package policy_test

// Laws: wrapping never hides a fact, padding never lets anything through, and
// every code has a row.

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"assent"
	"assent/analyze"
	"assent/policy"
)

// commands are the shell commands of the corpus.
func commands(t testing.TB) []string {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txtar")
	var out []string
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			for line := range strings.Lines(string(f.Data)) {
				_, cmd, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
				if ok && !strings.HasPrefix(cmd, "@") {
					out = append(out, strings.ReplaceAll(cmd, "⏎", "\n"))
				}
			}
		}
	}
	return out
}

// examples are the commands that stand in the files of knowledge.
func examples(t testing.TB) []string {
	t.Helper()
	files, _ := filepath.Glob("../programs/data/*.txtar")
	var out []string
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" {
					out = append(out, line)
				}
			}
		}
	}
	return out
}

func command(text string) assent.Case {
	e := event("")
	e.Input, _ = json.Marshal(map[string]string{"command": text})
	return analyze.Case(e, places)
}

// simple reports whether text is one program and its arguments, so that a
// wrapper may stand right before it.
func simple(text string) bool {
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) != 1 {
		return false
	}
	s := f.Stmts[0]
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || len(c.Assigns) > 0 || strings.Contains(text, "#") {
		return false
	}
	builtins := []string{"", "cd", "eval", "source", ".", "trap", "set", "exec", "builtin", "command", "alias", "type", "export", "[", ":"}
	return !slices.Contains(builtins, c.Args[0].Lit())
}

type wrapping struct {
	name string
	wrap func(string) string
	any  bool // it takes any text, not only simple commands
}

func quoted(text string) string {
	q, err := syntax.Quote(text, syntax.LangBash)
	if err != nil {
		return "''"
	}
	return q
}

var wrappings = []wrapping{
	{"sh -c", func(s string) string { return "sh -c " + quoted(s) }, true},
	{"bash -lc", func(s string) string { return "bash -lc " + quoted(s) }, true},
	{"eval", func(s string) string { return "eval " + quoted(s) }, true},
	{"here-string", func(s string) string { return "bash <<< " + quoted(s) }, true},
	{"env -S", func(s string) string { return "env FOO=1 sh -c " + quoted(s) }, true},
	{"subshell", func(s string) string { return "( " + s + "\n)" }, true},
	{"group", func(s string) string { return "{ " + s + "\n}" }, true},
	{"after true", func(s string) string { return "true && { " + s + "\n}" }, true},
	{"in if", func(s string) string { return "if true; then " + s + "\nfi" }, true},
	{"in a function", func(s string) string { return "wrapped() { " + s + "\n}; wrapped" }, true},
	{"in a substitution", func(s string) string { return "x=$( " + s + "\n)" }, true},
	{"sudo", func(s string) string { return "sudo -u root -- " + s }, false},
	{"env", func(s string) string { return "env WRAPPED=1 " + s }, false},
	{"timeout", func(s string) string { return "timeout -k 1 5 " + s }, false},
	{"nice", func(s string) string { return "nice -n 5 nohup " + s }, false},
	{"xargs", func(s string) string { return "echo y | xargs -n 1 sh -c " + quoted(s) }, true},
}

// TestWrappingNeverLosesAFact wraps commands of the corpus up to three times.
func TestWrappingNeverLosesAFact(t *testing.T) {
	t.Parallel()
	all := commands(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(all).Draw(t, "command")
		if _, err := syntax.NewParser().Parse(strings.NewReader(text), ""); err != nil {
			t.Skip("it is not complete, so wrapping would complete it")
		}
		before := command(text)
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			w := rapid.SampledFrom(wrappings).Draw(t, "wrapping")
			if !w.any && !simple(text) || w.name == "in a function" && strings.Contains(text, "local") {
				continue // local means something else there
			}
			text = w.wrap(text)
		}
		after := command(text)
		for _, code := range codes(before) {
			if !slices.Contains(codes(after), code) {
				t.Fatalf("%s\nloses %s: it has only %v", text, code, codes(after))
			}
		}
	})
}

// TestPaddingIsNoBypass pads a dangerous command until no analyser can look at
// all of it: that may cost the fact, never the answer.
func TestPaddingIsNoBypass(t *testing.T) {
	t.Parallel()
	const danger = "rm -rf /"
	cases := map[string]string{
		"before":      strings.Repeat("true;", 25000) + danger,
		"after":       danger + strings.Repeat(";true", 25000),
		"word":        "echo " + strings.Repeat("x", 500_000) + "; " + danger,
		"first word":  danger + "; echo " + strings.Repeat("x", 500_000),
		"subshells":   strings.Repeat("(", 5000) + danger + strings.Repeat(")", 5000),
		"substitutes": strings.Repeat("$(", 5000) + danger + strings.Repeat(")", 5000),
		"groups":      strings.Repeat("{ ", 5000) + danger + strings.Repeat(";}", 5000),
		"quoted":      strings.Repeat("(')' ", 5000) + danger + strings.Repeat(")", 5000),
		"braces":      "echo " + strings.Repeat("{a,", 20000) + "; " + danger,
		"growth":      "x=aaaaaaaa;" + strings.Repeat("x=$x$x;", 200) + danger,
		"arguments":   "echo " + strings.Repeat("x ", 60000) + "; " + danger,
		"pipes":       strings.Repeat("a|", 20000) + danger,
		"ands":        strings.Repeat("a&&", 20000) + danger,
		"loops":       strings.Repeat("for i in 1 2 3 4 5 6 7 8; do ", 20) + danger + strings.Repeat("; done", 20),
		"functions":   "f0() { " + danger + "; }; " + doubling(40) + "f40",
		"variables":   strings.Repeat("v=1;(v=2);", 12000) + danger,
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := command(text)
			if d := judge(t, c); d < assent.Ask {
				t.Errorf("it is %v, with %v", d, codes(c))
			}
		})
	}
}

// doubling declares functions that each call the one before twice.
func doubling(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.NewReplacer("A", itoa(i), "B", itoa(i-1)).Replace("fA() { fB; fB; }; "))
	}
	return b.String()
}

func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}

// TestEveryCodeHasARow also holds the other way round: no row without a fact.
func TestEveryCodeHasARow(t *testing.T) {
	t.Parallel()
	known := slices.Clone(analyze.Codes)
	for _, a := range analyze.All {
		known = append(known, a.Codes...)
	}
	rows := map[string]bool{}
	for _, r := range policy.Table {
		if rows[r.Code] {
			t.Errorf("%s stands twice in the table", r.Code)
		}
		rows[r.Code] = true
		if !slices.Contains(known, r.Code) {
			t.Errorf("nobody reports %s", r.Code)
		}
		if r.Why == "" || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s does not say why, in a sentence", r.Code)
		}
		if (r.Tier == policy.FloorTier) != (r.Decision == assent.Deny) || r.Decision == assent.Allow {
			t.Errorf("%s: %s and %v do not go together", r.Code, r.Tier, r.Decision)
		}
	}
	for _, code := range known {
		if !rows[code] {
			t.Errorf("%s is reported and not in the table", code)
		}
	}
}

// TestAnalyzersOnlyReportTheirCodes over the whole corpus, and over the examples
// of the knowledge.
func TestAnalyzersOnlyReportTheirCodes(t *testing.T) {
	t.Parallel()
	may := map[string][]string{"shell": analyze.Codes, "input": analyze.Codes, "operands": analyze.Codes}
	for _, a := range analyze.All {
		may[a.Name] = a.Codes
	}
	seen := map[string]bool{}
	for _, text := range slices.Concat(commands(t), examples(t)) {
		for _, f := range command(text).Findings {
			seen[f.Code] = true
			if !slices.Contains(may[f.By], f.Code) {
				t.Errorf("%s: %s reports %s", text, f.By, f.Code)
			}
			if !strings.HasSuffix(f.Note, ".") || f.Span.From > f.Span.To || f.Span.To > len(text) {
				t.Errorf("%s: %+v is no sentence, or has no place in the command", text, f)
			}
		}
	}
	for _, r := range policy.Table {
		if !seen[r.Code] && !slices.Contains([]string{"gate.off", "limit", "code.unbound", "tool.unknown"}, r.Code) {
			t.Errorf("no case of the corpus has %s", r.Code)
		}
	}
}

// TestUnknownCodesAsk: law 3.
func TestUnknownCodesAsk(t *testing.T) {
	t.Parallel()
	c := assent.Case{Findings: []assent.Finding{{By: "new", Code: "never.heard.of", Note: "It is new."}}}
	r, err := policy.BuiltIn.Judge(context.Background(), c)
	if err != nil || r.Decision != assent.Ask || r.Reason != "It is new." {
		t.Errorf("%+v, %v", r, err)
	}
	if r, _ := policy.Floor.Judge(context.Background(), c); r.Decision != assent.None {
		t.Errorf("the floor says %+v", r)
	}
}

// TestReasonsAreFew: the same sentence once, and not too many.
func TestReasonsAreFew(t *testing.T) {
	t.Parallel()
	c := command("rm -rf a b c d e; rm -rf a")
	r, _ := policy.BuiltIn.Judge(context.Background(), c)
	if n := strings.Count(r.Reason, "everything below it."); n != policy.MaxNotes {
		t.Errorf("%d sentences: %s", n, r.Reason)
	}
	if !strings.HasSuffix(r.Reason, "2 more reasons.") {
		t.Errorf("it does not say how many more: %s", r.Reason)
	}
}
