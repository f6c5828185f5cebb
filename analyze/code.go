package analyze

// Code of other languages, and files that are run as code.

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
	Doc:   "Says which code of other languages is run, inline or from a file.",
	Codes: []string{"code.inline", "code.preload", shell.File},
	Run: func(c assent.Case) []assent.Finding {
		out := preloads(c)
		each(c, func(cmd assent.Command) {
			if inline(cmd) {
				out = append(out, assent.Finding{By: "code", Code: "code.inline", Note: "It runs code for " + cmd.Name + " that stands in the command itself.", Span: cmd.Span})
			}
			if w, ok := script(cmd); ok && !isShell(cmd.Name) {
				full, _ := where(cmd, w, c.Places)
				out = append(out, assent.Finding{By: "code", Code: shell.File, Target: full, Note: "It runs the file " + shown(full, w) + " as code.", Span: cmd.Span})
			} else if slices.Contains(builders, cmd.Name) {
				out = append(out, assent.Finding{By: "code", Code: shell.File, Target: cmd.Dir, Note: "It runs what the project's own files tell " + cmd.Name + " to run.", Span: cmd.Span})
			}
		})
		return out
	},
}

// interpreters and the options after which code stands in the command.
var interpreters = []struct{ prog, options string }{
	{"python", "-c"}, {"python2", "-c"}, {"python3", "-c"}, {"pypy3", "-c"}, {"node", "-e -p --eval --print"}, {"nodejs", "-e -p --eval --print"},
	{"perl", "-e -E"}, {"ruby", "-e"}, {"php", "-r"}, {"lua", "-e"}, {"bun", "-e --eval"}, {"deno", ""}, {"Rscript", "-e"}, {"osascript", "-e"}, {"tclsh", ""}, {"julia", "-e"}, {"elixir", "-e"}, {"groovy", "-e"}, {"ts-node", "-e"}, {"tsx", "-e"},
}

func interpreter(name string) (string, bool) {
	if rest, ok := strings.CutPrefix(name, "python3."); ok && strings.Trim(rest, "0123456789") == "" {
		name = "python3"
	}
	for _, in := range interpreters {
		if in.prog == name {
			return in.options, true
		}
	}
	return "", false
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "source", "."}, name)
}

func inline(cmd assent.Command) bool {
	options, ok := interpreter(cmd.Name)
	if !ok {
		return false
	}
	a := programs.Read(cmd)
	if a.Option(options) || cmd.Name == "deno" && a.Word(0) == "eval" {
		return true
	}
	return (cmd.Stdin != nil || cmd.Stage > 0) && (len(a.Operands) == 0 || a.Word(0) == "-")
}

// builders run what files of the project say.
var builders = []string{"make", "gmake", "just", "task", "npm", "pnpm", "yarn", "npx", "bunx", "rake", "gradle", "gradlew", "mvn", "mvnw", "tox", "nox", "invoke", "bazel", "ninja", "cmake", "cargo", "pre-commit"}

// script returns the file that a command runs as code.
func script(cmd assent.Command) (assent.Word, bool) {
	if strings.Contains(cmd.Program.Value, "/") && cmd.Program.Known && !system(cmd.Program.Value) {
		return cmd.Program, true
	}
	_, ok := interpreter(cmd.Name)
	if !ok && !isShell(cmd.Name) {
		return assent.Word{}, false
	}
	if inline(cmd) {
		return assent.Word{}, false
	}
	a := programs.Read(cmd)
	ops := a.Operands
	if (cmd.Name == "deno" || cmd.Name == "bun") && a.Word(0) == "run" {
		ops = ops[1:]
	}
	if a.Option("-m -c -s") && !(isShell(cmd.Name) && !a.Option("-c -s")) || len(ops) == 0 || !ops[0].Known || ops[0].Value == "-" {
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

// preloaders are variables that make programs run code of the caller's choice.
var preloaders = []string{"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PERL5OPT", "PYTHONSTARTUP", "GIT_EXTERNAL_DIFF"}

// preloads finds each such variable once, where it is first set.
func preloads(c assent.Case) []assent.Finding {
	var out []assent.Finding
	var seen []string
	for _, cmd := range c.Commands {
		for _, a := range cmd.Env {
			if slices.Contains(preloaders, a.Name) && a.Value.Text != "" && !slices.Contains(seen, a.Name) {
				seen = append(seen, a.Name)
				out = append(out, assent.Finding{By: "code", Code: "code.preload", Target: a.Name, Note: "It sets " + a.Name + ", which makes programs run other code first.", Span: cmd.Span})
			}
		}
	}
	return out
}
