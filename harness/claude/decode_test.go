package claude

// What Claude Code sends, held against the events it must become (testdata/decode).

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"assent"
)

var update = flag.Bool("update", false, "write what is there into testdata")

// section is one file of an archive.
func section(a *txtar.Archive, name string) (string, bool) {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// setSection replaces or adds one file of an archive.
func setSection(a *txtar.Archive, name, text string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}

// eachArchive runs a subtest for every archive of a folder.
func eachArchive(t *testing.T, dir string, run func(*testing.T, *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			run(t, a)
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// want compares a section with what came out, or writes it with -update.
func want(t *testing.T, a *txtar.Archive, name, got string) {
	t.Helper()
	if *update {
		setSection(a, name, got)
		return
	}
	if have, _ := section(a, name); have != got {
		t.Errorf("%s:\n%s", name, cmp.Diff(have, got))
	}
}

func lookup(text string) func(string) string {
	return func(name string) string {
		for line := range strings.Lines(text) {
			if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && k == name {
				return v
			}
		}
		return ""
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	eachArchive(t, "decode", func(t *testing.T, a *txtar.Archive) {
		native, _ := section(a, "native")
		stdin, _ := section(a, "stdin")
		env, _ := section(a, "env")
		raw := []byte(strings.TrimSuffix(stdin, "\n"))
		e, err := Codec.Decode(strings.TrimSpace(native), raw, lookup(env))
		if !bytes.Equal(e.Raw, raw) {
			t.Error("Raw is not what arrived")
		}
		if e.Agent != Name {
			t.Errorf("Agent = %q", e.Agent)
		}
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) {
				t.Errorf("%v is not ErrInvalid", err)
			}
			want(t, a, "error", err.Error()+"\n")
			return
		}
		out, err := json.MarshalIndent(e, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), "not-for-us") {
			t.Error("the messaging token was kept")
		}
		want(t, a, "event", string(out)+"\n")
	})
}

// TestDecodePairs: PreToolUse and PermissionRequest of one call come out with the
// same digest, whatever the order of keys and the agent's prose.
func TestDecodePairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tool := rapid.SampledFrom([]string{"Bash", "Write", "WebFetch", "Grep", "mcp__a__b"}).Draw(rt, "tool")
		input := map[string]any{
			"command": text(rt), "content": text(rt), "url": text(rt), "file_path": "/x", "description": text(rt),
			"timeout": rapid.IntRange(0, 1<<40).Draw(rt, "timeout"),
		}
		base := map[string]any{
			"session_id": "s", "cwd": "/w", "prompt_id": "p", "tool_name": tool, "tool_input": input,
			"hook_event_name": "PreToolUse", "tool_use_id": "t1",
		}
		pre, err := decode("PreToolUse", marshal(rt, base), noEnv)
		if err != nil {
			rt.Fatal(err)
		}
		delete(base, "tool_use_id")
		base["hook_event_name"] = "PermissionRequest"
		ask, err := decode("PermissionRequest", marshal(rt, base), noEnv)
		if err != nil {
			rt.Fatal(err)
		}
		if a, b := (assent.Case{Event: pre}).Digest(), (assent.Case{Event: ask}).Digest(); a != b || a == "" {
			rt.Fatalf("digests differ: %s %s\n%s\n%s", a, b, pre.Input, ask.Input)
		}
		if ask.Call != "" || ask.Session != pre.Session {
			rt.Fatalf("call %q, session %q", ask.Call, ask.Session)
		}
	})
}

// TestDecodeRestore: an input that nobody changed goes back as it came, but for
// the agent's prose.
func TestDecodeRestore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tool := rapid.SampledFrom([]string{
			"Bash", "Read", "Write", "Edit", "NotebookEdit", "WebFetch", "Agent", "Grep", "mcp__fs__read", "SHELL",
		}).Draw(rt, "tool")
		input := map[string]any{"command": text(rt), "content": text(rt), "url": text(rt), "n": 1.5}
		if p := toolOf(tool).path; p != "" {
			input[p] = text(rt)
		} else {
			input["path"] = text(rt)
		}
		e, err := decode("PreToolUse", marshal(rt, map[string]any{
			"session_id": "s", "cwd": "/w", "tool_name": tool, "tool_input": input,
			"hook_event_name": "PreToolUse", "tool_use_id": "t1",
		}), noEnv)
		if err != nil {
			rt.Fatal(err)
		}
		back, err := restore(e, assent.Verdict{Rewrite: e.Input})
		if err != nil {
			rt.Fatal(err)
		}
		canon, err := assent.Canonical(marshal(rt, input))
		if err != nil || string(back.Rewrite) != string(canon) {
			rt.Fatalf("%v\n%s\n%s", err, back.Rewrite, canon)
		}
	})
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	extra := func(tool string) map[string]json.RawMessage {
		return map[string]json.RawMessage{ExtraTool: json.RawMessage(`"` + tool + `"`)}
	}
	for _, c := range []struct{ tool, input string }{
		{"Read", `{"path":"/a","file_path":"/b"}`},
		{"Read", `{}`},
		{"Bash", `"ls"`},
		{"Bash", `{"command":"a","command":"b"}`},
		{"", `{}`},
	} {
		if out, err := restore(assent.Event{Extra: extra(c.tool)}, assent.Verdict{Rewrite: json.RawMessage(c.input)}); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s %s: %s %v", c.tool, c.input, out.Rewrite, err)
		}
	}
	if out, err := restore(assent.Event{}, assent.Verdict{Tell: "x"}); out.Rewrite != nil || out.Text != nil || out.Tell != "x" || err != nil {
		t.Errorf("nothing became %+v %v", out, err)
	}
}

// FuzzDecode: whatever arrives is an event or ErrInvalid, and never a panic; and
// what is accepted has canonical input.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/decode/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		native, _ := section(a, "native")
		stdin, _ := section(a, "stdin")
		f.Add(strings.TrimSpace(native), []byte(stdin))
	}
	f.Fuzz(func(t *testing.T, native string, raw []byte) {
		e, err := decode(native, raw, noEnv)
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) {
				t.Fatalf("%v is not ErrInvalid", err)
			}
			return
		}
		if e.Session == "" || e.Dir == "" || e.ID == "" {
			t.Fatalf("accepted without session, directory or name: %s", raw)
		}
		if len(e.Input) > 0 {
			canon, err := assent.Canonical(e.Input)
			if err != nil || !bytes.Equal(canon, e.Input) {
				t.Fatalf("input is not canonical: %s %v", e.Input, err)
			}
		}
		for _, text := range []string{"words", string(raw)} {
			v, err := restore(e, assent.Verdict{Text: &text})
			if err == nil && !json.Valid([]byte(*v.Text)) || err != nil && !errors.Is(err, assent.ErrInvalid) {
				t.Fatalf("a result became %s: %v", *v.Text, err)
			}
		}
	})
}

func noEnv(string) string { return "" }

func text(rt *rapid.T) string { return rapid.StringN(0, 40, 80).Draw(rt, "text") }

func marshal(rt *rapid.T, v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		rt.Fatal(err)
	}
	return raw
}
