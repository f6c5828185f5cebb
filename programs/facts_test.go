package programs

// What a statement says, by examples of the grammar in data/README.md.

import (
	"slices"
	"strings"
	"testing"

	"assent"
)

// teach makes a program of statements.
func teach(lines string) *Program {
	p := newProgram("prog")
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line != "" {
			p.learn(line)
		}
	}
	return p
}

// words are arguments: "$X" is one that is not known.
func words(line string) []assent.Word {
	var out []assent.Word
	for f := range strings.FieldsSeq(line) {
		w := assent.Word{Text: f, Value: f, Known: true}
		if start, _, cut := strings.Cut(f, "$"); cut {
			w.Value, w.Known = start, false
		}
		out = append(out, w)
	}
	return out
}

// what is the codes of an invocation, "?" when nothing is known of it, and
// "looks" when it only looks.
func what(p *Program, line string) string {
	facts, known := p.Facts(p.Read(words(line)))
	if !known {
		return "?"
	}
	if len(facts) == 0 {
		return "looks"
	}
	var out []string
	for _, f := range facts {
		if !slices.Contains(out, f.Code) {
			out = append(out, f.Code)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// holds says each line to a program, and holds what it answers against what is
// wanted.
func holds(t *testing.T, ask func(*Program, string) string, p *Program, rows [][2]string) {
	t.Helper()
	for _, row := range rows {
		if got := ask(p, row[0]); got != row[1] {
			t.Errorf("%q: %s, not %s", row[0], got, row[1])
		}
	}
}

// doubt is the option that is a doubt.
func doubt(p *Program, line string) string { return p.Doubt(p.Read(words(line))) }

func TestGrammar(t *testing.T) {
	t.Parallel()
	git := teach(`
		takes -C -c --git-dir
		looks status, log, show, remote, stash list
		vcs.change add, commit, stash, branch +
		looks branch ., branch --list|-l
		vcs.discard branch -D, stash drop|clear
		host.change -u
		only log: -S=
		vcs.discard clean -f|--force => It deletes files.
		dry clean -n|--dry-run
		infra.edit api -X=PUT|PATCH
		net.delete api -X=DELETE
		net.read api
		host.change set ?*=*
		looks set
		persist config ++
		looks config
		pkg.publish push !--dry-run
		fs.make build
		fs.write build /
	`)
	holds(t, what, git, [][2]string{
		{"status", "looks"},
		{"-C dir status --short", "looks"},
		{"show -Suc", "host.change"},
		{"log -Suc", "looks"}, // its value
		{"--git-dir=x log", "looks"},
		{"frobnicate", "?"},
		{"", "?"},
		{"$X", "?"},
		{"branch", "looks"},
		{"branch topic", "vcs.change"},
		{"branch --list topic", "looks"},
		{"branch -D topic", "vcs.change vcs.discard"},
		{"branch --list -D topic", "vcs.discard"}, // a look takes no condition away
		{"stash", "vcs.change"},
		{"stash list", "looks"}, // the most specific counts
		{"stash drop", "vcs.discard"},
		{"clean -xfd", "vcs.discard"},
		{"clean -xfdn", "looks"},
		{"clean --forc", "vcs.discard"},
		{"api -X PUT /x", "infra.edit net.read"},
		{"api -X DELETE /x", "net.delete net.read"},
		{"api -X $M", "net.read"},
		{"set a=b", "host.change"},
		{"set a", "looks"},
		{"set $X", "looks"},
		{"set a=$X", "host.change"}, // what is known of it is enough
		{"config user.name", "looks"},
		{"config user.name ada", "persist"},
		{"build x", "fs.make"},
		{"build -C /x", "fs.make fs.write"},
		{"build ../x", "fs.make fs.write"},
		{"build $X", "fs.make fs.write"},
		{"build a..b src/$X", "fs.make"},
		{"push", "pkg.publish"},
		{"push --dry-run", "?"},
	})
}

func TestGrammarOfManySubcommands(t *testing.T) {
	t.Parallel()
	cloud := teach(`
		looks ** list|show|get-*
		infra.destroy ** delete|purge
		secret.read vault secret show
		infra.edit ** *
	`)
	tf := teach(`
		onedash
		takes -chdir
		looks plan
		infra.change apply
		infra.destroy apply -destroy
	`)
	holds(t, what, cloud, [][2]string{
		{"vm list", "looks"},
		{"vm disk get-size", "looks"},
		{"vm delete", "infra.destroy"},
		{"a b c delete --name x", "infra.destroy"},
		{"vault secret show", "secret.read"},
		{"vm create", "infra.edit"},
	})
	holds(t, what, tf, [][2]string{
		{"plan -out=x", "looks"},
		{"-chdir d apply", "infra.change"},
		{"apply -destroy", "infra.change infra.destroy"},
	})
}

func TestGrammarOfOptions(t *testing.T) {
	t.Parallel()
	mine := teach(`
		takes -d
		may -I -i
		looks
		host.change -s|--set
		secret.read --export-secret
		net.send --export
		fs.write -i
		fs.remove rm
		looks copy !?of=*
		fs.write copy
	`)
	tags := teach("onedash\nlooks\nfs.write -*=*")
	seek := teach("onedash\nruns -exec\nlooks\nfs.remove -delete")
	holds(t, what, mine, [][2]string{
		{"-Iseconds", "looks"}, // the letters after I are its value
		{"-us", "host.change"},
		{"-I -s", "host.change"},
		{"-i.s", "fs.write"},
		{"--export x", "net.send"}, // its own name, and not another's cut short
		{"--export-s x", "secret.read"},
		{"copy if=a", "looks"},
		{"copy if=a of=b", "fs.write"},
		{"copy $X", "fs.write"},
	})
	holds(t, what, tags, [][2]string{
		{"-Artist photo.jpg", "looks"},
		{"-Artist=me photo.jpg", "fs.write"},
	})
	holds(t, what, seek, [][2]string{
		{". -exec ls -delete ;", "fs.remove"}, // it may be that the command has ended
	})
}

func TestGrammarOfDry(t *testing.T) {
	t.Parallel()
	helm := teach(`
		takes --post-renderer -h
		runs --exec
		db.drop db
		infra.change upgrade
		infra.destroy upgrade --force
		code.file upgrade --post-renderer
		code.file run
		code.check
		dry -n|--dry-run, help, --help|-h
	`)
	holds(t, what, helm, [][2]string{
		{"upgrade --dry-run", "looks"},
		{"upgrade --dry-run --force", "looks"},
		{"upgrade --dry-run=server", "looks"},
		{"upgrade --dry-run=false", "infra.change"},
		{"upgrade --dry-run=None", "infra.change"},
		{"upgrade --dry-run=$X", "infra.change"},
		{"upgrade -n", "looks"},
		{"upgrade -n=false", "infra.change"},
		{"upgrade --dry-run --no-dry-run", "infra.change"},
		{"upgrade -n --no-dry-run", "infra.change"},
		{"upgrade --no-dry-run --dry-run", "looks"},
		{"upgrade --exec x --dry-run ;", "infra.change"}, // the other command's
		{"upgrade --dry-run --post-renderer ./x", "code.file"},
		{"run x --dry-run", "looks"}, // what asks for no option is only tried
		{"run --help", "looks"},
		{"run x --help", "code.file"}, // the help may be that of x
		{"x --help", "looks"},
		{"upgrade x -h", "looks"},
		{"db -h host x", "db.drop"}, // -h takes a value here
		{"help upgrade --post-renderer x", "looks"},
	})
}

func TestDoubt(t *testing.T) {
	t.Parallel()
	plain := teach("looks\nfine --export")
	picky := teach("looks\nfs.write -o|--output")
	holds(t, doubt, plain, [][2]string{
		{"file", ""},
		{"--export x", ""},
		{"--delete", "--delete"},
		{"$FILE", ""},
		{"-l$X", ""},
	})
	holds(t, doubt, picky, [][2]string{
		{"$FILE", "$FILE"},
		{"dir/$FILE", ""},
		{"-$FILE", "-$FILE"},
		{"--output x", ""},
		{"-l$X", "-l"}, // more letters may follow
		{"--long$X", "--long"},
	})
}

func TestNamesOfPrograms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"python3.12": "python3", "git.exe": "git", "eslint@8.1": "eslint", "@x": "@x", "clang-17": "clang", "gcc-13.2": "gcc-13", "7z": "7z", "base64": "base", "ls": "ls", "3": "3",
	} {
		if got := unversioned(name); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}

// FuzzFacts: whatever a program is called with, it is read without a panic, and
// an option more never takes a fact of danger away but by what is written down.
func FuzzFacts(f *testing.F) {
	f.Add("git", "push --force origin main")
	f.Add("aws", "s3 rm --recursive $X")
	f.Fuzz(func(t *testing.T, name, line string) {
		p := Lookup(name)
		if p == nil {
			return
		}
		a := p.Read(words(line))
		facts, known := p.Facts(a)
		if len(facts) > 0 && !known {
			t.Errorf("%s %s has facts %v and is not known", name, line, facts)
		}
		p.Doubt(a)
	})
}
