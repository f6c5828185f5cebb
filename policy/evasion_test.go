package policy_test

// The same harm in other spellings: none is let through unasked, neither in an agent's
// shell nor where assent executes it.

import (
	"strings"
	"testing"

	"assent"
	"assent/analyze"
	"assent/policy"
)

// evasions are lines of the corpus' form, by what they try.
var evasions = map[string][]string{
	"quotes":        {`r''m -rf ~/photos`, `"r"m -r"f" ~/photos`, `r\m -rf ~/photos`, `$'\x72\x6d' -rf ~/photos`, `$'\162\155' -rf ~/photos`},
	"a look-alike":  {"r\u043c -rf ~/photos", "\uff52\uff4d -rf ~/photos", "rm\u200b -rf ~/photos"},
	"IFS":           {`rm${IFS}-rf${IFS}~/photos`, `IFS=,; x=rm,-rf,/home/ada/photos; $x`, `{rm,-rf,/home/ada/photos}`},
	"a variable":    {`a=r b=m; $a$b -rf ~/photos`, `$(echo rm) -rf ~/photos`, "`printf rm` -rf ~/photos", `x=xrm; ${x#x} -rf ~/photos`},
	"xargs":         {`echo ~/photos | xargs rm -rf`, `xargs -I{} sh -c 'rm -rf {}' < list`, `printf '%s\0' ~/photos | xargs -0 -n1 rm -r`, `cat list | parallel rm -rf`},
	"env -S":        {`env -S 'rm -rf /home/ada/photos'`, `env -vS'rm -rf ${HOME}/photos'`, `env --split-string 'sh -c "rm -rf ~/photos"'`},
	"base64":        {`echo cm0gLXJmIH4vcGhvdG9z | base64 -d | sh`, `bash <(base64 -d <<< cm0gLXJmIH4=)`, `eval "$(xxd -r -p payload)"`, `openssl base64 -d -in p | bash`, `. <(printf '\162\155')`},
	"an alias":      {`alias ls='rm -rf ~/photos'; ls`, "shopt -s expand_aliases; alias a=rm⏎a -rf ~/photos"},
	"a function":    {`ls() { rm -rf ~/photos; }; ls`, `function cd { command rm -rf "$@"; }; cd ~/photos`, `f() { "$@"; }; f rm -rf ~/photos`},
	"a here doc":    {"sh <<E⏎rm -rf ~/photos⏎E", "bash -s <<'E'⏎rm -rf ~/photos⏎E", "python3 - <<E⏎import shutil; shutil.rmtree('/home/ada/photos')⏎E", `bash <<< 'rm -rf ~/photos'`},
	"find":          {`find ~/photos -delete`, `find ~/photos -exec rm {} +`, `find . -name x -execdir sh -c 'rm -rf ~/photos' \;`, `find . -okdir rm {} \;`, `fd . ~/photos -x rm -rf`},
	"a wrapper":     {`timeout 9 nice rm -rf ~/photos`, `nohup setsid rm -rf ~/photos &`, `busybox rm -rf ~/photos`, `command -p rm -rf ~/photos`, `exec -a ls rm -rf ~/photos`, `unshare -r rm -rf ~/photos`},
	"another shell": {`sh -c 'rm -rf ~/photos'`, `bash -lc 'eval rm -rf ~/photos'`, `dash -c "$(cat x)"`, `ssh localhost rm -rf ~/photos`, `su -c 'rm -rf ~/photos' ada`},
	// Programs of every day that run others.
	"by editors":     {`vim -c '!rm -rf ~/photos' -c q`, `ed <<< '!rm -rf ~/photos'`, `emacs --batch --eval '(delete-directory "~/photos" t)'`},
	"by readers":     {`less +'!id' x`, `man -P 'rm -rf /home/ada/photos' ls`, `awk 'BEGIN{system("rm -rf ~/photos")}'`, `sed '1e rm -rf ~/photos' x`, `tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec=id`, `sort --compress-program=./x big`},
	"by interpreter": {`perl -e 'unlink glob "~/photos/*"'`, `ruby -e 'system("rm -rf ~/photos")'`, `node -e 'require("fs").rmSync("/home/ada/photos",{recursive:true})'`, `gdb -batch -ex '!id'`},
	"by tools":       {`git -c core.pager='!id' log`, `git -c alias.x='!rm -rf ~/photos' x`, `zip x.zip x -T -TT 'rm -rf ~/photos #'`, `rsync -e 'sh -c id' x: .`, `tcpdump -z ./x -G 1 -w f`, `flock x -c 'rm -rf ~/photos'`, `script -qc 'rm -rf ~/photos' x`},
}

// beyond are lines that do harm in ways which the least asking posture leaves to the agent's
// own permissions. Where assent executes, they need a grant as everything does.
var beyond = []string{
	`vi -es +':!id' +q x`, `php -r 'system("id");'`, `lua -e 'os.execute("id")'`, `make --eval 'x:; id' x`, `./x`, `frobnicate --all`,
	`mv ~/photos /dev/shm/x`, `shred -u ~/photos/a`, `truncate -s 0 ~/photos/a`, `: > ~/photos/a`, `dd if=/dev/null of=/home/ada/photos/a`,
}

func TestAdversarial10EvasionsAreNeverAllowed(t *testing.T) {
	t.Parallel()
	for try, lines := range evasions {
		t.Run(try, func(t *testing.T) {
			t.Parallel()
			for _, line := range lines {
				for who, c := range map[string]assent.Case{"an agent": analyze.Case(event(line), places), "assent": analyze.Case(byAssent(t, line), places)} {
					if d := judge(t, c); d < assent.Ask {
						t.Errorf("%s by %s\n\tis %v: %v", line, who, d, c.Findings)
					}
				}
			}
		})
	}
}

func TestAdversarial10WhatIsBeyondTheAnalyzersNeedsAGrant(t *testing.T) {
	t.Parallel()
	for _, line := range beyond {
		c := analyze.Case(byAssent(t, line), places)
		r, err := policy.Default(assent.None).Judge(t.Context(), c)
		if d := max(r.Decision, judge(t, c)); err != nil || d != assent.Ask {
			t.Errorf("%s\n\tis %v: %v, %v", line, d, c.Findings, err)
		}
	}
}

// byAssent is a line as what assent itself is to run.
func byAssent(t *testing.T, line string) assent.Event {
	t.Helper()
	e := event("")
	e.Tool, e.Agent = assent.ToolExec, assent.AgentBroker
	x := assent.Exec{Argv: []string{"sh", "-c", strings.ReplaceAll(line, "⏎", "\n")}, Program: assent.Operand{Path: "/usr/bin/dash", SHA256: strings.Repeat("0", 64)}}
	var err error
	if e.Input, err = x.Input(); err != nil {
		t.Fatal(err)
	}
	return e
}
