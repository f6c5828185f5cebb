package analyze

// Names that are made to stand for something else, and shells that are made to run
// something beside what they are told.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
	"assent/shell"
)

// commons are programs that everybody takes for what they are.
var commons = []string{"ls", "cd", "cat", "cp", "mv", "rm", "grep", "find", "sed", "awk", "ssh", "scp", "sudo", "su", "doas", "git", "gh", "curl", "wget", "docker", "kubectl", "helm", "terraform", "aws", "gcloud", "az", "npm", "npx", "pnpm", "yarn", "node", "python", "python3", "pip", "pip3", "make", "go", "cargo", "bash", "sh", "zsh", "env", "ps", "kill", "echo", "printf", "test", "tar", "gpg", "pass", "op", "vault", "mysql", "psql", "systemctl", "service", "passwd", "which", "command", "type", "source", "exit", "true", "less", "more", "vi", "vim", "nano", "man", "apt", "brew", "assent"}

// redefines says that a common program would be something else from then on.
func redefines(cmd assent.Command) string {
	switch cmd.Name {
	case "alias":
		for _, w := range cmd.Args {
			name, val, ok := strings.Cut(w.Value, "=")
			if ok && slices.Contains(commons, name) && !same(name, val) {
				return "It makes " + name + " something else from then on."
			}
		}
	case "function":
		if name := cmd.Args[0].Value; slices.Contains(commons, name) || name == "command_not_found_handle" || name == "command_not_found_handler" {
			return "It makes " + name + " something else from then on."
		}
	case "hash":
		if a := programs.Read(cmd); a.Option("-p") {
			return "It makes a name stand for another program from then on."
		}
	case "enable":
		for _, w := range cmd.Args {
			if w.Value == "-n" {
				return "It takes a command of the shell away, so that another program of that name is run."
			}
		}
	case "export":
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "-f" || w.Value == "-fn" }) {
			return "It hands a function on to other programs, under the name of a program."
		}
	}
	return ""
}

// same reports whether an alias still starts the program of its own name, or
// one that takes its place, and nothing besides.
func same(name, val string) bool {
	if strings.ContainsAny(val, "|;&$`<>") {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(val), " ")
	switch path.Base(first) {
	case "rm", "shred", "dd", "tee", "sh", "bash", "eval", "curl", "wget", "nc", "env", "sudo":
		return path.Base(first) == name
	}
	return !strings.Contains(first, "=") && !strings.HasPrefix(first, "/tmp/") && name != "sudo" && name != "su" || path.Base(first) == name
}

// shellTrick says what a command of the shell itself does that changes what
// later ones are.
func shellTrick(cmd assent.Command) (code, note string) {
	has := func(v string) bool {
		return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == v })
	}
	switch cmd.Name {
	case "enable":
		if has("-f") {
			return "code.preload", "It loads a library into the shell."
		}
	case "bind":
		if has("-x") {
			return "code.trick", "It has a key run a command."
		}
	case "complete":
		if has("-C") {
			return "code.trick", "It has a command run whenever another is completed."
		}
	case "mapfile", "readarray":
		if has("-C") {
			return shell.Unknown, "It runs a command for every line that it reads."
		}
	case "trap":
		switch {
		case has("DEBUG"):
			return "code.trick", "It has the shell run something before every command."
		case len(cmd.Args) > 1 && cmd.Args[0].Known && cmd.Args[0].Value == "":
			return "code.trick", "It makes the shell deaf to signals that would stop it."
		}
	}
	return "", ""
}
