package claude

// Decode: what Claude Code tells a hook becomes an Event.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strconv"

	"assent"
)

// Keys of Event.Extra that do not come from what Claude Code sent, and so are
// not taken from there either.
const (
	ExtraPID         = "agent_pid"        // number: Claude Code's process
	ExtraAttended    = "attended"         // bool: somebody sits in front of it
	ExtraTool        = "tool_name"        // string: the tool as Claude Code calls it
	ExtraDescription = "tool_description" // string: the agent's prose about a command
	ExtraUnwired     = "unwired"          // bool: set by the hook process, see Unwired
)

func decode(native string, raw []byte, env func(string) string) (assent.Event, error) {
	r, _ := rowOf(native)
	e := assent.Event{Name: r.name, Agent: Name, Raw: raw}
	f := open(raw)
	if f.err != nil {
		return e, f.err
	}
	id := identity(f.left)
	for _, own := range []string{ExtraPID, ExtraAttended, ExtraDescription, ExtraUnwired, "user_id", "platform"} {
		f.take(own)
	}
	e.Again = r.races
	if got := f.must("hook_event_name"); got != native {
		f.fail("it is a %q event, not %q", got, native)
	}
	common(&e, f)
	e.Extra = map[string]json.RawMessage{}
	switch {
	case r.tool:
		decodeTool(&e, f)
	case r.name == assent.ConfigChange:
		decodeConfig(&e, f)
	}
	if r.call && e.Call == "" {
		f.fail("tool_use_id is missing")
	}
	for k, v := range f.left {
		e.Extra[k] = v
	}
	told(native, &e)
	hints(e.Extra, env)
	e.ID = e.Session + "/" + native + "/" + id
	return e, f.err
}

// common reads what every event carries.
func common(e *assent.Event, f *fields) {
	e.Session = f.must("session_id")
	if child := f.text("agent_id"); child != "" {
		e.ParentSession, e.Session = e.Session, e.Session+"/"+child
	}
	e.Turn = f.text("prompt_id")
	e.Call = f.text("tool_use_id")
	if e.Dir = f.must("cwd"); e.Dir != "" && !filepath.IsAbs(e.Dir) {
		f.fail("cwd is not an absolute path")
	}
	f.checkText("transcript_path", "permission_mode", "agent_type")
}

// decodeConfig makes the change of a settings file the input that is judged.
func decodeConfig(e *assent.Event, f *fields) {
	in := &fields{left: map[string]json.RawMessage{}}
	for from, to := range map[string]string{"source": "source", "file_path": "path"} {
		f.checkText(from)
		if v := f.take(from); v != nil {
			in.left[to], e.Extra[to] = v, v
		}
	}
	if in.left["source"] == nil {
		f.fail("source is missing")
	}
	e.Input = in.rest()
}

// identity names the event within its session: by the call if it is one, else by
// everything that was said, so that a retry carries the same name.
func identity(members map[string]json.RawMessage) string {
	var call string
	if json.Unmarshal(members["tool_use_id"], &call) == nil && call != "" {
		return call
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw) // maps are written in the order of their keys
	return hex.EncodeToString(sum[:12])
}

// hints notes what the hook's environment says of the agent's process. A door
// that sees the peer knows better, and believes none of it.
func hints(extra map[string]json.RawMessage, env func(string) string) {
	if pid, err := strconv.Atoi(env("CLAUDE_PID")); err == nil && pid > 0 {
		extra[ExtraPID] = json.RawMessage(strconv.Itoa(pid))
	}
	if s := env("CLAUDE_CODE_SESSION_ATTENDED"); s == "0" || s == "1" {
		extra[ExtraAttended] = json.RawMessage(strconv.FormatBool(s == "1"))
	}
}
