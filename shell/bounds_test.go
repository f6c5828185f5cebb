package shell

// The bounds of Parse: each limit is said, and bulk hides nothing in silence.

import (
	"slices"
	"strings"
	"testing"

	"assent"
)

// TestLimits: each limit is said.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"input":    strings.Repeat("true;", MaxInput/4),
		"parsed":   "$x " + strings.Repeat("x", MaxParsed) + ";a",
		"marks":    "$x;" + strings.Repeat("a;", MaxMarks),
		"nested":   "a='" + strings.Repeat("x ", MaxLiteral/4) + "';" + numbered(`eval "$a" %;`, 10),
		"commands": numbered("a%;", MaxCommands+1),
		"depth":    strings.Repeat("( ", MaxDepth+2) + "a" + strings.Repeat(" )", MaxDepth+2),
		"frames":   strings.Repeat("$(", 20_000),
		"word":     "a=" + strings.Repeat("x", MaxWord/2+1) + "; b $a$a$a",
		"literal":  "a " + strings.Repeat("x", MaxLiteral+1),
		"args":     "a" + strings.Repeat(" x", MaxArgs+1),
		"fields":   "a {1..600}",
		"braces":   "a " + strings.Repeat("{b,", MaxBraces+1),
		"steps":    "a=({1..500}); for i in $(x); do " + numbered("b% ${a[@]};", 1500) + " done",
	} {
		if s := Parse(text, "/work", "/home/ada"); !found(s, Limit) {
			t.Errorf("%s: past the limit, and it is not said: %v", name, s.Findings)
		}
	}
	if s := Parse(strings.Repeat("x", MaxName+1), "/work", ""); !found(s, Unknown) {
		t.Errorf("name: past the limit, and it is not said: %v", s.Findings)
	}
}

// TestCutShort: a command is seen though a limit has cut its arguments short.
func TestCutShort(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"{1..600}", strings.Repeat("y ", MaxArgs+1), strings.Repeat("{a,", MaxBraces+1), strings.Repeat("y", MaxLiteral+1)} {
		s := Parse("deed x "+args+"; deed y", "/work", "/home/ada")
		if n := len(s.Commands); n != 2 || s.Commands[0].Args[0].Value != "x" || !found(s, Limit) {
			t.Errorf("%.20s: %d commands, %v", args, n, s.Findings)
		}
	}
}

func found(s Script, codes ...string) bool {
	return slices.ContainsFunc(s.Findings, func(f assent.Finding) bool { return slices.Contains(codes, f.Code) })
}

// TestPadding: a dangerous command is seen behind, in front of and inside of
// bulk, or a finding says that not everything was.
func TestPadding(t *testing.T) {
	t.Parallel()
	for _, p := range paddings {
		s := Parse(p.text, "/work", "/home/ada")
		deed := slices.ContainsFunc(s.Commands, func(c assent.Command) bool { return c.Name == "rm" })
		if !deed && !found(s, Limit, Unknown) && strings.Contains(p.text, "rm -rf /") {
			t.Errorf("%s: it is not seen, and nothing says so: %v", p.name, s.Findings)
		}
	}
}

// TestLast: behind what a limit cuts off, the end is still seen.
func TestLast(t *testing.T) {
	t.Parallel()
	for name, pad := range map[string]string{
		"statements": numbered("a%;", MaxCommands+9),
		"list":       numbered("a% && ", MaxCommands+9),
		"pipe":       numbered("a% | ", MaxCommands+9),
		"subshell":   "(" + numbered("a%;", MaxCommands+9) + "b); ",
		"parsed":     "$x;" + numbered("a%;", MaxMarks),
		"too long":   numbered("a%;", MaxInput/4),
		"text":       "sh -c '" + numbered("a%;", MaxCommands+9) + "'; ",
		"steps":      "a=({1..500}); " + numbered("b% ${a[@]};", 1500),
	} {
		s := Parse(pad+"deed x", "/work", "/home/ada")
		if !found(s, Limit) {
			t.Errorf("%s: no limit was reached", name)
		}
		if !slices.ContainsFunc(s.Commands, func(c assent.Command) bool { return c.Name == "deed" && len(c.Args) == 1 }) {
			t.Errorf("%s: the last command is not seen: %v", name, s.Findings)
		}
	}
	s := Parse(numbered("a%;", MaxInput/4)+"echo 'deed x\n deed x", "/work", "/home/ada")
	if slices.ContainsFunc(s.Commands, func(c assent.Command) bool { return c.Name == "deed" }) {
		t.Error("the end of a text that is no code is taken for code")
	}
}

// TestRepeated: what is said once more is told once, unless it may mean
// something else.
func TestRepeated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"a; a; a":                       1,
		"a && a && a | a | a | a":       3,
		"a $X; X=1; a $X; a $X":         2,
		"cd x; cd x":                    2,
		"a <<E; a <<E\n1\nE\n2\nE\n":    2,
		"a; b; a; b":                    4,
		"X=1; y && X=2; a $X || a $X":   2,
		"f() { a; }; f; f":              3,
		"X=1 && y || X=2 && a $X\na $X": 3,
	} {
		if s := Parse(text, "/work", "/home/ada"); len(s.Commands) != want {
			t.Errorf("%s\nis %d commands, not %d: %s", text, len(s.Commands), want, render(text))
		}
	}
}

// TestFar: what runs elsewhere is told apart from what runs here.
func TestFar(t *testing.T) {
	t.Parallel()
	for text, far := range map[string]bool{
		"a": false, "sudo a": false, "sh -c a": false, "chroot /x a": false, "tar -I a x": false,
		"ssh h a": true, "docker exec c sudo a": true, "sudo kubectl exec p -- sh -c a": true, "ssh -o ProxyCommand=a h": false,
	} {
		for _, c := range Parse(text, "/work", "/home/ada").Commands {
			if c.Name == "a" && Far(c) != far {
				t.Errorf("%s: Far is %v", text, !far)
			}
			if c.Name == "a" && far && c.Dir != "" {
				t.Errorf("%s: it runs in %s, which is a directory here", text, c.Dir)
			}
		}
	}
}
