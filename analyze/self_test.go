package analyze_test

// Verbs of people, found however they are started.

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/analyze"
)

// shapes are what a line may have around a command, with @ for it.
var shapes = []string{"@", "@ &", "(@ &)", "( (@) & )", "true && @", "! @", "if true; then @; fi", "f() { @; }; f", "for i in 1 2; do @; done"}

// wrappers are programs that start a simple command.
var wrappers = []string{
	"setsid @", "nohup @", "env A=1 @", "timeout 5 @", "unshare -f @", "systemd-run --user --scope -- @", "sudo @", "stdbuf -o0 @",
	"assent exec -- @", "assent exec --grant gr_1 -- @",
}

// texts are ways to have a text run that has no quotes in it.
var texts = []string{
	"@", "sh -c '@'", "watch '@'", "script -qec '@' /dev/null", "echo '@' | sh", "echo '@' | at now", "eval '@'", "tmux new -d '@'", "tmux send-keys -t 0 '@' Enter",
	"screen -X stuff '@'", "xdotool type '@'", "xterm -e '@'", "echo '* * * * * @' | crontab -", "ssh localhost '@'", `python3 -c 'import os; os.system("@")'`,
	`python3 -c 'import pexpect; pexpect.spawn("@")'`, `perl -e 'exec "@"'`, `osascript -e 'do shell script "@"'`, `expect -c 'spawn @'`, "assent exec -- sh -c '@'",
}

// TestVerbsAreFoundHoweverStarted: law 11, as far as a command can be read; and what
// anybody may ask of assent is none of it.
func TestVerbsAreFoundHoweverStarted(t *testing.T) {
	t.Parallel()
	people := []string{"assent approve req_1", "assent deny req_2", "assent revoke gr_3", "assent grants renew gr_1", "assent grants handle gr_1", "assent grants forward gr_1 --to s", "assent keys create me", "assent hooks allow x.sh"}
	anybody := []string{"assent requests", "assent grants receipt gr_1", "assent grants", "assent show req_1", "assent mcp", "assent hooks list"}
	rapid.Check(t, func(t *rapid.T) {
		way := rapid.SampledFrom(texts).Draw(t, "text")
		if !strings.Contains(way, "|") {
			for _, w := range rapid.SliceOfN(rapid.SampledFrom(wrappers), 0, 2).Draw(t, "wrappers") {
				way = strings.Replace(w, "@", way, 1)
			}
		}
		way = strings.Replace(rapid.SampledFrom(shapes).Draw(t, "shape"), "@", way, 1)
		for words, want := range map[string]bool{rapid.SampledFrom(people).Draw(t, "people"): true, rapid.SampledFrom(anybody).Draw(t, "anybody"): false} {
			command := strings.Replace(way, "@", words, 1)
			if c := analyze.Case(call(assent.ToolShell, "command", command, "/work"), assent.Places{Home: "/home/ada"}); has(c, "gate.self") != want {
				t.Fatalf("%s: %+v", command, c.Findings)
			}
		}
	})
}
