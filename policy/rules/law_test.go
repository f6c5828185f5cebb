package rules_test

// The laws of rules.

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/policy/rules"
)

// pieces of command lines, and of what may stand between them.
var (
	simple = []string{
		"ls", "git status", "git add .", "git push", "git push -f", "npm run test", "npm run build", "rm -rf build", "rm a", "cat a", "cat ~/.ssh/id_rsa", "make lint", "sh -c 'git add .'",
		"sudo git add .", "A=1 make lint", "PATH=. make lint", "tee out/x", "git add . > x", "npm run test > /etc/x", "curl https://x.example", "$X", "$(curl x)", "git add \"$X\"", "echo hi", "cd web", "export A=1", "env B=1 make lint", "xargs git add", "find . -exec git add {} +",
	}
	between = []string{" && ", "; ", " || ", " | ", "\n", " & "}
	around  = []string{"%", "%", "%", "(%)", "{ %; }", "if true; then %; fi", "for i in a b; do %; done", "f() { %; }; f", "x=$(%)", "bash -c '%'", "! %", "time %"}
	bodies  = []string{
		"{program: git, args: [[add, status], \"...\"]}", "{program: npm, args: [run, \"test*\"], in: workspace}", "{program: make, args: [lint], env: A}", "{program: [ls, cat, echo], args: [\"...\"]}", "{program: rm, in: workspace}", "{program: cd}",
		"{program: tee, args: [\"*\"], writes: workspace/out}", "{codes: [fs.write, vcs.change], in: workspace}", "{program: git, via: sudo}", "{program: curl, host: x.example}", "{program: git, unless: {args: [push]}}", "{codes: code.unknown}", "{program: export, args: [\"...\"]}",
	}
)

func someRules(t *rapid.T) rules.Book {
	var b strings.Builder
	b.WriteString("rules:\n")
	for range rapid.IntRange(1, 5).Draw(t, "allows") {
		b.WriteString("- allow: " + rapid.SampledFrom(bodies).Draw(t, "allow") + "\n")
	}
	for range rapid.IntRange(0, 2).Draw(t, "others") {
		d := rapid.SampledFrom([]string{"ask", "deny"}).Draw(t, "decision")
		b.WriteString("- " + d + ": " + rapid.SampledFrom(bodies).Draw(t, "body") + "\n")
	}
	list, err := rules.Parse("r.yaml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func someLine(t *rapid.T) string {
	line := rapid.SampledFrom(simple).Draw(t, "first")
	for range rapid.IntRange(0, 3).Draw(t, "more") {
		line += rapid.SampledFrom(between).Draw(t, "between") + rapid.SampledFrom(simple).Draw(t, "next")
	}
	form := rapid.SampledFrom(around).Draw(t, "around")
	if strings.Contains(form, "'") && strings.Contains(line, "'") {
		return line
	}
	return strings.Replace(form, "%", line, 1)
}

func judge(t interface{ Fatal(...any) }, b rules.Book, c assent.Case) assent.Reply {
	r, err := b.Judge(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// alone is the case of one command of another.
func alone(c assent.Case, i int) assent.Case {
	cmd := c.Commands[i]
	var in map[string]string
	_ = json.Unmarshal(c.Input, &in)
	text := in["command"][cmd.Span.From:cmd.Span.To]
	one := c
	one.Input, _ = json.Marshal(map[string]string{"command": text})
	one.Findings = nil
	for _, f := range c.Findings {
		if f.Span == cmd.Span || f.Span == (assent.Span{}) {
			f.Span = assent.Span{From: 0, To: len(text)}
			one.Findings = append(one.Findings, f)
		}
	}
	cmd.Span = assent.Span{From: 0, To: len(text)}
	one.Commands = []assent.Command{cmd}
	return one
}

// An allow of a compound is an allow of each of its commands, but for those that
// only look. So no command rides on another.
func TestAnAllowIsOfEveryCommand(t *testing.T) {
	t.Parallel()
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		b, line := someRules(t), someLine(t)
		c := analyse(event(t, line))
		if judge(t, b, c).Decision != assent.Allow {
			return
		}
		allowed++
		for i, cmd := range c.Commands {
			one := alone(c, i)
			if r := judge(t, b, one); r.Decision != assent.Allow && len(one.Findings) > 0 {
				t.Fatalf("%s\nis allowed, and its command %s %v is not: %+v %v\n%s", line, cmd.Name, cmd.Args, r, one.Findings, rules.Format(b))
			}
		}
	})
	if allowed == 0 {
		t.Fatal("nothing was allowed: this test says nothing")
	}
}

// One command more never turns what the rules say into an allow, nor what is
// denied or asked into less.
func TestMoreIsNeverLooser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, line := someRules(t), rapid.SampledFrom(simple).Draw(t, "line")
		more := rapid.SampledFrom(simple).Draw(t, "more")
		before := judge(t, b, analyse(event(t, line)))
		after := judge(t, b, analyse(event(t, line+"; "+more)))
		if before.Decision > assent.Allow && after.Decision < before.Decision {
			t.Fatalf("%q is %v, and with %q %v", line, before.Decision, more, after.Decision)
		}
		if apart := judge(t, b, analyse(event(t, more))); after.Decision == assent.Allow && before.Decision != assent.Allow && apart.Decision != assent.Allow {
			t.Fatalf("neither %q nor %q is allowed, and both are", line, more)
		}
	})
}

// Strictest wins, in whatever order the rules stand.
func TestTheOrderOfRulesDoesNotCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := someRules(t)
		c := analyse(event(t, someLine(t)))
		other := rules.Book(rapid.Permutation([]rules.Rule(b)).Draw(t, "order"))
		if was, is := judge(t, b, c).Decision, judge(t, other, c).Decision; was != is {
			t.Fatalf("%v, and in another order %v", was, is)
		}
	})
}

// An allow never covers a protected fact that no rule names, nor what stands
// beside the commands.
func TestAnAllowNeverCoversWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := someRules(t)
		c := analyse(event(t, someLine(t)))
		if judge(t, b, c).Decision != assent.Allow {
			return
		}
		named := func(code string) bool {
			return slices.ContainsFunc(b, func(r rules.Rule) bool { return slices.Contains(r.When.Codes, code) })
		}
		for _, f := range c.Findings {
			if slices.Contains(assent.Protected, f.Code) && !named(f.Code) {
				t.Fatalf("%s is allowed by\n%s", f.Code, rules.Format(b))
			}
		}
		if strings.ContainsAny(c.Besides(), "=$`") {
			t.Fatalf("%q is allowed", c.Besides())
		}
	})
}

// What analysis cannot place, or has no name, is covered by nothing.
func TestWhatBelongsToNoCommandIsNotCovered(t *testing.T) {
	t.Parallel()
	list, err := rules.Parse("r.yaml", []byte("rules:\n- allow: {program: git, args: [\"...\"]}"))
	must(t, err)
	for name, change := range map[string]func(*assent.Case){
		"nothing":                           func(*assent.Case) {},
		"a fact of something else":          func(c *assent.Case) { c.Findings[0].Span = assent.Span{From: 90, To: 95} },
		"a command without a name":          func(c *assent.Case) { c.Commands[0].Name = "" },
		"a command that is not where it is": func(c *assent.Case) { c.Commands[0].Span = assent.Span{From: 1, To: 900} },
	} {
		c := analyse(event(t, "git add x"))
		change(&c)
		if r := judge(t, list, c); (r.Decision == assent.Allow) != (name == "nothing") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A project's rules tighten: whatever they say, less is allowed with them than
// without.
func TestLaw10Adversarial14AProjectsRulesNeverAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := someRules(t)
		for i := range b {
			b[i].Project = true
		}
		if r := judge(t, b, analyse(event(t, someLine(t)))); r.Decision == assent.Allow {
			t.Fatalf("%+v", r)
		}
	})
}

// FuzzMatch: no call makes a rule panic, and what rules allow each command alone
// is allowed.
func FuzzMatch(f *testing.F) {
	for i, line := range simple {
		f.Add("{program: git, args: [\"a*\", \"...\"], in: workspace}", line+between[i%len(between)]+"git add x")
	}
	f.Add("{reads: \"~/.s*\", host: 10.0.0.0/8, deletes: \"**/x\"}", "cat ~/.s* < \"$X\" && curl http://0x7f.1/")
	f.Fuzz(func(t *testing.T, body, line string) {
		for _, d := range []string{"allow", "ask", "deny"} {
			list, err := rules.Parse("r.yaml", []byte("rules:\n- "+d+": "+body+"\n"))
			if err != nil {
				return
			}
			e := event(t, "ls")
			e.Input, _ = json.Marshal(map[string]string{"command": line})
			c := analyse(e)
			r := judge(t, list, c)
			if d == "allow" && r.Decision > assent.Allow || d != "allow" && r.Decision == assent.Allow {
				t.Fatalf("%s %s: %+v", d, body, r)
			}
			if r.Decision != assent.Allow {
				continue
			}
			for i := range c.Commands {
				if one := alone(c, i); len(one.Findings) > 0 && judge(t, list, one).Decision != assent.Allow {
					t.Fatalf("%s allows %q, and not its command %v", body, line, c.Commands[i])
				}
			}
		}
	})
}
