package answer

// Every answer of an approval hook, row by row.

import (
	"fmt"
	"testing"

	"assent"
)

func opinionText(op Opinion, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	out := op.Decision.String() + ": " + op.Reason
	if op.Offer != nil {
		out += fmt.Sprintf(" offer %d", *op.Offer)
	}
	if op.Scope != "" || op.Uses > 0 || op.Seconds > 0 {
		out += fmt.Sprintf(" scope %q uses %d seconds %d", op.Scope, op.Uses, op.Seconds)
	}
	if op.Fault != "" {
		out += " fault " + op.Fault
	}
	return out
}

func TestEveryApprovalMeansWhatItsRowSays(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		out  Output
		want string
	}{
		{said(`{"decision":"approve"}`), "allow: "},
		{said(`{"decision":"approve","reason":"reads only"}`), "allow: reads only"},
		{said(`{"decision":"approve","offer":1,"scope":"session","uses":3,"seconds":60}`), `allow:  offer 1 scope "session" uses 3 seconds 60`},
		{said(`{"decision":"approve","offer":0}`), "allow:  offer 0"},
		{said(`{"decision":"deny","reason":"prints a token"}`), "deny: prints a token"},
		{said(`{"decision":"deny"}`), "deny: " + DefaultText},
		{said(`{"decision":"escalate","reason":"uncertain"}`), "ask: uncertain"},

		// Claude Code's words.
		{said(`{"decision":"block","reason":"no"}`), "deny: no"},
		{said(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"ok"}}`), "allow: ok"},
		{said(`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`), "deny: no"},
		{said(`{"hookSpecificOutput":{"permissionDecision":"ask"}}`), "ask: "},
		{said(`{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}`), "deny: " + DefaultText},
		{said(`{"decision":"approve","continue":false,"stopReason":"stop"}`), "deny: stop"},
		{Output{Exit: 2, Stderr: []byte("not this\n")}, "deny: not this"},
		{Output{Exit: 2, Stdout: []byte(`{"decision":"deny","reason":"out"}`), Stderr: []byte("err")}, "deny: out"},
		{Output{Exit: 2, Stdout: []byte(`{"decision":"approve"}`), Stderr: []byte("err")}, "deny: err"},

		// Words around the answer.
		{said("Welcome back\n" + `{"decision":"approve"}` + "\n"), "allow:  fault line 1 is not JSON (shell profile output?)"},

		{said(`{"decision":"approve"}` + "\n" + `{"x":1}`), "allow:  fault line 2 holds JSON that is no answer"},
		{said(pretty + "{}\nbye"), "deny: no fault line 6 is not JSON (shell profile output?); line 5 holds JSON that is no answer"},
		{said(pretty + `{"decision":"approve"}`), "error 2 JSON answers, where one was expected"},
		{said(pretty + `{"suppressOutput":true}`), "error 2 JSON answers, where one was expected"},
		{said("{oops\n" + `{"decision":"approve"}`), "error line 1 begins like an answer, and cannot be read"},

		// Everything else leaves it to people.
		{said(""), "error no answer"},
		{said("yes"), "error the answer is no JSON object: yes"},
		{said("{}"), "error the answer holds no decision"},
		{said(`"approve"`), "error no answer"},
		{said(`{"decision":"approved"}`), `error an unknown decision: "approved"`},
		{said(`{"decision":"allow"}`), `error an unknown decision: "allow"`},
		{said(`{"decision":true}`), `error an unknown decision: true`},
		{said(`{"decision":"approve","permissionDecision":"perhaps"}`), `error an unknown decision: "perhaps"`},
		{said(`{"action":"approve"}`), "error the answer holds no decision"},
		{said(`{"decision":"approve"}` + "\n" + `{"decision":"deny"}`), "error 2 JSON answers, where one was expected"},
		{said(`{"decision":"deny","decision":"approve"}`), `error the answer: JSON, byte 40: the key "decision" stands twice`},
		{said(`{"decision":"approve","uses":0}`), "error the answer's uses is no number above 0"},
		{said(`{"decision":"approve","seconds":"60"}`), "error the answer's seconds is no number above 0"},
		{said(`{"decision":"approve","offer":-1}`), "error the answer's offer is not the number of one"},
		{said(`{"decision":"approve","offer":1.5}`), "error the answer's offer is not the number of one"},
		{said(`{"decision":"approve","scope":["session"]}`), "error the answer's scope is no word"},
		{Output{Stdout: []byte(`{"decision":"approve"}`), Truncated: true}, "error the answer is too long"},
		{Output{Exit: 1, Stdout: []byte(`{"decision":"approve"}`), Stderr: []byte("oops")}, "error the hook failed: exit status 1: oops"},
		{Output{Exit: 1, Stdout: []byte(`{"decision":"deny"}`)}, "error the hook failed: exit status 1"},
		{Output{Exit: 2}, "error the hook failed: exit status 2"},
		{Output{Exit: -1, Signal: "killed", Stdout: []byte(`{"decision":"approve"}`)}, "error the hook failed: ended by a signal: killed"},
	} {
		op, err := Approval(row.out)
		if got := opinionText(op, err); got != row.want {
			t.Errorf("%q, exit %d:\n got %s\nwant %s", row.out.Stdout, row.out.Exit, got, row.want)
		}
		if err != nil && op.Decision != assent.None {
			t.Errorf("%q: an error beside %s", row.out.Stdout, op.Decision)
		}
	}
}
