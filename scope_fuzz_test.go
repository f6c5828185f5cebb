package assent_test

// Scopes under attack: real command lines against classes of any kind.

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent"
	"assent/analyze"
)

// call is what is true of a command line.
func call(line string) assent.Case {
	in, _ := json.Marshal(map[string]string{"command": line})
	return analyze.Case(assent.Event{
		Name: assent.PreToolCall, Agent: "plain", Tool: assent.ToolShell, Dir: "/home/ada/shop", Input: in,
	}, assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"})
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// FuzzCovers: what narrowing leaves, the whole covers; and a class never covers an
// extra command, a protected fact, a word that is not known, a wrapper, a variable,
// or a place outside.
func FuzzCovers(f *testing.F) {
	f.Add("rm -rf build", "rm", "fs.delete", "/home/ada/shop", "", "rm", "/home/ada/shop/build")
	f.Add("git checkout main", "git checkout,git add", "vcs.change", "", "/home/ada/shop", "git checkout main", "")
	f.Add("rm -rf build && git add x > y", "rm,git add,git", "fs.delete,vcs.change,fs.write,fs.remove", "/", "/home/ada", "git", "/home/ada/shop/build")
	f.Add("touch a ../b", "touch", "fs.write", "", "/home/ada/shop", "", "")
	f.Add("npm run dev -- --port=1", "npm run dev", "code.file", "", "/home/ada/shop", "npm run", "/home")
	f.Fuzz(func(t *testing.T, line, programs, codes, under, dir, fewer, deeper string) {
		c := call(line)
		s := assent.Scope{Tool: assent.ToolShell, Programs: list(programs), Codes: list(codes), Under: under, Dir: dir}
		n, err := s.Narrow(assent.Scope{Programs: list(fewer), Under: deeper})
		if err == nil && n.Covers(c) && !s.Covers(c) {
			t.Fatalf("%+v covers %q, and %+v, which it is made of, does not", n, line, s)
		}
		anything := assent.Scope{Tool: assent.AnyTool, Agent: c.Agent}
		if all, err := anything.Narrow(s); !anything.Covers(c) && c.Digest() != "" || err == nil && all.Covers(c) != s.Covers(c) {
			t.Fatalf("of anything, %+v is %+v (%v), and of %q they do not agree", s, all, err, line)
		}
		if s.Tool = assent.AnyTool; s.Covers(c) && len(programs)+len(codes)+len(under)+len(dir) > 0 {
			t.Fatalf("%+v covers %q", s, line)
		}
		if s.Tool = assent.ToolShell; !s.Covers(c) {
			return
		}
		for _, fact := range c.Findings {
			outside := under != "" && !assent.Under(fact.Target, under) || dir != "" && !assent.Under(fact.Target, dir)
			if slices.Contains(assent.Protected, fact.Code) || !slices.Contains(s.Codes, fact.Code) || outside {
				t.Fatalf("%+v covers %+v of %q", s, fact, line)
			}
		}
		for name, spoilt := range spoil(c) {
			if s.Covers(spoilt) {
				t.Fatalf("%+v covers %q with %s", s, line, name)
			}
		}
	})
}

// spoil returns cases that differ from one that is covered in a way that no class
// covers.
func spoil(c assent.Case) map[string]assent.Case {
	out := map[string]assent.Case{}
	with := func(name string, change func(*assent.Case)) {
		x := c
		x.Commands, x.Findings = slices.Clone(c.Commands), slices.Clone(c.Findings)
		change(&x)
		out[name] = x
	}
	var in map[string]string
	_ = json.Unmarshal(c.Input, &in)
	text := in["command"]
	with("an extra command", func(x *assent.Case) {
		w := assent.Word{Text: "unheard-of", Value: "unheard-of", Known: true}
		x.Commands = append(x.Commands, assent.Command{Program: w, Name: w.Value, Dir: x.Dir, Span: assent.Span{From: len(text) + 1, To: len(text) + 1 + len(w.Value)}})
		x.Input, _ = json.Marshal(map[string]string{"command": text + ";" + w.Value})
	})
	with("words besides", func(x *assent.Case) { x.Input, _ = json.Marshal(map[string]string{"command": text + ";PATH=."}) })
	with("another field", func(x *assent.Case) { x.Input, _ = json.Marshal(map[string]string{"command": text, "sandbox": "off"}) })
	with("a protected fact", func(x *assent.Case) {
		x.Findings = append(x.Findings, assent.Finding{Code: "code.unknown", Target: x.Dir})
	})
	for i := range c.Commands {
		with("an unknown word", func(x *assent.Case) {
			x.Commands[i].Args = append(slices.Clone(x.Commands[i].Args), assent.Word{Text: "$X"})
		})
		with("a program that is not known", func(x *assent.Case) { x.Commands[i].Name = "" })
		with("a wrapper", func(x *assent.Case) { x.Commands[i].Via = []string{"sudo"} })
		with("a variable", func(x *assent.Case) { x.Commands[i].Env = []assent.Assign{{Name: "LD_PRELOAD"}} })
	}
	return out
}
