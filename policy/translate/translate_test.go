package translate_test

// What becomes of the lists of other products. Each archive of testdata is a file
// and what it becomes: go test ./policy/translate -update writes that anew, to be
// reviewed.

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"assent"
	"assent/analyze"
	"assent/policy/rules"
	"assent/policy/translate"
)

var update = flag.Bool("update", false, "write what the files become anew")

func analyse(e assent.Event) assent.Case {
	return analyze.Case(e, assent.Places{Home: "/home/you", Assent: "/home/you/.assent"})
}

func read(t *testing.T, product, name string, raw []byte) translate.Result {
	t.Helper()
	from, ok := translate.Named(product)
	if !ok {
		t.Fatalf("no product %q", product)
	}
	r, err := from.Read(name, raw, analyse)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

func TestTranslations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < len(translate.All) {
		t.Fatal("too few files", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		product, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
		r := read(t, product, a.Files[0].Name, a.Files[0].Data)
		got := []txtar.File{{Name: "rules", Data: []byte(rules.Format(r.Rules))}, {Name: "left", Data: []byte(shown(r.Left))}}
		if *update {
			a.Files = append(a.Files[:1:1], got...)
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(a.Files[1:], got); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
		sound(t, r)
	}
}

func shown(left []translate.Left) string {
	var b strings.Builder
	for _, l := range left {
		fmt.Fprintf(&b, "%d: %s: %s\n", l.Line, l.Text, l.Why)
	}
	return b.String()
}

// sound: what is translated can be read as a file of rules, its examples come out,
// and lint has nothing against it.
func sound(t interface{ Fatalf(string, ...any) }, r translate.Result) {
	list, err := rules.Parse("r.yaml", []byte(rules.Format(r.Rules)))
	if err == nil {
		err = rules.Try(list, analyse)
	}
	if remarks := rules.Lint(list, nil, analyse); err != nil || len(remarks) > 0 || len(list) != len(r.Rules) {
		t.Fatalf("%v %+v\n%s", err, remarks, rules.Format(r.Rules))
	}
	for _, l := range r.Left {
		if l.Why == "" || strings.Contains(l.Why, "\n") {
			t.Fatalf("%+v does not say why", l)
		}
	}
}

func TestWhatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for name, product := range map[string]string{"settings.json": "claude", "config.toml": "codex", "settings.jsonc": "gemini", "policy.toml": "gemini", "config.yaml": "hermes"} {
		from, _ := translate.Named(product)
		r, err := from.Read(name, []byte("{]"), analyse)
		if !errors.Is(err, assent.ErrInvalid) || !strings.HasPrefix(err.Error(), name+": ") || len(r.Rules) > 0 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, ok := translate.Named("emacs"); ok {
		t.Error("there is no such product")
	}
}

func TestAnEmptyFileSaysNothing(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{{"claude", "settings.json", "{}"}, {"codex", "a.rules", "# none\n"}, {"codex", "config.toml", ""}, {"gemini", "settings.json", "{}"}, {"gemini", "a.toml", ""}, {"hermes", "config.yaml", "model: x\n"}} {
		if r := read(t, c[0], c[1], []byte(c[2])); len(r.Rules)+len(r.Left) > 0 {
			t.Errorf("%v: %+v", c, r)
		}
	}
}

// Priorities are only missed where one would have counted.
func TestPrioritiesThatSayNothing(t *testing.T) {
	t.Parallel()
	one := func(decision string, priority int) string {
		return fmt.Sprintf("[[rule]]\ntoolName = \"t%d%s\"\ndecision = %q\npriority = %d\n", priority, decision, decision, priority)
	}
	for text, left := range map[string]int{
		one("allow", 1) + one("deny", 1): 0, one("allow", 1) + one("deny", 2): 0, one("allow", 2) + one("deny", 1): 1, one("allow", 2) + one("allow", 1): 0,
	} {
		if r := read(t, "gemini", "p.toml", []byte(text)); len(r.Left) != left {
			t.Errorf("%s: %+v", text, r.Left)
		}
	}
}

// FuzzRead: any file of any product is read or refused, and what comes of it is
// sound.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Ext(a.Files[0].Name) == ".toml", a.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, isTOML bool, raw []byte) {
		if len(raw) > 2000 {
			return
		}
		name := "settings"
		if isTOML {
			name += ".toml"
		}
		for _, from := range translate.All {
			r, err := from.Read(name, raw, analyse)
			if err != nil {
				if !errors.Is(err, assent.ErrInvalid) {
					t.Fatal(err)
				}
				continue
			}
			sound(t, r)
		}
	})
}
