package dir

// What is found in a directory, and what is left out and why.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/hook/script"
)

func TestDiscoverSaysWhyItLeavesOut(t *testing.T) {
	t.Parallel()
	found, err := Discover("testdata/odd")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		dir, name string
		runs      bool
		problems  []string
	}{
		{"broken", "broken", false, []string{"it is left out: its HOOK.yaml cannot be read"}},
		{"empty", "empty", false, []string{"it is left out: its HOOK.yaml is empty"}},
		{"flow", "flow", true, []string{"its events are no list"}},
		{"misspelt", "spelling", true, []string{
			`there is no event "agent:strat"; did you mean "agent:start"?`, `the event "agent" alone is none; did you mean "agent:*"?`,
			`there is no event "nothing:*"`,
		}},
		{"no-events", "silent", false, []string{"it is left out: its HOOK.yaml lists no events"}},
		{"no-handler", "x", false, []string{"it is left out: it has none of handler.py"}},
		{"no-manifest", "no-manifest", false, []string{"it is left out: it has no HOOK.yaml"}},
	}
	if len(found) != len(want) {
		t.Fatalf("found %d: %+v", len(found), found)
	}
	for i, w := range want {
		f := found[i]
		if filepath.Base(f.Path) != w.dir || f.Name != w.name || (f.Handler != "") != w.runs || len(f.Problems) != len(w.problems) {
			t.Errorf("%s: %+v", w.dir, f)
			continue
		}
		for j, p := range w.problems {
			if !strings.HasPrefix(f.Problems[j], p) {
				t.Errorf("%s: %q, want %q", w.dir, f.Problems[j], p)
			}
		}
	}
}

func TestDiscoverKeepsTheOrderOfNames(t *testing.T) {
	t.Parallel()
	found, err := Discover("testdata/hooks")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
		if len(f.Problems) > 0 || f.Description == "" {
			t.Errorf("%+v", f)
		}
	}
	if want := []string{"activity-log", "boot", "command-usage", "long-task-alert", "session-webhook"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
}

func TestNoDirectoryNoHooks(t *testing.T) {
	t.Parallel()
	found, err := Discover(filepath.Join(t.TempDir(), "absent"))
	if err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

func TestTheSameNameTwiceIsTold(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"one", "two"} {
		write(t, filepath.Join(root, name, "HOOK.yaml"), "name: same\nevents: [agent:start]\n")
		write(t, filepath.Join(root, name, "handler.py"), "def handle(e, c):\n    pass\n")
	}
	found, err := Discover(root)
	if err != nil || len(found) != 2 || len(found[0].Problems) != 0 || !strings.Contains(found[1].Problems[0], "one has the same name") {
		t.Fatalf("%+v, %v", found, err)
	}
	var ids []string
	for _, e := range Entries(nil, script.Host{}, found) {
		ids = append(ids, e.ID+" "+e.Event)
	}
	if want := []string{"dir same agent:start", "dir same pre_llm_call", "dir same#2 agent:start", "dir same#2 pre_llm_call"}; !slices.Equal(ids, want) {
		t.Errorf("%v", ids)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}
