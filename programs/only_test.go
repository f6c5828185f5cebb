package programs

// An option that a program is not known to have is a doubt.

import "testing"

func TestOptionsThatAreListed(t *testing.T) {
	t.Parallel()
	list := teach(`
		takes -w --width
		may -I
		looks
		fs.write -o|--output
		fine --pager
		only -NUM -a -l --all --color --colour --output-width
	`)
	holds(t, doubt, list, [][2]string{
		{"-al --all file", ""},
		{"-laz", "-z"},
		{"-é", "-?"},
		{"-20", ""},
		{"-w5x -I5x --width 5 -w --evil", ""}, // values
		{"--evil", "--evil"},
		{"--evil=x", "--evil"},
		{"--pager x -o y --output z", ""}, // named elsewhere
		{"--help --version --no-all", ""},
		{"--no-evil", "--no-evil"},
		{"--wid 5 --output-w 5", ""}, // cut short
		{"--col", "--col"},           // of two
		{"--al", "--al"},             // too short
		{"-- --evil", ""},
		{"--color=$X", ""},
		{"file --evil", "--evil"},
	})
}

func TestOptionsOfSubcommands(t *testing.T) {
	t.Parallel()
	git := teach(`
		looks log, stash list, remote ., show
		vcs.discard log --force
		only log|show: -NUM -p -S= --stat --graph
		only stash list: --stat
		only remote:
	`)
	holds(t, doubt, git, [][2]string{
		{"log -5 -p --stat", ""},
		{"log -Sfoo -p", ""},
		{"log -pSfoo", ""},
		{"log -pfSoo", "-f"},
		{"log -pSf", ""},
		{"log --evil", "--evil"},
		{"show --force", ""}, // a statement names it
		{"stash list --stat", ""},
		{"stash list --graph", "--graph"},
		{"stash show --evil", ""}, // nothing is listed of it
		{"remote", ""},
		{"remote -v", "-v"},
		{"commit --evil", ""},
	})
}

func TestOptionsOfAnotherCommand(t *testing.T) {
	t.Parallel()
	seek := teach("onedash\nruns -exec\ntakes -name\nlooks\nonly -print -depth")
	holds(t, doubt, seek, [][2]string{
		{". -name -x -print", ""},
		{". -evil", "-evil"},
		{". -exec grep -l -evil {} ; -print", ""},
		{". -exec grep -l {} + -evil", "-evil"},
		{". -exec grep -l + -evil ;", ""},
		{". -exec ls ; -evil", "-evil"},
	})
}
