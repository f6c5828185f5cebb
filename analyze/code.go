package analyze

// Files that are run as code, and shells that wait for commands.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
	"assent/shell"
)

var code = assent.Analyzer{
	Name:  "code",
	Doc:   "Says which code of other languages is run, inline or from a file, and what it does.",
	Codes: []string{"code.inline", "code.compute", "code.trick", shell.File, shell.Unknown, shell.Limit, "code.steer", "net.run", "net.shell", "net.listen", "fs.delete", "db.drop", "secret.env", "secret.read", "proc.signal"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if acted(cmd) {
				return
			}
			find := func(code, target, note string) {
				out = append(out, assent.Finding{By: "code", Code: code, Target: target, Note: note, Span: cmd.Span})
			}
			if w, ok := script(cmd); ok {
				full, _ := where(cmd, w, c.Places)
				if !isShell(cmd.Name) && !checker(c, cmd, full) {
					find(shell.File, full, "It runs the file "+shown(full, w)+" as code.")
				}
				if note := shaky(c, cmd, full); note != "" {
					find(shell.Unknown, full, note)
				}
			}
			if note := waits(cmd); note != "" {
				find(shell.Unknown, "", note)
			}
			if note := trusts(cmd); note != "" {
				find(shell.Unknown, "", note)
			}
		})
		return out
	},
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "source", "."}, name)
}

// script returns the file that a command runs as code.
func script(cmd assent.Command) (assent.Word, bool) {
	if strings.Contains(cmd.Program.Value, "/") && cmd.Program.Known && !system(cmd.Program.Value) {
		return cmd.Program, true
	}
	options, ok := interpreter(cmd.Name)
	if !ok && !isShell(cmd.Name) {
		return assent.Word{}, false
	}
	a := programs.Read(cmd)
	if ok && !does(cmd.Name, a, shell.File) {
		return assent.Word{}, false
	}
	ops := a.Operands
	switch {
	case len(ops) > 1 && ops[0].Value == "run" && (cmd.Name == "deno" || cmd.Name == "bun"):
		ops = ops[1:]
	case !runsFiles(cmd.Name) || isShell(cmd.Name) && (a.Option("-c -s") || a.Option("-n") && !a.Option("-i --rcfile --init-file") && onlyLooks(cmd)) || ok && a.Option("-m"):
		return assent.Word{}, false
	}
	for _, o := range a.Options {
		if has(options, o.Name) {
			return assent.Word{}, false
		}
	}
	if len(ops) == 0 || !ops[0].Known || ops[0].Value == "-" {
		return assent.Word{}, false
	}
	return ops[0], true
}

// system reports whether a program lies where the system keeps its own.
func system(program string) bool {
	switch path.Dir(path.Clean(program)) {
	case "/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin":
		return true
	}
	return false
}

// toolDirs are where package managers put the tools of a project.
var toolDirs = []string{"node_modules/.bin", "vendor/bin", ".venv/bin", "venv/bin", "env/bin"}

// checker reports whether a program is a tool of the project that only runs its
// tests or checks, which say as much as the file itself.
func checker(c assent.Case, cmd assent.Command, full string) bool {
	if full != path.Clean(full) || !assent.Under(full, c.Dir) || !does(cmd.Name, programs.Read(cmd), "code.check") {
		return false
	}
	return slices.ContainsFunc(toolDirs, func(dir string) bool { return strings.HasSuffix(path.Dir(full), "/"+dir) })
}

// shaky says why a file that is run is not one that anybody can have looked at.
func shaky(c assent.Case, cmd assent.Command, full string) string {
	switch {
	case assent.Under(full, "/proc") || assent.Under(full, "/dev/fd"):
		return "It runs code from an open descriptor, where nobody can see it."
	case assent.Under(full, "/dev/shm"):
		return "It runs " + full + ", which lies in memory and leaves no trace."
	case (cmd.Name == "source" || cmd.Name == ".") && temporary(full):
		return "It runs " + full + " inside the shell, which lies where every user of the machine may write."
	case temporary(full) && !assent.Under(full, c.Dir) && (isShell(cmd.Name) || strings.Contains(cmd.Program.Value, "/")) && !printedTo(c, full) && !onesOwn(full):
		return "It runs " + full + ", which lies where every user of the machine may write."
	}
	return ""
}

// printedTo reports whether the call itself writes a file: with a text that stands
// in it, or by a download, which is a fact of its own.
func printedTo(c assent.Case, full string) bool {
	var f written
	each(c, func(cmd assent.Command) { f.add(c, cmd) })
	_, ok := f.text(full)
	return ok || slices.ContainsFunc(gotten(c), func(g fetched) bool { return slices.Contains(g.files, full) })
}

// waits says that a shell is started that waits for commands which are not in
// the call.
func waits(cmd assent.Command) string {
	if !isShell(cmd.Name) || cmd.Name == "source" || cmd.Name == "." {
		return ""
	}
	if n := len(cmd.Args); n > 0 {
		if v := cmd.Args[n-1].Value; len(v) > 1 && v[0] == '-' && v[1] != '-' && strings.Contains(v, "c") {
			return "It gives a shell a text to run that is not in the call."
		}
	}
	a := programs.Read(cmd)
	if len(a.Operands) > 0 || a.Option("--help --version -c -s") || cmd.Stage > 0 && !slices.Contains(cmd.Via, "xargs") || given(cmd) || len(cmd.Via)+len(cmd.Args) == 0 {
		return ""
	}
	return "It starts a shell that waits for commands, which nobody sees beforehand."
}

// given reports whether a shell is fed something of its own. What it has from
// the shell that started it is the text that it stands in itself.
func given(cmd assent.Command) bool {
	inherited := func(text string) bool {
		return slices.ContainsFunc(cmd.Via, isShell) && strings.Contains(text, cmd.Name)
	}
	if cmd.Stdin != nil && !inherited(cmd.Stdin.Value) {
		return true
	}
	return slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool {
		return strings.HasPrefix(r.Op, "<") && !inherited(r.Target.Value) || socket(r.Target.Value)
	})
}

// trusts says that code may run that comes with a model.
func trusts(cmd assent.Command) string {
	for i, w := range cmd.Args {
		v, val, given := strings.Cut(w.Value, "=")
		if v != "--trust-remote-code" && v != "--trust_remote_code" {
			continue
		}
		if !given && i+1 < len(cmd.Args) {
			val = cmd.Args[i+1].Value
		}
		if !strings.EqualFold(val, "false") && val != "0" {
			return "It lets code run that comes with a model."
		}
	}
	return ""
}
