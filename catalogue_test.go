package assent_test

// The catalogue of events: whole, well-formed, and found by name.

import (
	"strings"
	"testing"
	"unicode"

	"assent"
)

func TestTheCatalogueNamesEachEventOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, e := range assent.Events {
		if seen[e.Name] {
			t.Errorf("%s stands twice", e.Name)
		}
		seen[e.Name] = true
		if got, ok := assent.EventNamed(e.Name); !ok || got.Name != e.Name || got.Hears != e.Hears || assent.Gates(e.Name) != (e.Hears == assent.HearsDecision) {
			t.Errorf("%s is found as %+v", e.Name, got)
		}
	}
	if !assent.Gates(assent.PreToolCall) || assent.Gates("no such event") {
		t.Error("what gates is not what hears a decision")
	}
	for name, row := range map[string]string{"command:new": "command:*", "command:": "", "commands": "", "": "", "*": "", "agent:*": "", "session:": "", "xcommand:new": ""} {
		if got, ok := assent.EventNamed(name); got.Name != row || ok != (row != "") {
			t.Errorf("%q is found as %q", name, got.Name)
		}
	}
}

func TestEachRowOfTheCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	for _, e := range assent.Events {
		hears := e.Hears != assent.HearsNothing
		switch e.Hears {
		case assent.HearsDecision, assent.HearsDirective, assent.HearsContext, assent.HearsText, assent.HearsNothing:
		default:
			t.Errorf("%s hears %q", e.Name, e.Hears)
		}
		if !sentence(e.When) || e.Later != "" && !sentence(e.Later) {
			t.Errorf("%s: when %q, later %q", e.Name, e.When, e.Later)
		}
		if sentence(e.Fold) != hears || sentence(e.Answer) != hears || !hears && e.Fold+e.Answer != "" {
			t.Errorf("%s hears %s; answer %q, fold %q", e.Name, e.Hears, e.Answer, e.Fold)
		}
		if len(e.Fields) == 0 {
			t.Errorf("%s has no fields", e.Name)
		}
		seen := map[string]bool{}
		for _, f := range append(append([]assent.Field{}, assent.CommonFields...), e.Fields...) {
			if f.Name == "" || f.Name != strings.ToLower(f.Name) || strings.ContainsFunc(f.Name, unicode.IsSpace) || !sentence(f.About) {
				t.Errorf("%s: field %+v", e.Name, f)
			}
			if seen[f.Name] {
				t.Errorf("%s: field %s stands twice, or is one that all have", e.Name, f.Name)
			}
			seen[f.Name] = true
		}
	}
}

// sentence reports whether s is one line that fits into a cell of a table.
func sentence(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, "\n|") && !strings.HasSuffix(s, ".")
}

func TestNearest(t *testing.T) {
	t.Parallel()
	var names []string
	for _, e := range assent.Events {
		names = append(names, e.Name)
	}
	for word, want := range map[string]string{
		"pre_toolcall": "pre_tool_call", "Pre_Tool_Call": "pre_tool_call", "post_tool": "post_tool_call", "pretoolcall": "pre_tool_call",
		"on_session_finalise": "on_session_finalize", "session:starts": "session:start", "agent:stop": "agent:step",
		"": "", "x": "", "deploy": "", "a name that is of nothing at all": "",
	} {
		if got := assent.Nearest(word, names); got != want {
			t.Errorf("%q was meant for %q, not %q", word, got, want)
		}
	}
	for _, c := range []struct{ word, known, want string }{
		{"a", "b", ""}, {"b", "b", "b"}, {"wiat", "wait", "wait"}, {"Ask", "ask", "ask"}, {"ask", "Ask", "Ask"}, {"mode", "", ""},
	} {
		if got := assent.Nearest(c.word, []string{c.known}); got != c.want {
			t.Errorf("%q was meant for %q, not %q", c.word, got, c.want)
		}
	}
}
