package plugin

// What is found, in which order it is loaded, and what is told of what is wrong.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var everything = []string{"audit", "metrics", "recall", "guardrails", "redaction", "timing", "watch/overtime"}

func TestDiscoverOrdersByWhatIsRequired(t *testing.T) {
	t.Parallel()
	found, err := Discover(Options{Roots: []string{"testdata/plugins", filepath.Join(t.TempDir(), "absent")}, Enabled: everything, Disabled: []string{"metrics"}})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range found {
		keys = append(keys, f.Key)
		if f.Enabled != (f.Key != "metrics") || len(f.Problems) > 0 || f.Manifest.Description == "" {
			t.Errorf("%+v", f)
		}
	}
	if want := []string{"audit", "guardrails", "metrics", "recall", "redaction", "timing", "watch/overtime"}; !slices.Equal(keys, want) {
		t.Errorf("%v", keys)
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ requires, want string }{
		{"", "a b c"},
		{"a:c", "b c a"},
		{"a:b b:c", "c b a"},
		{"a:nobody", "a b c"},
		{"a:b b:a", "a b c"},
		{"a:a", "a b c"},
	} {
		all := map[string]Found{}
		for _, key := range []string{"a", "b", "c"} {
			all[key] = Found{Key: key}
		}
		for pair := range strings.FieldsSeq(c.requires) {
			key, other, _ := strings.Cut(pair, ":")
			f := all[key]
			f.Manifest.Requires = append(f.Manifest.Requires, Require{ID: other})
			all[key] = f
		}
		var got []string
		for _, f := range order(all) {
			got = append(got, f.Key)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.requires, got, c.want)
		}
	}
}

func TestWhatIsWrongIsTold(t *testing.T) {
	t.Parallel()
	found, err := Discover(Options{Roots: []string{"testdata/odd"}, Enabled: []string{"broken", "silent", "strange", "unfit", "notamap", "bare"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"bare":    {"it has no plugin.yaml"},
		"broken":  nil,
		"notamap": {"its plugin.yaml cannot be read"},
		"silent":  nil,
		"strange": {
			`its plugin.yaml has the key "flavour", which nobody reads`, "its manifest_version is 9, and only 1 to 2 are known",
			`it says that it has a hook for "pre_tool_cal", which is no event; did you mean "pre_tool_call"?`, "it needs ASSENT_TEST_THAT_IS_NOT_SET",
		},
		"unfit": {"it has no __init__.py"},
	}
	if len(found) != len(want) {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		told(t, f, want[f.Key])
		if runs := f.Key == "broken" || f.Key == "silent" || f.Key == "strange"; f.Enabled != runs {
			t.Errorf("%s enabled: %v", f.Key, f.Enabled)
		}
	}
}

// told wants these problems, each by its beginning.
func told(t *testing.T, f Found, want []string) {
	t.Helper()
	ok := len(f.Problems) == len(want)
	for i := range min(len(want), len(f.Problems)) {
		ok = ok && strings.HasPrefix(f.Problems[i], want[i])
	}
	if !ok {
		t.Errorf("%s: %s\nwant %s", f.Key, strings.Join(f.Problems, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestALaterRootTakesThePlace(t *testing.T) {
	t.Parallel()
	mine := t.TempDir()
	write(t, filepath.Join(mine, "audit", "plugin.yml"), "name: audit\nversion: 9\n")
	write(t, filepath.Join(mine, "audit", "__init__.py"), "def register(ctx):\n    pass\n")
	found, err := Discover(Options{Roots: []string{"testdata/plugins", mine}})
	if err != nil || found[0].Key != "audit" || found[0].Manifest.Version != "9" || found[0].Enabled {
		t.Fatalf("%+v, %v", found, err)
	}
	told(t, found[0], []string{"it takes the place of the plugin of the same key in testdata/plugins/audit"})
}

func TestSettingsAreHeldAgainstTheSchema(t *testing.T) {
	t.Parallel()
	m := Manifest{Schema: map[string]Setting{"url": {"string", true}, "tries": {"int", false}, "loud": {"bool", false}}}
	for settings, want := range map[string]string{
		`{"url":"x","tries":3,"loud":true}`: "",
		``:                                  "its setting url is required, and is not there",
		`{"url":3,"tries":1.5}`:             "its setting tries should be of type int; its setting url should be of type string",
		`{"url":"x","lowd":1}`:              `its settings have "lowd", which its config_schema does not; did you mean "loud"?`,
		`[]`:                                "its settings are no mapping",
	} {
		if got := strings.Join(m.settings(json.RawMessage(settings)), "; "); got != want {
			t.Errorf("%s: %s", settings, got)
		}
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
