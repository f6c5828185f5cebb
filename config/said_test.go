package config

// The user's rules: where they are read, and that they are heard.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent"
	"assent/engine"
)

// write puts files into a new home.
func write(t *testing.T, files map[string]string) Home {
	t.Helper()
	h := newHome(t)
	for name, text := range files {
		path := filepath.Join(h.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func TestRulesAreReadFromTheFileAndTheDirectory(t *testing.T) {
	t.Parallel()
	h := write(t, map[string]string{
		"config.yaml": "default: ask\nrules:\n- ask: {program: one}\n", "rules.d/20-b.yaml": "rules:\n- ask: {program: three}\n", "rules.d/10-a.yaml": "\nrules:\n- ask: {program: two}\n",
		"rules.d/.hidden.yaml": "nonsense", "rules.d/README": "nonsense", "rules.d/empty.yaml": "",
	})
	f, err := Load(h.Config())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range f.Said {
		got = append(got, r.When.Program[0]+" "+strings.TrimPrefix(r.At.String(), h.Dir+"/"))
	}
	if want := "one config.yaml:3, two rules.d/10-a.yaml:3, three rules.d/20-b.yaml:2"; strings.Join(got, ", ") != want {
		t.Errorf("%v, not %s", got, want)
	}
	if err := os.Remove(h.Config()); err != nil {
		t.Fatal(err)
	}
	if f, err := Load(h.Config()); err != nil || len(f.Said) != 2 || f.Default != Zero().Default {
		t.Errorf("without the file: %+v, %v", f, err)
	}
}

func TestBrokenRulesAreAnErrorWithItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, says string }{
		"in the file":       {"config.yaml", "ask: hold\nrules:\n- ask: {progam: x}\n", "config.yaml:3: there is no key \"progam\"; did you mean \"program\"?"},
		"no list":           {"config.yaml", "rules: yes\n", "config.yaml:1: a list of rules was expected"},
		"in the directory":  {"rules.d/a.yaml", "rules:\n- deny:\n", "rules.d/a.yaml:2: it says nothing"},
		"other keys there":  {"rules.d/a.yaml", "ask: agent\n", "rules.d/a.yaml:1: there is no key \"ask\"; there are rules"},
		"an example":        {"rules.d/a.yaml", "rules:\n- ask: {program: x}\n  match: [y]\n", "rules.d/a.yaml:3: the rule does not match y, because of program"},
		"another extension": {"rules.d/a.yml", "rules:\n", "a.yml: a file of rules ends in .yaml"},
		"a directory":       {"rules.d/a.yaml/x", "", "a.yaml is not a file"},
		"too long":          {"rules.d/a.yaml", "#" + strings.Repeat("x", 1<<20), "rules.d/a.yaml:1: it is longer than"},
	} {
		h := write(t, map[string]string{c.file: c.text})
		f, err := Load(h.Config())
		if !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), c.says) || len(f.Said) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRulesAreHeard(t *testing.T) {
	t.Parallel()
	h := write(t, map[string]string{"config.yaml": "default: ask\nrules:\n- allow: {program: make, args: [lint]}\n- deny: {program: terraform, why: by the pipeline alone}\n"})
	work := write(t, map[string]string{
		"project/.assent/rules.yaml":   "rules:\n- ask: {program: make, why: it is slow}\n- allow: {program: frobnicate}\n",
		"project/b/.assent/rules.yaml": "rules:\n- ask: [\n",
		"project/.git/HEAD":            "",
	})
	f, err := Load(h.Config())
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(Options(f, assent.Places{Home: "/home/ada", Assent: h.Dir}))
	for _, c := range []struct {
		dir, line string
		want      assent.Decision
		says      string
	}{
		{"elsewhere", "make lint", assent.Allow, "Rule config.yaml:3 allows it."},
		{"elsewhere", "make all", assent.Ask, ""},
		{"elsewhere", "terraform plan", assent.Deny, "Rule config.yaml:4 denies it: by the pipeline alone."},
		{"elsewhere", "make lint; rm -rf /", assent.Deny, ""},
		{"project", "make lint", assent.Ask, "rules.yaml:2 asks: it is slow."},
		{"project", "frobnicate x", assent.Ask, ""},
		{"project/b", "ls", assent.Ask, "The rules of this project cannot be read"},
		{"project/b", "terraform plan", assent.Deny, "Rule config.yaml:4"},
	} {
		_, v := e.Check(t.Context(), assent.Event{Name: assent.PreToolCall, Agent: "a", Tool: assent.ToolShell, Dir: filepath.Join(work.Dir, c.dir), Input: []byte(`{"command":"` + c.line + `"}`)})
		if v.Decision != c.want || !strings.Contains(v.Tell, c.says) {
			t.Errorf("in %s %s: %v, %q", c.dir, c.line, v.Decision, v.Tell)
		}
	}
}

// What a server goes by tells other rules apart, and none from some.
func TestRulesAreNamedByTheirContent(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, text := range []string{"", "rules:\n- ask: {program: x}\n", "rules:\n- deny: {program: x}\n", "rules:\n- ask: {program: [x, y]}\n"} {
		f, err := Parse("c.yaml", []byte(text))
		if err != nil || seen[f.Rules().Said] || (f.Rules().Said == "") != (text == "") {
			t.Errorf("%q: %q, %v", text, f.Rules().Said, err)
		}
		seen[f.Rules().Said] = true
	}
}
