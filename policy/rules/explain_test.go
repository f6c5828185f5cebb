package rules_test

// What is said of rules and a call.

import (
	"strings"
	"testing"

	"assent"
	"assent/policy/rules"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, line, because string }{
		{"ask: {program: git}", "ls", "program: it has ls"},
		{"ask: {program: git, args: [push]}", "git status -s", "args: it has status -s"},
		{"ask: {program: ls, args: [x]}", "ls", "args: it has none"},
		{"ask: {via: sudo}", "env ls", "via: it has env"},
		{"ask: {env: LD_*}", "A=1 ls", "env: it has A"},
		{"ask: {tool: read}", "ls", "tool: it has shell"},
		{"ask: {agent: claude}", "ls", "agent: it has plain"},
		{"ask: {profile: ops}", "ls", "profile: it has none"},
		{"ask: {codes: infra.*}", "git add x", "codes: it has vcs.change"},
		{"ask: {reads: ~/.ssh}", "cat notes", "reads: it has /home/ada/shop/notes"},
		{"ask: {host: x.example}", "curl https://y.example/", "host: it has y.example"},
		{"ask: {in: /srv}", "ls", "in: it runs in /home/ada/shop"},
		{"ask: {program: ls, unless: {in: workspace}}", "ls", "unless: what stands there holds"},
		{"ask: {program: ls}", `{"tool":"read","input":{"path":"x"}}`, "program: it is no command"},
		{"allow: {program: git, args: [add]}", "git add x", "args: it has add x"},
		{"allow: {program: cp, args: [\"...\"]}", "cp a ~/.bashrc", "codes: it has"},
		{"allow: {program: ls}", "ls > x", "writes: it has"},
	} {
		list, err := rules.Parse("r.yaml", []byte("rules:\n- "+c.body))
		must(t, err)
		accounts, v := rules.Explain(list, analyse(event(t, c.line)))
		if len(accounts) != 1 || accounts[0].Matches || !strings.HasPrefix(accounts[0].Because, c.because) || v.Decision != assent.None {
			t.Errorf("%s and %s: %+v, %+v", c.body, c.line, accounts, v)
		}
	}
}

func TestExplainNamesTheCommandsThatARuleSpeaksOf(t *testing.T) {
	t.Parallel()
	list, err := rules.Parse("r.yaml", []byte("rules:\n- allow: {program: git, args: [add, \"...\"]}\n- deny: {program: rm}\n- allow: {program: ls}"))
	must(t, err)
	list[2].Project = true
	c := analyse(event(t, "git add a && ls && git add b && git push"))
	accounts, v := rules.Explain(list, c)
	if got := strings.Join(accounts[0].Commands, ", "); !accounts[0].Matches || got != "git add a, git add b" {
		t.Errorf("%+v", accounts[0])
	}
	if accounts[1].Matches || !accounts[2].Matches || !strings.Contains(accounts[2].Because, "can only tighten") {
		t.Errorf("%+v", accounts[1:])
	}
	if why := rules.WhyNotAllowed(list, c); v.Decision != assent.None || why != "no rule covers git push" {
		t.Errorf("%+v, %s", v, why)
	}
	for line, want := range map[string]string{
		"x=1; git add a": "beside its commands there stands x=1", "git add a": "", "ls": "every command only looks", "": "beside its commands",
		`{"tool":"shell","input":{"command":"git add a","sandbox":false}}`: "the input has a field sandbox", `{"tool":"shell","input":7}`: "the input cannot be read",
	} {
		if got := rules.WhyNotAllowed(list, analyse(event(t, line))); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %s", line, got)
		}
	}
	if got := rules.WhyNotAllowed(list[1:2], c); got != "no rule allows anything" {
		t.Error(got)
	}
}

func TestReasonsNameTheRule(t *testing.T) {
	t.Parallel()
	list, err := rules.Parse("r.yaml", []byte("rules:"+strings.Repeat("\n- ask: {program: ls, why: \"it is noisy. \"}", 5)))
	must(t, err)
	r, _ := rules.Book(list).Judge(t.Context(), analyse(event(t, "ls")))
	if want := "Rule r.yaml:2 asks: it is noisy. Rule r.yaml:3 asks: it is noisy. Rule r.yaml:4 asks: it is noisy. 2 more rules say so."; r.Reason != want || r.By != "rules" {
		t.Errorf("%+v", r)
	}
	list, err = rules.Parse("r.yaml", []byte("rules:\n- ask: {program: ls}\n- deny: {program: ls}\n- ask: {program: ls}\n- allow: {program: ls}"))
	must(t, err)
	if r, _ = rules.Book(list).Judge(t.Context(), analyse(event(t, "ls"))); r.Reason != "Rule r.yaml:3 denies it." {
		t.Errorf("%+v", r)
	}
	if r, err := rules.Book(nil).Judge(t.Context(), assent.Case{}); r.Decision != assent.None || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
