package plain

// The neutral JSON: what is accepted, what is refused by name, and what goes out.

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

func noEnv(string) string { return "" }

func TestDecode(t *testing.T) {
	t.Parallel()
	raw := `{"name":"pre_tool_call","session":"s1","call":"c1","dir":"/w","tool":"shell","input":{"b":1,"command":"ls"},"extra":{"x":[1]}}`
	e, err := decode("pre_tool_call", []byte(raw), noEnv)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "s1/pre_tool_call/c1" || e.Agent != Name || string(e.Input) != `{"b":1,"command":"ls"}` ||
		string(e.Extra["x"]) != "[1]" || string(e.Raw) != raw || e.Principal != "" {
		t.Errorf("%+v", e)
	}
	again, err := decode("pre_tool_call", []byte(strings.Replace(raw, `"call":"c1",`, "", 1)), noEnv)
	if err != nil || again.ID != "" {
		t.Errorf("%v %q: two that say the same may be two", err, again.ID)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for raw, word := range map[string]string{
		``:                         "value",
		`[]`:                       "object",
		`{}`:                       "name",
		`{}{}`:                     "more than one",
		`{"name":"pre_tool_call"}`: "tool",
		`{"name":"pre_tool_call","tool":"shell"}`:                                "command",
		`{"name":"pre_tool_call","tool":"shell","input":{"command":null}}`:       "command",
		`{"name":"pre_tool_call","tool":"shell","input":{"command":["ls"]}}`:     "command",
		`{"name":"pre_tool_call","tool":"read","input":{"file_path":"/x"}}`:      "path",
		`{"name":"pre_tool_call","tool":"x","tool":"y"}`:                         "twice",
		`{"name":"pre_tool_call","tool":"x","Input":{}}`:                         `"Input"`,
		`{"name":"pre_tool_call","tool":"x","principal":"uid:0"}`:                `"principal"`,
		`{"name":"pre_tool_call","tool":"x","invalid":""}`:                       `"invalid"`,
		`{"name":"pre_tool_call","tool":"x","dir":"here"}`:                       "absolute",
		`{"name":"pre_tool_call","tool":"x","agent":"claude"}`:                   `"claude"`,
		`{"name":"pre_tool_call","tool":"x","at":"yesterday"}`:                   "yesterday",
		`{"name":"pre_tool_call","tool":7}`:                                      "tool",
		`{"name":"post_tool_call","tool":"x"}`:                                   "not \"pre_tool_call\"",
		`{"name":"pre_tea"}`:                                                     "pre_tea",
		`{"name":"pre_tool_call","tool":"x","input":{"a":"\ud800"}}`:             "surrogate",
		"{\"name\":\"pre_tool_call\",\"tool\":\"x\",\"input\":{\"a\":\"\xff\"}}": "UTF-8",
	} {
		e, err := decode("pre_tool_call", []byte(raw), noEnv)
		if !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", raw, err)
		}
		if string(e.Raw) != raw || e.Agent == "" {
			t.Errorf("%s: what could be read is lost: %+v", raw, e)
		}
	}
}

// TestKeys: the list names fields of the event, and leaves out only what a
// sender has no say in.
func TestKeys(t *testing.T) {
	t.Parallel()
	var tags []string
	for f := range reflect.TypeFor[assent.Event]().Fields() {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "-" {
			tags = append(tags, tag)
		}
	}
	for _, k := range keys {
		if !slices.Contains(tags, k) {
			t.Errorf("an event has no %q", k)
		}
	}
	for _, k := range tags {
		if own := slices.Contains([]string{"principal", "invalid", "lapsed", "again"}, k); own == slices.Contains(keys, k) {
			t.Errorf("%q is neither taken nor kept back", k)
		}
	}
}

// TestEncode: what goes out reads back as what was decided, and never looser; of the
// rest, what the event hears. An input that was changed goes wherever the call may run.
func TestEncode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.SampledFrom(append(slices.Clone(Codec.Rows), assent.Native{Event: "pre_tea", Gates: true})).Draw(rt, "event")
		text := rapid.String().Draw(rt, "text")
		v := assent.Verdict{
			Decision:  assent.Decision(rapid.IntRange(-1, 5).Draw(rt, "decision")),
			Tell:      rapid.String().Draw(rt, "tell"),
			Context:   "words",
			Rewrite:   json.RawMessage(rapid.SampledFrom([]string{"", `{"a":1}`, `{`}).Draw(rt, "rewrite")),
			Directive: json.RawMessage(rapid.SampledFrom([]string{"", `{"action":"skip"}`, `{`}).Draw(rt, "directive")),
			Ask:       rapid.SampledFrom([]assent.AskMode{"", assent.AskHold, assent.AskAgent}).Draw(rt, "ask"),
			Text:      &text,
		}
		if row.Gates { // the engine gives neither of them there
			v.Text, v.Directive = nil, nil
		}
		out := encode(row.Event, v)
		var got assent.Verdict
		if err := json.Unmarshal(out, &got); err != nil || strings.Count(string(out), "\n") != 1 {
			rt.Fatalf("%v: %s", err, out)
		}
		broken := string(v.Rewrite) == "{" && v.Decision >= assent.None && v.Decision < assent.Deny
		wanted := v.Decision
		switch {
		case !row.Gates:
			wanted = assent.None
		case v.Decision < assent.None || v.Decision > assent.Deny || broken:
			wanted = assent.Deny
		}
		if got.Decision != wanted {
			rt.Fatalf("%s: %v became %v", row.Event, v.Decision, got.Decision)
		}
		if want := row.Gates && wanted != assent.Deny; want != (string(got.Rewrite) == string(v.Rewrite)) && len(v.Rewrite) > 0 {
			rt.Fatalf("rewrite %q beside %v", got.Rewrite, got.Decision)
		}
		if row.Gates {
			return
		}
		hears, _ := assent.EventNamed(row.Event)
		if (got.Text != nil) != (hears.Hears == assent.HearsText) || got.Text != nil && *got.Text != strings.ToValidUTF8(text, "\uFFFD") {
			rt.Fatalf("%s hears %s, and is told %s", row.Event, hears.Hears, out)
		}
		if want := hears.Hears == assent.HearsDirective && string(v.Directive) == `{"action":"skip"}`; want != (len(got.Directive) > 0) {
			rt.Fatalf("%s hears %s, and is told %s", row.Event, hears.Hears, out)
		}
		if (got.Context != "") != (hears.Hears == assent.HearsContext || row.Event == assent.PostToolCall) {
			rt.Fatalf("%s hears %s, and is told %s", row.Event, hears.Hears, out)
		}
	})
}

func TestFail(t *testing.T) {
	t.Parallel()
	if out := string(Codec.Fail("pre_tool_call", "The disk is full.")); !strings.Contains(out, `"decision":"deny"`) || !strings.Contains(out, "The disk is full.") {
		t.Error(out)
	}
	if out := string(Codec.Fail("on_session_start", "The disk is full.")); strings.Contains(out, "deny") {
		t.Error(out)
	}
}
