package analyze

// Readers of other languages: they never panic, and never take for harmless what
// they do not understand.

import (
	"strings"
	"testing"
)

// codeReaders are all that read code.
func codeReaders() map[string]func(string) effects {
	all := map[string]func(string) effects{
		"awk": observeAwk, "sed": observeSed, "osascript": observeApple, "vim": observeEditor, "emacs": observeLisp, "jq": observeJQ,
	}
	for _, l := range languages {
		all[l.name] = func(text string) effects { return observe(l, text) }
	}
	return all
}

// nothing reports whether code was taken for doing nothing of note.
func (e effects) nothing() bool {
	return len(e.texts)+len(e.argvs)+len(e.acts)+len(e.codes)+len(e.facts) == 0 && !e.unclear
}

// TestUnknownCallsAreUnclear: a call of which nothing is known is never passed
// over.
func TestUnknownCallsAreUnclear(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		for _, code := range []string{"frobnicate(1)", "x.frobnicate(1)", "print(frobnicate(1))", "frobnicate(print(1))", "a = frobnicate(1)"} {
			if e := observe(l, code); e.nothing() {
				t.Errorf("%s: %s is taken for nothing", l.name, code)
			}
		}
	}
}

// TestOpenTextsAreUnclear: what ends within a string is not understood.
func TestOpenTextsAreUnclear(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		for _, code := range []string{`print("`, `print('a`, `"a" + "b`} {
			if e := observe(l, code); !e.unclear {
				t.Errorf("%s: %s is taken for understood", l.name, code)
			}
		}
	}
	if e := observe(&python, "print(1)\n"+strings.Repeat("x = 1\n", maxTokens)); !e.unclear {
		t.Error("a text that is too long is taken for understood")
	}
}

// TestEveryFunctionIsFound: each name of the tables leads to its own effect.
func TestEveryFunctionIsFound(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		for _, f := range l.functions {
			for name := range strings.FieldsSeq(f.names) {
				if got, ok := l.function(name, f.where); !ok || got.does != f.does {
					t.Errorf("%s: %s is %v, not %v", l.name, name, got.does, f.does)
				}
				if has(l.pure, name) {
					t.Errorf("%s: %s only computes, and does more", l.name, name)
				}
			}
		}
	}
}

// TestWorkIsBounded: what is nested without end is left, and said to be.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		strings.Repeat("eval(", 3000), strings.Repeat("os.path.join('a',", 1000) + strings.Repeat(")", 1000), "a" + strings.Repeat("(1).b", 1500),
		strings.Repeat("subprocess.run([", 1500), strings.Repeat("a=(", 1500), strings.Repeat("`${a", 1000) + strings.Repeat("}`", 1000),
	} {
		for name, read := range codeReaders() {
			if name != "sed" && name != "vim" && name != "awk" && name != "jq" && read(code).nothing() {
				t.Errorf("%s: %.20s… is taken for nothing", name, code)
			}
		}
	}
}

func FuzzCode(f *testing.F) {
	for _, seed := range []string{
		`import os as o; o.system("ls" + x)`, "print(f'{open(\"x\").read()}')", "`ls #{x}`", "%w[a b].each { |x| system x }", "s/a/b/e; y/a/b/", "open(my $f, '<', \"$ENV{HOME}/x\")",
		"const {a: b, c} = require('fs'); b(`x${c('y')}`)", "BEGIN { while ((\"ls\" | getline l) > 0) print l > \"x\" }", "1,/a/{s/x/y/w f\ne ls\n}", "(shell-command \"ls\")", ":!ls", "|&", "do shell script \"ls\"", "$ENV.x | env", "a::b->c(1)?.d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range codeReaders() {
			read(text)
		}
	})
}
