package assent_test

// The laws of scopes.

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"assent"

	"pgregory.net/rapid"
)

// few draws from a small set, often nothing, so that things meet.
func few(values ...string) *rapid.Generator[string] {
	return rapid.SampledFrom(append(values, "", ""))
}

// Generators are made anew for every draw: one that is shared by parallel tests is
// a data race in rapid.

func somePath() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"/", "/w", "/w/a", "/w/a/b", "/w/ab", "/w/a/../c", "/w/a/..", "w/a", "", "/w/..a"})
}

func someCode() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"fs.delete", "net.egress", "git.discard", "code.unknown", "gate.self"})
}

func someProgram() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"rm", "git", "mv", ""})
}

func someClass() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"rm", "git", "mv", "git push", "git push origin", "rm x", "rm ../x", ""})
}

func someArgument() *rapid.Generator[assent.Word] {
	return rapid.Custom(func(r *rapid.T) assent.Word {
		v := rapid.SampledFrom([]string{"push", "origin", "x", "../x", "/etc", "a=../../x", "--"}).Draw(r, "value")
		return assent.Word{Text: v, Value: v, Known: rapid.IntRange(0, 9).Draw(r, "known") > 0}
	})
}

func anyCase(r *rapid.T) assent.Case {
	c := assent.Case{Event: assent.Event{
		Agent: few("claude", "plain").Draw(r, "agent"), Principal: few("uid:1", "uid:2").Draw(r, "principal"),
		Session: few("s1", "s2").Draw(r, "session"), Profile: few("work", "home").Draw(r, "profile"), Tool: few("shell", "write").Draw(r, "tool"),
		Input: []byte(rapid.SampledFrom([]string{`{"a":1}`, `{"a":2}`, ``, `{`}).Draw(r, "input")),
	}}
	for range rapid.IntRange(0, 3).Draw(r, "findings") {
		c.Findings = append(c.Findings, assent.Finding{Code: someCode().Draw(r, "code"), Target: somePath().Draw(r, "target")})
	}
	for range rapid.IntRange(0, 2).Draw(r, "commands") {
		c.Commands = append(c.Commands, assent.Command{
			Name: someProgram().Draw(r, "name"), Dir: somePath().Draw(r, "dir"), Args: rapid.SliceOfN(someArgument(), 0, 3).Draw(r, "args"),
		})
	}
	if rapid.Bool().Draw(r, "nothing besides") {
		c = typed(c)
	}
	return c
}

// typed writes the case's commands out as its input.
func typed(c assent.Case) assent.Case {
	text := ""
	for i := range c.Commands {
		cmd := &c.Commands[i]
		cmd.Program = assent.Word{Text: cmd.Name, Value: cmd.Name, Known: true}
		cmd.Span = assent.Span{From: len(text), To: len(text) + len("rm x")}
		text += "rm x && "
	}
	c.Input, _ = json.Marshal(map[string]string{"command": strings.TrimSuffix(text, " && ")})
	return c
}

// anyScope draws a scope that has something to do with the case.
func anyScope(r *rapid.T, c assent.Case) assent.Scope {
	s := assent.Scope{
		Agent: few(c.Agent, "claude").Draw(r, "agent"), Principal: few(c.Principal, "uid:1").Draw(r, "principal"),
		Session: few(c.Session, "s1").Draw(r, "session"), Profile: few(c.Profile, "work").Draw(r, "profile"),
		Uses: rapid.IntRange(-1, 5).Draw(r, "uses"), For: assent.Duration(rapid.IntRange(-1, 5).Draw(r, "for")),
	}
	if rapid.Bool().Draw(r, "exact") {
		s.Digest = few(c.Digest(), "other").Draw(r, "digest")
	}
	if rapid.Bool().Draw(r, "class") {
		s.Tool = few(c.Tool, "shell").Draw(r, "tool")
		s.Programs = rapid.SliceOfN(someClass(), 0, 4).Draw(r, "programs")
		s.Codes = rapid.SliceOfN(someCode(), 0, 5).Draw(r, "codes")
		s.Under, s.Dir = few("/", "/w", "/w/a", "w").Draw(r, "under"), few("/", "/w", "/w/a", "w").Draw(r, "dir")
	}
	return s
}

func TestAdversarial08NarrowCanOnlyGetSmaller(t *testing.T) {
	t.Parallel()
	covered := 0
	rapid.Check(t, func(r *rapid.T) {
		for range 20 {
			c := anyCase(r)
			s, demand := anyScope(r, c), anyScope(r, c)
			n, err := s.Narrow(demand)
			if err != nil {
				if !errors.Is(err, assent.ErrScope) || !reflect.DeepEqual(n, assent.Scope{}) {
					r.Fatalf("%v with %+v", err, n)
				}
				continue
			}
			if n.Uses > s.Uses || n.For > s.For {
				r.Fatalf("%+v became %+v", s, n)
			}
			if n.Covers(c) {
				covered++
				if !s.Covers(c) {
					r.Fatalf("%+v does not cover %+v, and became %+v by %+v, which does", s, c, n, demand)
				}
				if again, err := n.Narrow(demand); err != nil || !again.Covers(c) {
					r.Fatalf("narrowing %+v by %+v once more gave %+v, %v", n, demand, again, err)
				}
			}
		}
	})
	if covered == 0 {
		t.Fatal("no narrowed scope covered anything: this test says nothing")
	}
}

// What is demanded is met: a case outside of a set field of the demand is not
// covered by what comes out.
func TestNarrowMeetsTheDemand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		for range 20 {
			c := anyCase(r)
			s, demand := anyScope(r, c), anyScope(r, c)
			n, err := s.Narrow(demand)
			if err != nil || !n.Covers(c) {
				continue
			}
			// whatever the demand leaves open is filled in from what came out
			full := demand
			if n.Digest != "" {
				full.Digest = n.Digest
			}
			full.Tool, full.Under, full.Dir = or(demand.Tool, n.Tool), or(demand.Under, n.Under), or(demand.Dir, n.Dir)
			if len(demand.Programs) == 0 {
				full.Programs = n.Programs
			}
			if len(demand.Codes) == 0 {
				full.Codes = n.Codes
			}
			if !full.Covers(c) {
				r.Fatalf("%+v narrowed by %+v covers %+v", s, demand, c)
			}
		}
	})
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestNarrowOfWhatCoversNothingIsRefused(t *testing.T) {
	t.Parallel()
	whole := assent.Scope{Tool: "shell", Programs: []string{"rm"}, Codes: []string{"fs.delete"}, Under: "/w", Uses: 5, For: 60}
	for name, s := range map[string]assent.Scope{
		"zero":        {},
		"no tool":     {Codes: whole.Codes, Under: "/w"},
		"no codes":    {Tool: "shell", Under: "/w"},
		"no place":    {Tool: "shell", Codes: whole.Codes},
		"holder only": {Agent: "claude", Session: "s1"},

		"any tool at a place":     {Tool: assent.AnyTool, Codes: whole.Codes, Under: "/w"},
		"any tool in a directory": {Tool: assent.AnyTool, Programs: whole.Programs, Dir: "/w"},
		"any tool with a program": {Tool: assent.AnyTool, Programs: whole.Programs},
		"any tool with a code":    {Tool: assent.AnyTool, Codes: whole.Codes},
	} {
		for _, demand := range []assent.Scope{whole, {}, {Tool: assent.AnyTool}} {
			if n, err := s.Narrow(demand); !errors.Is(err, assent.ErrScope) {
				t.Errorf("%s became %+v, %v", name, n, err)
			}
		}
	}
	for name, demand := range map[string]assent.Scope{
		"a digest": {Digest: "d"}, "another tool": {Tool: "write"}, "other programs": {Programs: []string{"mv"}},
		"other codes": {Codes: []string{"net.egress"}}, "a place outside": {Under: "/x"}, "a wider place": {Under: "/"}, "a twin": {Under: "/wx"},
	} {
		if n, err := whole.Narrow(demand); !errors.Is(err, assent.ErrScope) {
			t.Errorf("%s gave %+v, %v", name, n, err)
		}
	}
	all := assent.Scope{Tool: assent.AnyTool, Session: "s1", Uses: 5, For: 60}
	for name, demand := range map[string]assent.Scope{
		"a place without a tool": {Codes: whole.Codes, Under: "/w"}, "a tool without a place": {Tool: "shell", Codes: whole.Codes}, "any tool at a place": {Tool: assent.AnyTool, Codes: whole.Codes, Under: "/w"},
		"a place without a code": {Tool: "shell", Under: "/w"}, "a program": {Programs: []string{"rm"}}, "another session": {Session: "s2"},
	} {
		if n, err := all.Narrow(demand); !errors.Is(err, assent.ErrScope) {
			t.Errorf("of anything, %s gave %+v, %v", name, n, err)
		}
	}
	shape := assent.Scope{Tool: "shell", Programs: []string{"git push"}, Dir: "/w", Uses: 5, For: 60}
	for name, demand := range map[string]assent.Scope{
		"another subcommand": {Programs: []string{"git pull"}}, "another directory": {Dir: "/x"}, "a wider directory": {Dir: "/"}, "a target without a fact": {Under: "/w"},
	} {
		if n, err := shape.Narrow(demand); !errors.Is(err, assent.ErrScope) {
			t.Errorf("%s gave %+v, %v", name, n, err)
		}
	}
	for name, x := range map[string]struct{ demand, want assent.Scope }{
		"a wider program":    {assent.Scope{Programs: []string{"git", "rm"}}, shape},
		"a narrower program": {assent.Scope{Programs: []string{"git push origin", "git"}}, assent.Scope{Tool: "shell", Programs: []string{"git push origin", "git push"}, Dir: "/w", Uses: 5, For: 60}},
		"a place inside":     {assent.Scope{Dir: "/w/a"}, assent.Scope{Tool: "shell", Programs: []string{"git push"}, Dir: "/w/a", Uses: 5, For: 60}},
	} {
		if n, err := shape.Narrow(x.demand); err != nil || !reflect.DeepEqual(n, x.want) {
			t.Errorf("%s gave %+v, %v", name, n, err)
		}
	}
	exact := assent.Scope{Digest: "d", Session: "s1", Uses: 1}
	for name, demand := range map[string]assent.Scope{"another digest": {Digest: "e"}, "a class": whole, "another session": {Session: "s2"}} {
		if n, err := exact.Narrow(demand); !errors.Is(err, assent.ErrScope) {
			t.Errorf("%s gave %+v, %v", name, n, err)
		}
	}
	for _, s := range []assent.Scope{whole, exact, all} {
		if n, err := s.Narrow(s); err != nil || !reflect.DeepEqual(n, s) {
			t.Errorf("%+v by itself gave %+v, %v", s, n, err)
		}
		if n, err := s.Narrow(assent.Scope{}); err != nil || !reflect.DeepEqual(n, s) {
			t.Errorf("%+v by nothing gave %+v, %v", s, n, err)
		}
	}
}

func TestNarrowSharesNothingWithItsScope(t *testing.T) {
	t.Parallel()
	s := assent.Scope{Tool: "shell", Programs: []string{"rm"}, Codes: []string{"fs.delete"}, Under: "/w"}
	n, err := s.Narrow(assent.Scope{Under: "/w/a"})
	if err != nil {
		t.Fatal(err)
	}
	n.Programs[0], n.Codes[0] = "dd", "fs.device"
	if s.Programs[0] != "rm" || s.Codes[0] != "fs.delete" {
		t.Fatalf("%+v", s)
	}
}

func TestTheZeroScopeCoversNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCase(r)
		held := assent.Scope{Agent: c.Agent, Principal: c.Principal, Session: c.Session, Profile: c.Profile, Uses: 9, For: assent.Duration(time.Hour)}
		if (assent.Scope{}).Covers(c) || held.Covers(c) {
			r.Fatalf("covers %+v", c)
		}
		if n, err := (assent.Scope{}).Narrow(whole(r, c)); err == nil {
			r.Fatalf("nothing, narrowed to anything, is %+v", n)
		}
	})
}

// deletes is a case that class covers.
func deletes(targets ...string) assent.Case {
	c := assent.Case{Event: assent.Event{Tool: "shell", Agent: "claude", Session: "s1", Principal: "uid:1"}}
	for _, t := range targets {
		c.Findings = append(c.Findings, assent.Finding{Code: "fs.delete", Target: t})
	}
	c.Commands = []assent.Command{{Name: "rm"}, {Name: "rm"}}
	return typed(c)
}

func TestAClassCoversWhenEverythingLiesInside(t *testing.T) {
	t.Parallel()
	class := assent.Scope{Tool: "shell", Programs: []string{"rm", "mv"}, Codes: []string{"fs.delete", "code.unknown", "persist"}, Under: "/w/a"}
	if !class.Covers(deletes("/w/a", "/w/a/b", "/w/a/..b", "/w/./a/c")) {
		t.Fatal("does not cover what lies inside")
	}
	for name, change := range map[string]func(*assent.Case){
		"a target outside": func(c *assent.Case) {
			c.Findings = append(c.Findings, assent.Finding{Code: "fs.delete", Target: "/w/b"})
		},
		"a twin":              func(c *assent.Case) { c.Findings[0].Target = "/w/ab" },
		"dots":                func(c *assent.Case) { c.Findings[0].Target = "/w/a/../b" },
		"a relative target":   func(c *assent.Case) { c.Findings[0].Target = "w/a" },
		"no target":           func(c *assent.Case) { c.Findings[0].Target = "" },
		"another code":        func(c *assent.Case) { c.Findings[0].Code = "net.egress" },
		"a protected code":    func(c *assent.Case) { c.Findings[0].Code = "code.unknown" },
		"persistence":         func(c *assent.Case) { c.Findings[0].Code = "persist" },
		"no finding":          func(c *assent.Case) { c.Findings = nil },
		"another program":     func(c *assent.Case) { c.Commands = append(c.Commands, assent.Command{Name: "dd"}) },
		"a program not known": func(c *assent.Case) { c.Commands[0].Name = "" },
		"another tool":        func(c *assent.Case) { c.Tool = "write" },

		"more than a command": func(c *assent.Case) {
			c.Input = []byte(`{"command":"rm x && rm x","dangerouslyDisableSandbox":true}`)
		},
		"no command": func(c *assent.Case) { c.Input = []byte(`{"text":"rm x && rm x"}`) },
		"a variable": func(c *assent.Case) {
			c.Input = []byte(`{"command":"rm x;PATH=. ;rm x"}`)
			c.Commands[1].Span = assent.Span{From: 12, To: 16}
		},
		"a loop":              func(c *assent.Case) { c.Input = []byte(`{"command":"rm x && rm x while"}`) },
		"a heredoc":           func(c *assent.Case) { c.Input = []byte(`{"command":"rm x && rm x\n$(curl)"}`) },
		"no place":            func(c *assent.Case) { c.Commands[0].Span = assent.Span{} },
		"a place outside":     func(c *assent.Case) { c.Commands[1].Span.To = 99 },
		"an environment":      func(c *assent.Case) { c.Commands[0].Env = []assent.Assign{{Name: "PATH"}} },
		"a wrapper":           func(c *assent.Case) { c.Commands[0].Via = []string{"chroot"} },
		"a program at a path": func(c *assent.Case) { c.Commands[0].Program.Value = "./rm" },
		"an unknown word":     func(c *assent.Case) { c.Commands[0].Args = []assent.Word{{Text: "$((PATH=0))"}} },
		"an unknown file": func(c *assent.Case) {
			c.Commands[0].Redirects = []assent.Redirect{{Op: ">", Target: assent.Word{Text: "$X"}}}
		},
	} {
		c := deletes("/w/a/x")
		change(&c)
		if class.Covers(c) {
			t.Errorf("%s is covered", name)
		}
	}
	for name, holder := range map[string]assent.Scope{"session": {Session: "s2"}, "agent": {Agent: "plain"}, "principal": {Principal: "uid:2"}, "profile": {Profile: "home"}} {
		s := class
		s.Session, s.Agent, s.Principal, s.Profile = holder.Session, holder.Agent, holder.Principal, holder.Profile
		if s.Covers(deletes("/w/a/x")) {
			t.Errorf("covers another %s", name)
		}
		s = assent.Scope{Digest: deletes("/w/a/x").Digest(), Session: holder.Session, Agent: holder.Agent, Principal: holder.Principal, Profile: holder.Profile}
		if s.Covers(deletes("/w/a/x")) {
			t.Errorf("the exact scope covers another %s", name)
		}
	}
}

func TestWhatHasNoDigestIsCoveredByNone(t *testing.T) {
	t.Parallel()
	c := assent.Case{Event: assent.Event{Tool: "shell", Input: []byte(`{`)}}
	if c.Digest() != "" || (assent.Scope{Digest: c.Digest()}).Covers(c) {
		t.Fatalf("digest %q", c.Digest())
	}
}

// pushes is a case that a class in a directory covers.
func pushes() assent.Case {
	word := func(s string) assent.Word { return assent.Word{Text: s, Value: s, Known: true} }
	return typed(assent.Case{
		Event:    assent.Event{Tool: "shell", Dir: "/w"},
		Commands: []assent.Command{{Name: "git", Dir: "/w/a", Args: []assent.Word{word("push"), word("origin"), word("a/b")}}},
		Findings: []assent.Finding{{Code: "vcs.push", Target: "/w/a"}},
	})
}

func TestAClassInADirectoryCoversWhatStaysThere(t *testing.T) {
	t.Parallel()
	class := assent.Scope{Tool: "shell", Programs: []string{"rm", "git push"}, Codes: []string{"vcs.push"}, Dir: "/w"}
	plain := pushes()
	plain.Findings = nil
	if !class.Covers(pushes()) || !class.Covers(plain) {
		t.Fatal("does not cover what stays there")
	}
	write := assent.Case{Event: assent.Event{Tool: "write", Dir: "/w", Input: []byte(`{"path":"/w/x"}`)}, Findings: []assent.Finding{{Code: "vcs.push", Target: "/w/x"}}}
	if class.Tool = "write"; class.Covers(write) {
		t.Fatal("covers a call without commands")
	}
	class.Tool = "shell"
	if away := typed(assent.Case{Event: plain.Event, Commands: []assent.Command{{Name: "rm", Dir: "/x"}}}); class.Covers(away) {
		t.Fatal("covers a command without arguments that runs elsewhere")
	}
	arg := func(v string) func(*assent.Case) {
		return func(c *assent.Case) { c.Commands[0].Args[2] = assent.Word{Text: v, Value: v, Known: true} }
	}
	for name, change := range map[string]func(*assent.Case){
		"another subcommand":   func(c *assent.Case) { c.Commands[0].Args[0].Value = "pull" },
		"no subcommand":        func(c *assent.Case) { c.Commands[0].Args = nil },
		"one not known":        func(c *assent.Case) { c.Commands[0].Args[0].Known = false },
		"another program":      func(c *assent.Case) { c.Commands[0].Name = "hg" },
		"another directory":    func(c *assent.Case) { c.Commands[0].Dir = "/x" },
		"a directory unknown":  func(c *assent.Case) { c.Commands[0].Dir = "" },
		"another code":         func(c *assent.Case) { c.Findings[0].Code = "vcs.discard" },
		"a target outside":     func(c *assent.Case) { c.Findings[0].Target = "/etc/x" },
		"a machine":            func(c *assent.Case) { c.Findings[0].Target = "example.com" },
		"an absolute path":     arg("/etc/passwd"),
		"a way up":             arg("../../x"),
		"a home":               arg("~/.ssh/id"),
		"somebody's home":      arg("~root/x"),
		"the value of options": arg("--exec=/tmp/x"),
		"a letter's value":     arg("-C/etc"),
		"a list of paths":      arg("a:/etc:b"),
		"a mount":              arg("type=bind,src=/,dst=x"),
		"a file's address":     arg("file:///etc/passwd"),
		"an address that climbs": func(c *assent.Case) {
			c.Commands[0].Args[2] = assent.Word{Text: "x", Value: "https://../../../etc/passwd", Known: true}
		},
		"a redirection": func(c *assent.Case) {
			c.Commands[0].Redirects = []assent.Redirect{{Op: ">", Target: assent.Word{Value: "/etc/x", Known: true}}}
		},
		"a wrapper":   func(c *assent.Case) { c.Commands[0].Via = []string{"sudo"} },
		"a variable":  func(c *assent.Case) { c.Commands[0].Env = []assent.Assign{{Name: "GIT_SSH"}} },
		"a protected": func(c *assent.Case) { c.Findings[0].Code = "persist" },
	} {
		c := pushes()
		change(&c)
		if class.Covers(c) {
			t.Errorf("%s is covered", name)
		}
	}
	for _, fine := range []string{"a", "./a", "b/../a", "/w/x", "https://example.com/x", "--exec=x", "-Cx", "/dev/null", "a=b,c", "-"} {
		c := pushes()
		arg(fine)(&c)
		if !class.Covers(c) {
			t.Errorf("%s is not covered", fine)
		}
	}
}
