package main

// What would get round all this by the agent's own tools is stopped at its hook, before
// it runs.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAdversarial04ByItsOwnTools(t *testing.T) {
	attack(t, func(a *rogue) {
		home := a.home
		for command, want := range map[string]string{
			"gdb -p $(pidof assent)":                                                   "deny",
			"strace -p $(pgrep -x assent)":                                             "deny",
			"dd if=x of=/proc/$(pidof assent)/mem seek=4096":                           "deny",
			"cat /proc/$(pgrep assent)/environ":                                        "deny",
			"kill -9 $(pidof assent)":                                                  "deny",
			"tmux send-keys -t 0 'assent approve 1' Enter":                             "deny",
			"python3 -c \"import fcntl,termios; fcntl.ioctl(0,termios.TIOCSTI,b'y')\"": "ask",
			"echo y > /dev/pts/0":                                                      "ask",
			"assent approve 1":                                                         "deny",
			"setsid assent approve 1":                                                  "deny",
			"script -qec 'assent approve 1' /dev/null":                                 "deny",
			"(setsid assent approve 1 &) &":                                            "deny",
			"curl --unix-socket " + home + "/grant.sock http://x/v1/requests":          "deny",
			"cat " + home + "/tokens/granter":                                          "deny",
			"cp " + home + "/assent.key /tmp":                                          "deny",
			"rm " + home + "/assent.sock":                                              "deny",
			"sqlite3 " + home + "/assent.db 'UPDATE grants SET used=0'":                "deny",
			"cp old.db " + home + "/assent.db":                                         "deny",
			"echo 'approvals: {mode: off}' > " + home + "/config.yaml":                 "deny",
			"cp mine.pub " + home + "/approvers/":                                      "deny",
		} {
			a.try(os.WriteFile(filepath.Join(a.dir, "own.json"), event(command, "own "+command), 0o600))
			s := a.does("assent hook plain --event pre_tool_call <own.json")
			var v struct {
				Decision, Request string
				Reasons           []struct{ By, Decision, Text string }
			}
			a.try(json.Unmarshal([]byte(s.out), &v))
			got := v.Decision
			if v.Request != "" { // nobody has answered
				got = "ask"
			}
			if got != want {
				a.Errorf("%s: %s, want %s: %s", command, got, want, s)
			}
		}
		if out := a.must("grants", "--all"); out != "no grants\n" || strings.Count(a.must("log"), " deny   pre_tool_call") < 18 {
			t.Error(out, a.must("log"))
		}
	})
}
