package claude

// What stands in place of a result, in the shape of the tool that gave it.

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

// after is a call that has come to its end.
func after(t testing.TB, tool, response string) assent.Event {
	t.Helper()
	raw := `{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse","tool_use_id":"t1","tool_name":"` + tool +
		`","tool_input":{"command":"c","file_path":"/f","content":"","url":"u"},"tool_response":` + response + `}`
	e, err := decode("PostToolUse", []byte(raw), noEnv)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRestoreResult(t *testing.T) {
	t.Parallel()
	const (
		bash = `{"stdout":"key=1","stderr":"","interrupted":false,"isImage":false,"persistedOutputPath":"/p"}`
		read = `{"type":"text","file":{"filePath":"/f","content":"key=1","numLines":1}}`
		mcp  = `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`
	)
	for name, c := range map[string]struct{ tool, response, text, want string }{
		"bash, words":            {"Bash", bash, "gone", `{"interrupted":false,"stderr":"","stdout":"gone"}`},
		"bash, empty":            {"Bash", bash, "", `{"interrupted":false,"stderr":"","stdout":""}`},
		"bash, same shape":       {"Bash", bash, strings.Replace(bash, "key=1", "***", 1), `{"interrupted":false,"isImage":false,"persistedOutputPath":"/p","stderr":"","stdout":"***"}`},
		"bash, another shape":    {"Bash", bash, `{"stdout":"x"}`, `{"interrupted":false,"stderr":"","stdout":"{\"stdout\":\"x\"}"}`},
		"bash, another kind":     {"Bash", bash, strings.Replace(bash, `"key=1"`, "7", 1), `{"interrupted":false,"stderr":"","stdout":` + string(quoted(strings.Replace(bash, `"key=1"`, "7", 1))) + `}`},
		"read, words":            {"Read", read, "gone", `{"file":{"content":"gone","filePath":"/f","numLines":1},"type":"text"}`},
		"read, another type":     {"Read", read, strings.Replace(read, `"text"`, `"image"`, 1), `{"file":{"content":` + string(quoted(strings.Replace(read, `"text"`, `"image"`, 1))) + `,"filePath":"/f","numLines":1},"type":"text"}`},
		"mcp, words":             {"mcp__a__b", mcp, "gone", `"gone"`},
		"mcp, blocks":            {"mcp__a__b", mcp, `[{"type":"text","text":"***"}]`, `[{"text":"***","type":"text"}]`},
		"mcp, other blocks":      {"mcp__a__b", mcp, `[{"type":"odd","text":"***"}]`, `"[{\"type\":\"odd\",\"text\":\"***\"}]"`},
		"mcp, object":            {"mcp__a__b", `{"a":1}`, "gone", `"gone"`},
		"a string, words":        {"mcp__a__b", `"{\"a\":1}"`, "gone", `"gone"`},
		"a string, its JSON":     {"mcp__a__b", `"{\"a\":1}"`, `"{\"a\":2}"`, `"{\"a\":2}"`},
		"a string, other JSON":   {"mcp__a__b", `"{\"a\":1}"`, `{"a":2}`, `"{\"a\":2}"`},
		"write, same shape":      {"Write", `{"type":"create","filePath":"/f"}`, `{"type":"create","filePath":"***"}`, `{"filePath":"***","type":"create"}`},
		"not a text":             {"Bash", bash, "\xff", `{"interrupted":false,"stderr":"","stdout":"` + "\uFFFD" + `"}`},
		"picture":                {"Read", `{"type":"image","file":{"base64":"AA=="}}`, "gone", `{"file":{"content":"gone","filePath":"/f","numLines":1,"startLine":1,"totalLines":1},"type":"text"}`},
		"odd bash":               {"Bash", `{"stdout":"x","code":7}`, "gone", `{"code":7,"stdout":"gone"}`},
		"write":                  {"Write", `{"type":"create","filePath":"/f","content":"key=1"}`, "gone", `{"content":"gone","filePath":"","type":"create"}`},
		"agent":                  {"Agent", `{"status":"completed","content":[{"type":"text","text":"key=1"}],"n":1}`, "gone", `{"content":[{"text":"gone","type":"text"}],"n":1,"status":"completed"}`},
		"a kind with a secret":   {"Odd", `{"status":"key=1","text":"x"}`, "gone", `{"status":"gone","text":""}`},
		"other type":             {"Write", `{"type":"create","a":"b"}`, `{"type":"update","a":"b"}`, `{"a":"{\"type\":\"update\",\"a\":\"b\"}","type":"create"}`},
		"a type that is no word": {"Odd", `{"type":{"a":1}}`, `{"type":{"a":2}}`, `{"type":{"a":2}}`},
	} {
		v, err := restore(after(t, c.tool, c.response), assent.Verdict{Text: &c.text})
		if err != nil || *v.Text != c.want {
			t.Errorf("%s: %v, %v, not %s", name, err, *v.Text, c.want)
		}
	}
	for name, c := range map[string]struct{ tool, response, text string }{
		"no text":   {"Write", `{"type":"create","n":1}`, "gone"},
		"an object": {"Odd", `{}`, "gone"},
	} {
		if v, err := restore(after(t, c.tool, c.response), assent.Verdict{Text: &c.text}); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %s, %v", name, *v.Text, err)
		}
	}
	text := "x"
	if _, err := restore(assent.Event{Extra: map[string]json.RawMessage{ExtraTool: json.RawMessage(`"Bash"`)}}, assent.Verdict{Text: &text}); !errors.Is(err, assent.ErrInvalid) {
		t.Error("a result was replaced where there was none", err)
	}
}

// TestRestoreHides: whatever stands in place of a result, nothing of what it was is
// in what goes out.
func TestRestoreHides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		secret := rapid.StringMatching(`[A-Z]{12}`).Draw(rt, "secret")
		with := rapid.SampledFrom([]struct{ tool, response string }{
			{"Bash", `{"stdout":"` + secret + `","stderr":"` + secret + `","interrupted":false,"rawOutputPath":"/` + secret + `"}`},
			{"Read", `{"type":"text","file":{"filePath":"/f","content":"` + secret + `","numLines":1,"startLine":1,"totalLines":1}}`},
			{"Read", `{"type":"image","file":{"base64":"` + secret + `","type":"image/png"}}`},
			{"Odd", `{"type":"` + secret + `","list":["` + secret + `",{"status":"ok","deep":"` + secret + `"}]}`},
			{"mcp__a__b", `[{"type":"text","text":"` + secret + `"}]`},
			{"mcp__a__b", `{"text":"` + secret + `"}`},
			{"mcp__a__b", `"` + secret + `"`},
		}).Draw(rt, "tool")
		text := rapid.StringMatching(`[a-z "{}\[\]\\]{0,20}`).Draw(rt, "text")
		v, err := restore(after(t, with.tool, with.response), assent.Verdict{Text: &text})
		if err != nil {
			rt.Fatal(err)
		}
		out := string(encode("PostToolUse", v))
		if strings.Contains(out, secret) || !strings.Contains(out, `"updatedToolOutput":`) {
			rt.Fatalf("%s: %s", with.response, out)
		}
	})
}
