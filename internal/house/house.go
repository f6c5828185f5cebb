// Package house holds the tests that keep the repository in order: who may
// import whom, how long files and functions may be, what stands nowhere. It is
// never imported, and it never looks at what the code does.
//
//	go test ./internal/house
//
// To let a folder import more, change its row in the table in layers_test.go
// and say there why.
package house

// What the tests read: the repository's own Go files, parsed once.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// source is one Go file of the repository.
type source struct {
	path string // from the repository's root, with slashes
	dir  string // its folder; "" is the root
	set  *token.FileSet
	file *ast.File
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }
func (s source) main() bool { return s.file.Name.Name == "main" }
func (s source) lines() int { return s.set.File(s.file.Pos()).LineCount() }

// at names a place in the file, for a person.
func (s source) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(n.Pos()).Line)
}

// root finds the folder with go.mod, from the working directory up.
func root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// walk calls visit with every file of the project: not what git, npm or a build
// keeps, and no testdata.
func walk(top string, visit func(path string) error) error {
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != top && (name == "testdata" || name == "node_modules" || name == "bin" || strings.HasPrefix(name, ".") && name != ".ci") {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		return visit(path)
	})
}

// sources parses every Go file under top but generated ones.
func sources(top string) ([]source, error) {
	var all []source
	set := token.NewFileSet()
	err := walk(top, func(path string) error {
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		rel, err := filepath.Rel(top, path)
		rel = filepath.ToSlash(rel)
		dir := strings.TrimSuffix(strings.TrimSuffix(rel, filepath.Base(path)), "/")
		all = append(all, source{rel, dir, set, file})
		return err
	})
	return all, err
}
