package house

// The layering: which folder may import what.

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everything allows any import.
const everything = "*"

// mayImport is the table of the house: a folder, and what its code may import
// besides the standard library and the root package. "x/*" is every folder under
// x. Tests may import anything: the compiler keeps them from going in circles.
// A folder that is not here may import the root alone.
var mayImport = map[string][]string{
	"": {}, // the root is standard library only

	"shell":                  {"mvdan.cc/sh/v3/syntax", "mvdan.cc/sh/v3/pattern"},
	"analyze":                {"shell", "programs"},
	"policy":                 {},
	"policy/rules":           {"programs", "programs/*", "github.com/goccy/go-yaml/*", "github.com/goccy/go-yaml"},
	"policy/translate":       {"policy/rules", "programs", "github.com/goccy/go-yaml", "github.com/pelletier/go-toml/v2", "github.com/tailscale/hujson"}, // reads what other products write
	"review":                 {"programs/*"},
	"grant":                  {"internal/clock"},
	"harness":                {"harness/*"},
	"harness/claude":         {"github.com/tailscale/hujson"}, // settings files keep their comments
	"store/sqlite":           {"store/sqlite/*", "modernc.org/sqlite", "modernc.org/sqlite/*", "github.com/pressly/goose/v3"},
	"store/storetest":        {"pgregory.net/rapid", "github.com/google/go-cmp/cmp"}, // a suite for tests
	"surface/terminal":       {"golang.org/x/term"},
	"internal/peer":          {"golang.org/x/sys/*"},
	"internal/child":         {"golang.org/x/sys/*"},
	"internal/clock":         {"golang.org/x/sys/*"},
	"hook/answer":            {"hook"},
	"hook/consent":           {"hook", "github.com/gofrs/flock"},
	"hook/script":            {"hook", "hook/answer", "hook/consent", "internal/child"},
	"hook/python":            {"hook", "hook/answer", "internal/child"},
	"hook/dir":               {"hook", "hook/python", "hook/script", "github.com/goccy/go-yaml"},
	"hook/plugin":            {"hook", "hook/python", "github.com/goccy/go-yaml"},
	"hook/webhook":           {"hook", "hook/answer", "internal/post", "internal/redact"},
	"approve":                {"hook", "hook/answer", "hook/consent", "internal/child", "internal/post", "internal/redact"},
	"engine":                 {"review", "audit", "grant", "internal/redact"},
	"internal/mockllm/cmd/*": {"internal/mockllm"},
	"serve":                  {"internal/peer"},
	"serve/mcp":              {"internal/redact"},
	"broker":                 {"analyze", "internal/child", "internal/peer", "golang.org/x/sys/*"},
	"bench/judgement":        {"config", "engine"}, // it judges as a door does
	"bench/hooks":            {"hook", "hook/*"},
	"bench/grants":           {"analyze", "engine", "grant", "internal/seal", "policy", "store/sqlite"},
	"config":                 {everything},
	"cmd/assent":             {everything},
	"examples/*":             {everything},
}

func TestSiblingsNeverImportEachOther(t *testing.T) {
	t.Parallel()
	for _, s := range load(t) {
		if s.test() {
			continue
		}
		for _, spec := range s.file.Imports {
			if what := imported(spec); !allowed(s.dir, what) {
				t.Errorf("%s: %s may not import %s: the table in internal/house/layers_test.go has no row for it", s.at(spec), name(s.dir), what)
			}
		}
	}
}

func TestTheTableNamesOnlyFoldersThatExist(t *testing.T) {
	t.Parallel()
	var dirs []string
	for _, s := range load(t) {
		dirs = append(dirs, s.dir)
	}
	for dir := range mayImport {
		if !slices.ContainsFunc(dirs, func(d string) bool { return matches(dir, d) }) {
			t.Errorf("the table has a row for %q, and there is no such folder", dir)
		}
	}
}

// imported is an import as the table has it: our folders without the module's
// name; "" for the standard library.
func imported(spec *ast.ImportSpec) string {
	what, _ := strconv.Unquote(spec.Path.Value)
	first, rest, deep := strings.Cut(what, "/")
	switch {
	case what == "assent":
		return "assent"
	case first == "assent" && deep:
		return rest
	case strings.Contains(first, "."):
		return what
	}
	return ""
}

func allowed(dir, what string) bool {
	if what == "" || what == "assent" && dir != "" {
		return true
	}
	for row, list := range mayImport {
		if matches(row, dir) && slices.ContainsFunc(list, func(p string) bool { return matches(p, what) }) {
			return true
		}
	}
	return false
}

// matches reports whether a pattern of the table names a folder.
func matches(pattern, folder string) bool {
	under, deep := strings.CutSuffix(pattern, "/*")
	return pattern == everything || pattern == folder || deep && strings.HasPrefix(folder, under+"/")
}

func name(dir string) string {
	if dir == "" {
		return "the root package"
	}
	return path.Clean(dir)
}

func TestTheTableCanSayNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir, what string
		want      bool
	}{
		{"", "shell", false},
		{"", "golang.org/x/sys/unix", false},
		{"", "", true},
		{"analyze", "shell", true},
		{"analyze", "policy", false},
		{"shell", "analyze", false},
		{"surface/terminal", "engine", false},
		{"store/mem", "store/sqlite", false},
		{"store/mem", "assent", true},
		{"serve", "engine", false},
		{"harness", "harness/claude", true},
		{"harness/claude", "harness", false},
		{"cmd/assent", "serve", true},
		{"examples/embed", "engine", true},
	} {
		if got := allowed(c.dir, c.what); got != c.want {
			t.Errorf("may %s import %q: %v", name(c.dir), c.what, got)
		}
	}
}
