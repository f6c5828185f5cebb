//go:build unix

package e2e

// Who answers before people do, with the real Claude Code: an approval hook, a judge,
// or the owner's word that nobody is asked.

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// answers is an approval hook: what it says goes by a word in the command.
const answers = `jq -c '
  if (.command | contains("approvable")) then {decision: "approve", reason: "a scratch branch"}
  elif (.command | contains("deniable")) then {decision: "deny", reason: "That branch is shared."}
  else {decision: "escalate", reason: "Unsure."} end'
`

func TestAnApprovalHookAnswers(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "approvals:\n  mode: custom\n  hook: ~/answers.sh\n")
		g.script("answers.sh", answers)
		start(g)
		yes, ranYes := g.danger("approvable")
		no, ranNo := g.danger("deniable")
		open, ranOpen := g.danger("other")
		end := g.begin("please\n!sh " + yes + "\n!sh " + no + "\n!sh " + open + "\n!say finished")
		id := g.await("reset --hard other")
		g.until(func() bool { return strings.Contains(g.must("show", id), "Unsure.") })
		g.answer("approve", id)
		end()
		if ranYes() != 1 || ranNo() != 0 || ranOpen() != 1 || g.pending() != 0 {
			t.Errorf("approved ran %d times, denied %d, escalated %d", ranYes(), ranNo(), ranOpen())
		}
		if !strings.Contains(g.heard(), "That branch is shared.") {
			t.Errorf("the model does not know why: %q", g.model.Results())
		}
		g.whole()
	})
}

// TestModeOff: nobody is asked, and the floor and the rules that deny hold.
func TestModeOff(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "approvals: {mode: \"off\"}\nrules:\n- {deny: {program: git, args: [push], why: pushing is for people}}\n")
		start(g)
		command, ran := g.danger("build")
		g.run("please\n!sh " + command + "\n!sh git push origin main; echo 1 > pushed\n!sh echo 1 > wiped; rm -rf /\n!say finished")
		if ran() != 1 || g.has("pushed") || g.has("wiped") || !strings.Contains(g.heard(), "pushing is for people") {
			t.Errorf("ran %d times; pushed %v, wiped %v; the model was told %q", ran(), g.has("pushed"), g.has("wiped"), g.model.Results())
		}
		if out := g.must("grants"); !strings.Contains(out, "approvals.mode: off") {
			t.Errorf("the standing grant is not listed: %s", out)
		}
		g.must("revoke", "--all", "--key", g.gate.Key)
		end := g.begin("please\n!sh " + command + "\n!say finished")
		g.answer("deny", g.await("reset --hard build"))
		if end(); ran() != 1 {
			t.Errorf("after its revocation it ran %d times", ran())
		}
		g.whole()
	})
}

// judge is a fake of an OpenAI-compatible API whose verdict goes by a word in what it
// is asked.
func judge(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Messages []struct{ Content string } }
		if json.NewDecoder(r.Body).Decode(&q) != nil || len(q.Messages) != 2 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		says := `{"verdict":"escalate","why":"unclear"}`
		switch asked := q.Messages[1].Content; {
		case strings.Contains(asked, "approvable"):
			says = `{"verdict":"approve","why":"a scratch branch"}`
		case strings.Contains(asked, "deniable"):
			says = `{"verdict":"deny","why":"That branch is shared."}`
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"content": says}}}})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// TestASmartJudgeAnswers: it denies, and says yes only with the authority to.
func TestASmartJudgeAnswers(t *testing.T) {
	t.Parallel()
	for authority, alone := range map[string]bool{"none": false, "once": true} {
		t.Run(authority, func(t *testing.T) {
			t.Parallel()
			g := newHooked(t, "approvals:\n  mode: smart\n  smart: {url: \""+judge(t)+"\", model: small, authority: "+authority+"}\n")
			g.serve()
			yes, ranYes := g.danger("approvable")
			no, ranNo := g.danger("deniable")
			end := g.begin("please\n!sh " + no + "\n!sh " + yes + "\n!say finished")
			if !alone {
				g.answer("approve", g.await("reset --hard approvable"))
			}
			end()
			if ranYes() != 1 || ranNo() != 0 || !strings.Contains(g.heard(), "That branch is shared.") {
				t.Errorf("approved ran %d times, denied %d; the model was told %q", ranYes(), ranNo(), g.model.Results())
			}
			g.whole()
		})
	}
}
