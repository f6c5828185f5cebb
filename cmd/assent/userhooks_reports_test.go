//go:build unix

package main

// What users reported of hooks elsewhere: each is a hook, a call, and what has to
// become of it here.

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// report is one such case. Hooks are ~/hook.sh unless the file says otherwise.
type report struct {
	name  string
	hooks string // below hooks:
	body  string // of ~/hook.sh
	event string // of Claude Code
	more  string // members of what it tells, after those that all have
	says  string // in the answer; "{}" = no opinion
	notes string // in the log
}

const (
	bash  = `"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"%s"}`
	plain = "  PreToolUse: [{command: ~/hook.sh}]\n"
)

func shell(command string) string { return fmt.Sprintf(bash, command) }

func tool(name string) string {
	return fmt.Sprintf(`"tool_name":%q,"tool_use_id":"t1","tool_input":{}`, name)
}

func guards(matcher string) string {
	return "  PreToolUse: [{matcher: '" + matcher + "', command: ~/hook.sh}]\n"
}

const no = `echo '{"decision": "block", "reason": "guarded"}'` + "\n"

var reports = []report{
	{"a shell's greeting before an empty answer", "  Stop: [{command: ~/hook.sh}]\n", "echo welcome; echo {}\n", "Stop", `"stop_hook_active":false`, "{}", "line 1 is not JSON"},
	{"a shell's greeting before a no", plain, "echo welcome; echo '{\"decision\": \"block\", \"reason\": \"wait for Monday\"}'\n", "PreToolUse", shell("make deploy"), `"deny","permissionDecisionReason":"wait for Monday"`, "line 1 is not JSON"},
	{"two answers", plain, "echo '{\"decision\": \"approve\"}'; echo '{\"decision\": \"block\"}'\n", "PreToolUse", shell("ls"), `"deny","permissionDecisionReason":"blocked by a hook"`, "2 JSON answers, where one was expected"},
	{"plain words at the start", "  SessionStart: [{command: ~/hook.sh}]\n", "echo 'branch: main'\n", "SessionStart", `"source":"startup"`, `"additionalContext":"branch: main"`, ""},
	{"silence", plain, "true\n", "PreToolUse", shell("ls"), "{}", ""},
	{"exit status 2", plain, "echo 'three lint errors' >&2; exit 2\n", "PreToolUse", shell("git commit -m x"), `"deny","permissionDecisionReason":"three lint errors"`, ""},
	{"exit status 2 beside JSON", "  PreToolUse: [{matcher: Task, command: ~/hook.sh}]\n",
		`echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "use the board"}}'; echo 'no agents' >&2; exit 2` + "\n",
		"PreToolUse", tool("Task"), `"deny","permissionDecisionReason":"no agents","additionalContext":"use the board"`, ""},
	{"a logger that fails", "  PreToolUse: [{command: ~/hook.sh, on_error: ignore}]\n", "echo 'no network' >&2; exit 1\n", "PreToolUse", shell("ls"), "{}", "exit status 1: no network"},
	{"an interpreter without its script", "  PreToolUse: [{command: python3 /no/such/guard.py}]\n", "", "PreToolUse", shell("echo hi"), "should have looked at this and could not: script not found: /no/such/guard.py", ""},
	{"a script below a variable that nobody set", "  PreToolUse: [{command: 'python3 \"$PROJECT_DIR\"/.hooks/guard.py'}]\n", "", "PreToolUse", shell("echo hi"), "should have looked at this and could not", ""},
	{"the project's directory", plain, `[ "$PROJECT_DIR" = /usr ] && [ "$CLAUDE_PROJECT_DIR" = /usr ] && echo '{"decision": "block", "reason": "it is known"}'` + "\n", "PreToolUse", shell("ls"), "it is known", ""},
	{"another agent's name for a shell", guards("run_shell_command"), no, "PreToolUse", shell("ls"), "guarded", ""},
	{"the server of a tool", guards("mcp__Browser_Window"), no, "PreToolUse", tool("mcp__Browser_Window__go"), "guarded", ""},
	{"a server that a plugin brought", guards("mcp__tracker__create_issue"), no, "PreToolUse", tool("mcp__plugin_tracker_tracker__create_issue"), "guarded", ""},
	{"a tool by its short name", guards("post_message"), no, "PreToolUse", tool("mcp__0d1c9b5e-77__post_message"), "guarded", ""},
	{"a tool beside the guarded ones", guards("mcp__house__Light.*"), "true\n", "PreToolUse", tool("mcp__house__open_door"), "guards tools of this server", ""},
	{"one yes and one no", "  PermissionRequest: [{command: ~/yes.sh}, {command: ~/hook.sh}]\n", no, "PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"ls"}`, `"behavior":"deny","message":"guarded"`, ""},
	{"a narrower input", plain, `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "git reset --hard mine"}}}'` + "\n", "PreToolUse", shell("git clean -fdx"), "req_1", ""},
	{"a sub-agent", plain, "echo 'read the index' >&2; exit 2\n", "PreToolUse", `"agent_id":"a7","agent_type":"Explore",` + shell("cat a"), "read the index", ""},
	{"an objection to what was done", "  PostToolUse: [{command: ~/hook.sh}]\n", "echo 'not there' >&2; exit 2\n", "PostToolUse", `"tool_name":"Write","tool_use_id":"t1","tool_input":{"file_path":"/w/a","content":"x"},"tool_response":{"type":"create"}`, "already written; not undone: not there", ""},
	{"a redaction that fails closed", "  transform_tool_result: [{command: ~/hook.sh, fail_closed: true}]\n", "exit 1\n", "PostToolUse", `"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"env"},"tool_response":{"stdout":"key=1","stderr":"","interrupted":false}`, `"updatedToolOutput":{"interrupted":false,"stderr":"","stdout":"[withheld: script ~/hook.sh failed closed: `, ""},
	{"the other shape of an answer", "  pre_tool_call: [{matcher: web_extract, command: ~/hook.sh}]\n", `echo '{"action": "block", "message": "no web"}'` + "\n", "PreToolUse", `"tool_name":"WebFetch","tool_use_id":"t1","tool_input":{"url":"https://example.com","prompt":"p"}`, "no web", ""},
}

func TestWhatUsersReported(t *testing.T) {
	t.Parallel()
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			g := newHooked(t, "hooks:\n"+r.hooks)
			g.script("hook.sh", r.body)
			g.script("yes.sh", `echo '{"decision": "approve"}'`+"\n")
			in := fmt.Sprintf(`{"session_id":"s1","cwd":"/usr","hook_event_name":%q,%s}`, r.event, r.more)
			s := g.begin(strings.NewReader(in), "agent", "assent", "hook", "claude", "--event", r.event)()
			if r.says == "{}" {
				g.let(s)
			} else if s.code != 0 || !strings.Contains(s.out, r.says) || !json.Valid([]byte(s.out)) {
				t.Errorf("want %q: %s", r.says, s)
			}
			if r.notes != "" {
				g.until("it is recorded", func() bool { return strings.Contains(g.must("log", "--json"), r.notes) })
			}
			if r.name == "a narrower input" {
				list := g.pending()
				if len(list) != 1 || !strings.Contains(string(list[0].Case.Input), "reset --hard mine") {
					t.Errorf("a person sees %+v", list)
				}
			}
		})
	}
}

// TestAHostThatKeepsTheInputOpen gets its answer, and leaves nothing running.
func TestAHostThatKeepsTheInputOpen(t *testing.T) {
	t.Parallel()
	g := newHooked(t, "hooks:\n  Stop: [{command: ~/hook.sh}]\n  on_session_end: [{command: ~/hook.sh}]\n")
	g.script("hook.sh", `echo $$ >> "$HOME/pids"; cat > /dev/null`+"\n")
	g.serve()
	in, keep, err := os.Pipe()
	g.try(err)
	defer keep.Close()
	defer in.Close()
	_, err = keep.WriteString(`{"session_id":"s1","cwd":"/w","hook_event_name":"Stop"}`)
	g.try(err)
	if s := g.begin(in, "agent", "assent", "hook", "claude", "--event", "Stop")(); s.out != "{}\n" || s.took > own {
		t.Errorf("%s", s)
	}
	g.let(g.begin(strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"Stop"}`), "agent", "assent", "hook", "claude", "--event", "Stop")())
	g.gone(g.pids(2))
}

// TestAWatcherThatNeverEndsIsKilled at the end of its time, with all that it started.
func TestAWatcherThatNeverEndsIsKilled(t *testing.T) {
	t.Parallel()
	g := newHooked(t, "hooks:\n  on_session_end: [{command: ~/guard.sh, timeout: 1}]\n")
	g.script("guard.sh", sleeper)
	g.serve()
	s := g.begin(strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"Stop"}`), "agent", "assent", "hook", "claude", "--event", "Stop")()
	if g.let(s); s.took > 5*time.Second {
		t.Errorf("%s", s)
	}
	g.gone(g.pids(2))
}
