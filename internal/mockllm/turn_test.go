package mockllm

// Scripts: how they are read, and that every call of a conversation has a name
// of its own.

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseScript(t *testing.T) {
	t.Parallel()
	got := ParseScript("text\n!sh a | b\n+sh  c\n!nope x\n  !write f hello world\n!say bye\n!tool X {}")
	want := Script{
		{{"sh", "a | b"}, {"sh", "c"}}, {{"write", "f hello world"}}, {{"say", "bye"}}, {{"tool", "X {}"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func offered(names ...string) (tools []tool) {
	for _, n := range names {
		tools = append(tools, tool{Name: n, Schema: schema{
			Properties: map[string]property{
				"file_path": {}, "content": {}, "commands": {Type: "array"}, "mode": {Type: "string", Enum: []any{"fast"}}, "n": {Type: "integer"},
			},
			Required: []string{"mode", "n"},
		}})
	}
	return tools
}

func TestReply(t *testing.T) {
	t.Parallel()
	tn := turn{tools: offered("Write", "run_commands", "X")}
	tn.user("!sh one\n+sh two\n!write f hello world\n!tool X {\"a\":1}\n!say bye")
	for i, want := range [][]map[string]any{
		{
			{"commands": []string{"one"}, "mode": "fast", "n": 1},
			{"commands": []string{"two"}, "mode": "fast", "n": 1},
		},
		nil, // one result of two: the second step's call is not due
		{{"file_path": "f", "content": "hello world", "mode": "fast", "n": 1}},
		{{"a": 1.0}},
	} {
		if r := tn.reply(nil); want != nil {
			var got []map[string]any
			for _, c := range r.Calls {
				got = append(got, c.Args)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("step %d: %s", i, d)
			}
		}
		tn.result("done")
	}
	if r := tn.reply(nil); r.Text != "bye" || r.Calls != nil {
		t.Errorf("%+v", r)
	}
}

func TestCallNames(t *testing.T) {
	t.Parallel()
	tn, seen := turn{tools: offered("bash", "Read")}, map[string]bool{}
	for range 3 { // the same prompt again and again in one conversation
		tn.user("!read a\n+read b\n!read c")
		for range 2 {
			for _, c := range tn.reply(nil).Calls {
				if seen[c.ID] {
					t.Errorf("%s stands twice", c.ID)
				}
				seen[c.ID] = true
				tn.result("x")
			}
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d calls", len(seen))
	}
}

func TestFallbackAndMissingTool(t *testing.T) {
	t.Parallel()
	tn := turn{tools: offered("Read")}
	if r := tn.reply(ParseScript("!say hello")); r.Text != "hello" {
		t.Errorf("%+v", r)
	}
	tn.user("!sh ls")
	if r := tn.reply(nil); r.Text != "mockllm: no sh tool among [Read]" {
		t.Errorf("%+v", r)
	}
	tn.user("!tool Read {")
	if r := tn.reply(nil); r.Calls != nil || r.Text == "" {
		t.Errorf("%+v", r)
	}
}
