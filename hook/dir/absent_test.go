package dir_test

// Guards that are left out are not silently off.

import (
	"os"
	"path/filepath"
	"testing"

	"assent"
	"assent/hook"
	"assent/hook/dir"
	"assent/hook/script"
)

func TestADirectoryThatIsLeftOutFailsWhereItMayHaveGuarded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, manifest string
		mode           os.FileMode
		want           assent.Decision
	}{
		{"its YAML is broken", "name: g\nevents: [pre_tool_call\n", 0o600, assent.Ask},
		{"its handler is gone", "name: g\nevents: [pre_tool_call]\n", 0o600, assent.Ask},
		{"it watches only", "name: g\nevents: [agent:end]\n", 0o600, assent.None},
		{"it is broken, and speaks of no guard", "events: [agent:end\n", 0o600, assent.None},
		{"it cannot be read", "events: [agent:end]\n", 0, assent.Ask},
	} {
		if c.mode == 0 && os.Geteuid() == 0 {
			continue // who reads everything
		}
		root := t.TempDir()
		path := filepath.Join(root, "g")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "HOOK.yaml"), []byte(c.manifest), c.mode); err != nil {
			t.Fatal(err)
		}
		found, err := dir.Discover(root)
		if err != nil {
			t.Fatal(err)
		}
		d := hook.New(hook.Options{}, dir.Entries(nil, script.Host{}, found)...)
		r, _ := d.Judge(t.Context(), assent.Case{Event: assent.Event{Name: assent.PreToolCall, Tool: assent.ToolShell}})
		if v := assent.Fold(assent.Tiers{Said: []assent.Reply{r}}); v.Decision != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, v.Decision, c.want, r)
		}
	}
}
