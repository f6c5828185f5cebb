package docscript

// What pages say of the code: tests that they name exist, and Go that they show is
// code that is compiled.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	named  = regexp.MustCompile("`(Test\\w+)(?:/([^`]+))?`")
	placed = regexp.MustCompile(`^(?:,? (?:and )?` + named.String() + `)* \(([\w/]+)\)`)
	fenced = regexp.MustCompile("(?s)\n```go\n(.*?)\n```\n")
)

// Every test that the page of threats names is in the package that it says, and has the
// case that it says: so the table of incidents cannot rot.
func TestThePageOfThreatsNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	page := string(text(t, "docs/threats.md"))
	found := 0
	for _, at := range named.FindAllStringSubmatchIndex(page, -1) {
		name := page[at[2]:at[3]]
		where := placed.FindStringSubmatch(page[at[1]:])
		if where == nil {
			t.Errorf("%s stands without its package", name)
			continue
		}
		folder := where[len(where)-1]
		if folder == "assent" {
			folder = "." // the root
		}
		found++
		source, ok := declared(t, folder)[name]
		switch {
		case !ok:
			t.Errorf("there is no test %s in %q", name, folder)
		case at[4] >= 0 && !strings.Contains(source, `"`+page[at[4]:at[5]]+`"`):
			t.Errorf("%s has no case %s", name, page[at[4]:at[5]])
		}
	}
	if found < 100 {
		t.Errorf("%d tests are named; the page was not understood", found)
	}
}

// declared are the tests of a folder, each with the text of its file.
func declared(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				tests[f.Name.Name] = string(source)
			}
		}
	}
	return tests
}

// The lines of Go on the page of grants stand in an example that is compiled and run.
func TestTheGoOfThePageOfGrantsIsCompiled(t *testing.T) {
	t.Parallel()
	var examples string
	files, err := filepath.Glob(filepath.Join(top, "grant", "example*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples += plain(string(raw))
	}
	fences := fenced.FindAllStringSubmatch(string(text(t, "docs/grants.md")), -1)
	if len(fences) < 5 {
		t.Fatalf("%d fences were found", len(fences))
	}
	for _, f := range fences {
		if !strings.Contains(examples, plain(f[1])) {
			t.Errorf("no example has these lines:\n%s", f[1])
		}
	}
}

// plain is code without its indentation, its comments at the end of a line, and its
// empty lines.
func plain(code string) string {
	var out strings.Builder
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, "// ")
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func text(t *testing.T, page string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
