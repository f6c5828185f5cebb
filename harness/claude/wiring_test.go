package claude

// Wiring, Unwired and Look: what loosens the gate is seen, and told.

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"assent"
)

// wired is a settings file as Wire leaves it, with replacements applied.
func wired(t *testing.T, oldnew ...string) string {
	t.Helper()
	out, err := Wire([]byte("{\n  \"model\": \"opus\"\n}\n"), program)
	if err != nil {
		t.Fatal(err)
	}
	text := string(out)
	for i := 0; i < len(oldnew); i += 2 {
		next := strings.Replace(text, oldnew[i], oldnew[i+1], 1)
		if next == text {
			t.Fatalf("%q is not in the settings", oldnew[i])
		}
		text = next
	}
	return text
}

func TestWiringClosed(t *testing.T) {
	t.Parallel()
	s, err := Wiring([]byte(wired(t)))
	if err != nil || !s.Closed() {
		t.Fatalf("%v %v", err, s.Problems())
	}
	gating := 0
	for _, w := range s.Hooks {
		r, _ := Codec.Row(w.Event)
		if w.Program != program || w.Timeout != r.Limit || w.Gates != r.Gates || w.Problem != "" {
			t.Errorf("%+v", w)
		}
		if w.Gates {
			gating++
		}
	}
	if gating != 4 {
		t.Errorf("%d gating events are wired", gating)
	}
}

// TestWiringLoosened: every way to open the gate is a problem with its name, and
// a ConfigChange that brings it unwires.
func TestWiringLoosened(t *testing.T) {
	t.Parallel()
	pre := `"--event", "PreToolUse"], "timeout": 600, "onFailure": "block"`
	for name, c := range map[string]struct{ settings, problem string }{
		"nothing":      {"", "PreToolUse: it is not wired"},
		"no hooks":     {"{}", "PreToolUse: it is not wired"},
		"disabled":     {wired(t, "{", `{"disableAllHooks": true,`), "disableAllHooks"},
		"odd flag":     {wired(t, "{", `{"disableAllHooks": 1,`), "disableAllHooks"},
		"comment":      {wired(t, "{", "{ // x\n"), "ignores"},
		"comma":        {wired(t, "\"opus\"", `"opus",`), "ignores"},
		"wrong type":   {wired(t, `"opus"`, "5"), `"model" has a value`},
		"null":         {wired(t, `"opus"`, "null"), `"model" has a value`},
		"env":          {wired(t, `"model": "opus"`, `"env": {"ASSENT_HOME": "/tmp"}`), "ASSENT_HOME"},
		"home":         {wired(t, `"model": "opus"`, `"env": {"HOME": "/tmp"}`), "HOME"},
		"short":        {wired(t, `"PreToolUse"], "timeout": 600`, `"PreToolUse"], "timeout": 1`), "timeout is 1s"},
		"odd time-out": {wired(t, `"PreToolUse"], "timeout": 600`, `"PreToolUse"], "timeout": "600"`), "timeout"},
		"continue":     {wired(t, pre, strings.Replace(pre, "block", "continue", 1)), "onFailure"},
		"no onFailure": {wired(t, pre, strings.Replace(pre, `, "onFailure": "block"`, "", 1)), "onFailure"},
		"async":        {wired(t, pre, pre+`, "async": true`), "async"},
		"if":           {wired(t, pre, pre+`, "if": "Bash(git *)"`), "if, async"},
		"matcher":      {wired(t, `{"matcher": "*"`, `{"matcher": "Write"`), `matcher is "Write"`},
		"relative":     {wired(t, program, "assent"), "absolute"},
		"other":        {wired(t, program, "/bin/true"), "PreToolUse: it is not wired"},
		"other event":  {wired(t, `"--event", "ConfigChange"`, `"--event", "Stop"`), "ConfigChange: it is not wired"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Wiring([]byte(c.settings))
			if err != nil || s.Closed() || !strings.Contains(strings.Join(s.Problems(), "\n"), c.problem) {
				t.Errorf("%v %q", err, s.Problems())
			}
			if !Unwired("user_settings", []byte(c.settings)) {
				t.Error("it does not unwire")
			}
		})
	}
	for _, text := range []string{"{", "[]", `{"hooks": 5}`, `{"hooks":{},"hooks":{}}`} {
		if s, err := Wiring([]byte(text)); !errors.Is(err, assent.ErrInvalid) || s.Closed() {
			t.Errorf("%s: %v", text, err)
		}
		if !Unwired("user_settings", []byte(text)) {
			t.Errorf("%s does not unwire", text)
		}
	}
}

func TestUnwired(t *testing.T) {
	t.Parallel()
	good := wired(t)
	for name, c := range map[string]struct {
		source, settings string
		want             bool
	}{
		"as wired":           {"user_settings", good, false},
		"known to load":      {"user_settings", wired(t, `"model": "opus"`, `"permissions": {"allow": ["Bash(ls *)", "Read"], "defaultMode": "plan"}, "verbose": true`), false},
		"odd mode":           {"user_settings", wired(t, `"model": "opus"`, `"permissions": {"defaultMode": "bogus"}`), true},
		"odd rule":           {"user_settings", wired(t, `"model": "opus"`, `"permissions": {"allow": ["Bash("]}`), true},
		"odd list":           {"user_settings", wired(t, `"model": "opus"`, `"permissions": {"allow": "x"}`), true},
		"not known":          {"user_settings", wired(t, `"model": "opus"`, `"sandbox": {"enabled": "x"}`), true},
		"project, harmless":  {"project_settings", `{"model": "opus"}`, false},
		"project, disabling": {"project_settings", `{"disableAllHooks": true}`, true},
		"local, moving":      {"local_settings", `{"env": {"ASSENT_HOME": "/x"}}`, true},
		"local, not disable": {"local_settings", `{"disableAllHooks": false}`, false},
		"local, gone":        {"local_settings", ``, false},
		"local, not JSON":    {"local_settings", `{"disableAllHooks": true`, false},
		"local, two ways":    {"local_settings", `{"disableAllHooks": false, "disableAllHooks": true}`, true},
		"skill":              {"skills", `disableAllHooks`, false},
		"source not known":   {"tomorrow_settings", `{"disableAllHooks": true}`, true},
	} {
		if got := Unwired(c.source, []byte(c.settings)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	event := func(source string) assent.Event {
		raw := `{"session_id":"s","cwd":"/w","hook_event_name":"ConfigChange","source":"` + source + `","file_path":"/f"}`
		e, err := decode("ConfigChange", []byte(raw), noEnv)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for name, c := range map[string]struct {
		source, text string
		err          error
		want         string
	}{
		"wired":           {"user_settings", wired(t), nil, "false"},
		"emptied":         {"user_settings", "{}", nil, "true"},
		"deleted":         {"user_settings", "", fs.ErrNotExist, "true"},
		"not readable":    {"project_settings", "", fs.ErrPermission, "true"},
		"project deleted": {"project_settings", "", fs.ErrNotExist, "false"},
	} {
		before := event(c.source)
		after := look(before, func(path string) ([]byte, error) {
			if path != "/f" {
				t.Errorf("%s: it reads %q", name, path)
			}
			return []byte(c.text), c.err
		})
		if got := string(after.Extra[ExtraUnwired]); got != c.want {
			t.Errorf("%s: unwired is %s", name, got)
		}
		if before.Extra[ExtraUnwired] != nil {
			t.Errorf("%s: the event that was given has changed", name)
		}
	}
	other := assent.Event{Name: assent.PreToolCall, Input: json.RawMessage(`{"source":"user_settings"}`)}
	if e := look(other, nil); e.Extra != nil {
		t.Error("it looks at what is no change of settings")
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	if got := SettingsPath(noEnv, "/home/ann"); got != "/home/ann/.claude/settings.json" {
		t.Error(got)
	}
	env := lookup("CLAUDE_CONFIG_DIR=/c\nPATH=/a:.::/b")
	if got := SettingsPath(env, "/home/ann"); got != "/c/settings.json" {
		t.Error(got)
	}
	got := Programs(env, "/home/ann")
	if len(got) < 3 || got[0] != "/a/claude" || got[1] != "/b/claude" {
		t.Error(got)
	}
}
