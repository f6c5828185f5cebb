package house

// The form of the code: sizes, comments, and what stands nowhere.

import (
	"go/ast"
	"strings"
	"sync"
	"testing"
)

// The sizes that nothing exceeds.
const (
	maxFile     = 500
	maxFunction = 80
)

var once = sync.OnceValues(func() ([]source, error) {
	top, err := root()
	if err != nil {
		return nil, err
	}
	return sources(top)
})

func load(t *testing.T) []source {
	t.Helper()
	all, err := once()
	if err != nil || len(all) < 10 {
		t.Fatalf("%d files read: %v", len(all), err)
	}
	return all
}

func TestNothingIsTooLong(t *testing.T) {
	t.Parallel()
	for _, s := range load(t) {
		if n := s.lines(); n > maxFile {
			t.Errorf("%s has %d lines; no file has more than %d", s.path, n, maxFile)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%s: %s has %d lines; no function has more than %d", s.at(f), f.Name.Name, n, maxFunction)
			}
		}
	}
}

func TestNothingRunsBeforeMain(t *testing.T) {
	t.Parallel()
	for _, s := range load(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: init() runs before anybody asked for it; say it in a value or a call", s.at(f))
			}
		}
	}
}

func TestContextsComeFromTheCaller(t *testing.T) {
	t.Parallel()
	for _, s := range load(t) {
		if s.test() || s.main() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if ok && pkg.Name == "context" && (sel.Sel.Name == "Background" || sel.Sel.Name == "TODO") {
				t.Errorf("%s: context.%s outside main and tests", s.at(n), sel.Sel.Name)
			}
			return true
		})
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	said, where := map[string]bool{}, map[string]string{}
	for _, s := range load(t) {
		if s.test() {
			continue
		}
		where[s.dir] = s.path
		if s.file.Doc == nil {
			continue
		}
		said[s.dir] = true
		if !s.main() && !strings.HasPrefix(s.file.Doc.Text(), "Package "+s.file.Name.Name+" ") {
			t.Errorf("%s: the package comment does not begin with \"Package %s\"", s.path, s.file.Name.Name)
		}
	}
	for dir := range where {
		if !said[dir] {
			t.Errorf("%s has no package comment", name(dir))
		}
	}
}

// TestEveryFileSaysItsPurpose wants a comment before the first declaration: the
// package's own, or one that stands for itself below the package clause.
func TestEveryFileSaysItsPurpose(t *testing.T) {
	t.Parallel()
	for _, s := range load(t) {
		if s.file.Doc != nil {
			continue
		}
		first := s.file.End()
		if len(s.file.Decls) > 0 {
			first = s.file.Decls[0].Pos()
		}
		if len(s.file.Comments) == 0 || s.file.Comments[0].Pos() > first {
			t.Errorf("%s does not say its purpose in a first comment", s.path)
		}
	}
}

func TestNothingIsLeftForLater(t *testing.T) {
	t.Parallel()
	words := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X:"}
	for _, s := range load(t) {
		for _, group := range s.file.Comments {
			for _, w := range words {
				if strings.Contains(group.Text(), w) {
					t.Errorf("%s: %s: do it now, or file an issue", s.at(group), w)
				}
			}
		}
	}
}
