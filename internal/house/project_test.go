package house

// The project around the code: what its files may not name, and which
// dependencies are accounted for.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unnamed are hosts of registries, and folders of single machines: nothing in
// the project depends on where it was made. They are written in pieces, so that
// this file passes its own test.
var unnamed = []string{
	dot("proxy", "golang", "org"), dot("sum", "golang", "org"), dot("registry", "npmjs", "org"), dot("deb", "debian", "org"),
	dot("pypi", "org"), dot("files", "pythonhosted", "org"), "/wo" + "rk/main", "/wo" + "rk/shared", "/roo" + "t/go/",
}

func dot(parts ...string) string { return strings.Join(parts, ".") }

func TestNoFileNamesARegistryOrAMachine(t *testing.T) {
	t.Parallel()
	top := top(t)
	seen := 0
	err := walk(top, func(path string) error {
		if filepath.Base(path) == "go.sum" {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		for _, host := range unnamed {
			if i := bytes.Index(raw, []byte(host)); i >= 0 {
				t.Errorf("%s:%d names %s", path, 1+bytes.Count(raw[:i], []byte("\n")), host)
			}
		}
		return nil
	})
	if err != nil || seen < 10 {
		t.Fatalf("%d files read: %v", seen, err)
	}
}

func top(t *testing.T) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(top(t), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestEveryDependencyIsAccountedFor(t *testing.T) {
	t.Parallel()
	account := read(t, "docs/dependencies.md")
	required := requirements(read(t, "go.mod"))
	if len(required) < 5 {
		t.Fatalf("go.mod was not understood: %v", required)
	}
	used := map[string]string{}
	for _, s := range load(t) {
		for _, spec := range s.file.Imports {
			if what := imported(spec); strings.Contains(strings.Split(what, "/")[0], ".") {
				used[module(what, required)] = s.at(spec)
			}
		}
	}
	for mod, direct := range required {
		at, imports := used[mod]
		if (direct || imports) && !strings.Contains(account, "`"+mod+"`") {
			t.Errorf("%s (%s) does not stand in docs/dependencies.md", mod, at)
		}
	}
}

// requirements reads the modules of go.mod, and whether each is a direct one.
func requirements(mod string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(mod) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(words) >= 2 && strings.Contains(words[0], ".") && strings.HasPrefix(words[1], "v") {
			all[words[0]] = !strings.Contains(line, "// indirect")
		}
	}
	return all
}

// module finds the required module that a package belongs to.
func module(pkg string, required map[string]bool) string {
	for p := pkg; p != "."; p = filepath.ToSlash(filepath.Dir(p)) {
		if _, ok := required[p]; ok {
			return p
		}
	}
	return pkg
}

func TestEveryAccountedDependencyIsUsed(t *testing.T) {
	t.Parallel()
	required := requirements(read(t, "go.mod"))
	for line := range strings.Lines(read(t, "docs/dependencies.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		mod := strings.TrimSpace(cells[1])
		name := strings.Trim(mod, "`")
		if _, ok := required[name]; mod != name && !ok {
			t.Errorf("docs/dependencies.md accounts for %s, which go.mod does not have", name)
		}
	}
}
