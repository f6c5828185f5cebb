package consent

// Command lines, taken apart as a POSIX shell would quote them.

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

var here = Place{Home: "/home/u", Dir: "/srv/my app"}

func TestCommandLinesSplitAsAShellQuotesThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{`a b  c`, `["a" "b" "c"]`},
		{" \ta\nb ", `["a" "b"]`},
		{`a 'b c' "d e"f`, `["a" "b c" "d ef"]`},
		{`a '' ""`, `["a" "" ""]`},
		{`a\ b \"c\\`, `["a b" "\"c\\"]`},
		{`"a\"b\\c\d"`, `["a\"b\\c\\d"]`},
		{`'a\'b`, `["a\\b"]`},
		{`a # b; c | d && e > f * ?`, `["a" "#" "b;" "c" "|" "d" "&&" "e" ">" "f" "*" "?"]`},
		{`~/x`, `["/home/u/x"]`},
		{`python3 ~/x.py ~`, `["python3" "/home/u/x.py" "/home/u"]`},
		{`a~/b '~/c' "~/d" ~other/e`, `["a~/b" "~/c" "~/d" "~other/e"]`},
		{`$HOME ${HOME} $(pwd)`, `["$HOME" "${HOME}" "$(pwd)"]`},
		{`"$PROJECT_DIR"/.hooks/x.py`, `["/srv/my app/.hooks/x.py"]`},
		{`$CLAUDE_PROJECT_DIR/a ${PROJECT_DIR}b`, `["/srv/my app/a" "/srv/my appb"]`},
		{`'$PROJECT_DIR' "\$PROJECT_DIR" $PROJECT_DIRECTORY`, `["$PROJECT_DIR" "$PROJECT_DIR" "$PROJECT_DIRECTORY"]`},
		{`grüße "ü"`, `["grüße" "ü"]`},
		{`'a`, "the command has a quote that does not end"},
		{`"a\"`, "the command has a quote that does not end"},
		{`a\`, "the command ends in an escape"},
		{"  \n", "the command is empty"},
	} {
		words, err := here.Words(c.in)
		got := fmt.Sprintf("%q", words)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestOnWindowsBackslashesSurvive(t *testing.T) {
	t.Parallel()
	s := splitter{in: `C:\tools\guard.exe "C:\my files\x.py" 'D:\y'`, literal: true}
	words, err := s.split()
	if want := `["C:\\tools\\guard.exe" "C:\\my files\\x.py" "D:\\y"]`; err != nil || fmt.Sprintf("%q", words) != want {
		t.Errorf("%q, %v", words, err)
	}
}

// FuzzWords holds the splitter against a real shell, on lines of nothing but letters,
// blanks, quotes and escapes.
func FuzzWords(f *testing.F) {
	for _, s := range []string{`a 'b c' "d e"f`, `a\ b \"c\\`, `"a\"b\\c\d"`, `'a\'b`, `a\`, `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := Place{}.Words(line)
		if strings.Trim(line, `ab '"\`) != "" || len(line) > 40 {
			return
		}
		out, failed := exec.Command("/bin/sh", "-c", `for w in `+line+"\ndo printf '%s\\0' \"$w\"; done").Output()
		switch {
		case err != nil && failed == nil && strings.Trim(line, " ") != "" && !strings.HasSuffix(line, `\`):
			t.Errorf("%q: %v, and a shell takes it", line, err)
		case err == nil && failed != nil:
			t.Errorf("%q: %q, and a shell does not take it", line, words)
		case err == nil && strings.Join(words, "\x00")+"\x00" != string(out):
			t.Errorf("%q: %q, and a shell says %q", line, words, out)
		}
	})
}

func TestTheScriptOfACommandIsTheFileThatDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, want string }{
		{`~/guards/push.sh --strict`, "/home/u/guards/push.sh"},
		{`./guard`, "/srv/my app/guard"},
		{`/opt/guard --log /var/log/x.log`, "/opt/guard"},
		{`python3 -u gate.py`, "/srv/my app/gate.py"},
		{`python3.12 gate`, "/srv/my app/gate"},
		{`/usr/bin/env python3 ~/gate.py x.json`, "/home/u/gate.py"},
		{`python3 "$PROJECT_DIR"/.hooks/gate.py`, "/srv/my app/.hooks/gate.py"},
		{`/bin/bash gate`, "/srv/my app/gate"},
		{`bash -c 'exit 2'`, ""},
		{`python3 -m guards.push`, ""},
		{`tee -a /var/log/calls.jsonl`, ""},
		{`jq -r .a/b`, ""},
		{`curl https://example.com/x.sh`, ""},
		{`https://example.com/judge`, ""},
		{`guard`, ""},
		{`"`, ""},
	} {
		if got := here.Script(c.command); got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}
