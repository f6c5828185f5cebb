package consent

// What an approval binds: every file that the command line names.

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// theater is a home with files of a user's, and a project with files of the same names.
func theater(t *testing.T) (f *File, home, project string) {
	t.Helper()
	home, project = t.TempDir(), t.TempDir()
	for _, dir := range []string{home, project} {
		for _, name := range []string{"guard", "g2", "rules.py", "calls.log", "notes"} {
			write(t, filepath.Join(dir, name), "exit 0\n")
		}
	}
	return Open(filepath.Join(home, Name), home), home, project
}

func TestEveryFileOfTheLineIsBound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, edited string }{
		{"~/guard --rules ~/rules.py", "guard"},
		{"~/guard --rules ~/rules.py", "rules.py"},
		{"~/guard --rules=HOME/rules.py", "rules.py"},
		{"bash ~/g2 ~/rules.py", "g2"},
		{"timeout 5 ~/guard", "guard"},
		{"env FOO=1 bash ~/guard", "guard"},
		{"bash -o pipefail ~/guard", "guard"},
		{"bash -e ~/guard", "guard"},
		{"perl -I /lib ~/guard", "guard"},
		{"mytool ~/notes", "notes"},
		{`"$PROJECT_DIR/guard" ~/rules.py`, "guard"},
		{`bash "$PROJECT_DIR/g2" ~/rules.py`, "g2"},
	} {
		f, home, project := theater(t)
		command := strings.ReplaceAll(c.command, "HOME", home)
		if err := f.Allow(event, command, project); err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if s := f.Look(event, command, project); !s.May() {
			t.Errorf("%s: %s, and nothing has changed", command, s)
		}
		where := home
		if strings.Contains(command, "$PROJECT_DIR/"+c.edited) {
			where = project
		}
		write(t, filepath.Join(where, c.edited), "exit 1\n")
		want(t, f, event, command, project, Changed)
		if err := os.Remove(filepath.Join(where, c.edited)); err != nil {
			t.Fatal(err)
		}
		want(t, f, event, command, project, Changed)
		want(t, Open(f.path, home), event, command, project, Changed) // as it is read from the file
	}
}

func TestAFileThatCameAfterwardsIsNotTrusted(t *testing.T) {
	t.Parallel()
	f, home, project := theater(t)
	command := "timeout 5 ~/later"
	if err := f.Allow(event, command, project); err != nil {
		t.Fatal(err)
	}
	want(t, f, event, command, project, Unhashed)
	write(t, filepath.Join(home, "later"), "exit 0\n")
	want(t, f, event, command, project, Changed)
}

func TestWhatDependsOnTheDirectoryCannotBeAllowed(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"./guard", "./none", "hooks/guard ~/rules.py", "./guard --rules ~/rules.py", "env FOO=1 bash guard", "bash guard", "bash -o pipefail g2", "bash none",
		"timeout 5 ./guard", "python3 rules.py", "awk -f guard", "$HOME/guard.sh", "'$PROJECT_DIR/guard'", "../x/bin/python3 ~/rules.py",
	} {
		f, home, project := theater(t)
		if err := f.Allow(event, command, project); err == nil || !strings.Contains(err.Error(), "write its whole path") {
			t.Errorf("%s: %v", command, err)
		}
		want(t, f, event, command, project, Missing)
		write(t, f.path, `{"approvals": [{"event": "pre_tool_call", "command": `+quote(command)+`}]}`) // of another product
		want(t, Open(f.path, home), event, command, project, Missing)
	}
}

func TestWhereNothingCanBeBoundItIsSaid(t *testing.T) {
	t.Parallel()
	for command, state := range map[string]State{
		"python3 -m guards.push": Unhashed, "python3 -Im guards.push": Unhashed, "python3 -c 'import json'": Unhashed, "bash -lc 'exit 2'": Unhashed,
		"guard": Unhashed, "jq -c .": Unhashed, "/bin/cat": Unhashed, "perl -lne print": Unhashed, "tee -a ~/calls.log": Unhashed,
		"bash -c ~/guard ~/rules.py": Unhashed, "unheard-of ~/guard": Unhashed,
		"https://example.org/judge.py": Allowed, "python3 ~/rules.py": Allowed, "/usr/bin/env python3 -u ~/rules.py": Allowed, "~/guard ~/calls.log": Allowed,
	} {
		f, home, project := theater(t)
		if err := f.Allow(event, command, project); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		want(t, f, event, command, project, state)
		write(t, filepath.Join(home, "calls.log"), "another line\n") // what grows is no part of it
		want(t, f, event, command, project, state)
	}
}

func TestEntriesOfBeforeHoldAsTheyDid(t *testing.T) {
	t.Parallel()
	f, home, project := theater(t)
	script := filepath.Join(home, "rules.py")
	sum, _, err := sumOf(script)
	if err != nil {
		t.Fatal(err)
	}
	command := "~/guard --rules ~/rules.py"
	write(t, f.path, `{"approvals": [{"event": "pre_tool_call", "command": `+quote(command)+`, "script": `+quote(script)+`, "script_sha256": "`+sum+`"}]}`)
	if files := (Place{Home: home}).Files(command); !slices.Equal(files, []string{filepath.Join(home, "guard"), script}) {
		t.Errorf("%q", files)
	}
	want(t, f, event, command, project, Unhashed) // it runs, and does not say that all of it is bound
	if err := errors.Join(os.Remove(script), os.WriteFile(script, []byte("exit 1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	want(t, f, event, command, project, Changed)
}
