package analyze

// Secrets: keys, tokens and passwords that are read.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var secrets = assent.Analyzer{
	Name:  "secrets",
	Doc:   "Says which keys, tokens and password files are read or replaced, and what prints the environment.",
	Codes: []string{"secret.read", "secret.write", "secret.env", "secret.find"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "secrets", "secret.write", keySpots, "It changes %s, which holds secrets.", attribute, alias)
		each(c, func(cmd assent.Command) {
			replaced(cmd, func(w assent.Word) {
				if full := near(cmd, w, c.Places); anySpot(dotenvs, full, c.Places) && !anySpot(openSpots, full, c.Places) {
					out = append(out, assent.Finding{By: "secrets", Code: "secret.write", Target: full, Note: "It replaces " + called(full, w) + ", which may hold secrets that are kept nowhere else.", Span: cmd.Span})
				}
			})
			shownBy(cmd, func(w assent.Word) {
				if slices.Contains(readers, cmd.Name) && isDevice(w, cmd, c.Places) {
					out = append(out, assent.Finding{By: "secrets", Code: "secret.read", Target: near(cmd, w, c.Places), Note: "It reads the disk " + w.Text + " itself, with all that is on it.", Span: cmd.Span})
				}
				full, ok := secretPath(c, cmd, w)
				switch {
				case ok:
					out = append(out, secretFinding(full, w, cmd.Span))
				case full != "" && anySpot(toldSpots, full, c.Places):
					out = append(out, assent.Finding{By: "secrets", Code: "secret.read", Target: full, Note: "It reads " + called(full, w) + ", in which an agent keeps what it was told.", Span: cmd.Span})
				}
			})
			for _, w := range cmd.Args {
				if full := near(cmd, w, c.Places); slices.Contains(listers, cmd.Name) && strings.HasPrefix(full, "/proc/") && anySpot(heldOpen, full, c.Places) && !strings.HasPrefix(full, "/proc/self/") {
					out = append(out, assent.Finding{By: "secrets", Code: "secret.read", Target: full, Note: "It looks at what another process has open.", Span: cmd.Span})
				}
			}
			if wanted(c, cmd) {
				out = append(out, assent.Finding{By: "secrets", Code: "secret.find", Note: "It looks for files that hold secrets.", Span: cmd.Span})
			}
			if note := searchNote(c, cmd); note != "" {
				out = append(out, assent.Finding{By: "secrets", Code: "secret.read", Note: note, Span: cmd.Span})
			}
			if note := environmentNote(cmd); note != "" {
				f := assent.Finding{By: "secrets", Code: "secret.env", Note: note, Span: cmd.Span}
				if strings.Contains(note, byName) || cmd.Name == "printenv" && slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Known && secretName(w.Value) }) {
					f.Code = "secret.read"
				}
				if slices.ContainsFunc(cmd.Via, func(v string) bool { return slices.Contains(keepers, v) }) {
					f.Code, f.Note = "secret.read", "It prints the environment, into which secrets were put just before."
				}
				out = append(out, f)
			}
		})
		return out
	},
}

// replaced calls f for every file whose content a command replaces by another.
func replaced(cmd assent.Command, f func(assent.Word)) {
	for _, r := range cmd.Redirects {
		if r.Op == ">" || r.Op == ">|" || r.Op == "&>" {
			f(r.Target)
		}
	}
	a := programs.Arguments{}
	switch cmd.Name {
	case "tee":
		if a = programs.Read(cmd); a.Option("-a --append") {
			return
		}
		all(a.Operands, write, func(w assent.Word, _ change) { f(w) })
	case "cp", "mv", "install":
		a = programs.Read(cmd)
		if n := len(a.Operands); n > 1 && !strings.Contains(a.Word(0), ".example") && !strings.Contains(a.Word(0), ".sample") && !strings.Contains(a.Word(0), ".dist") {
			f(a.Operands[n-1])
		}
	case "truncate", "shred":
		all(programs.Read(cmd).Operands, write, func(w assent.Word, _ change) { f(w) })
	}
}

// packers take whole directories along.
var packers = []string{"tar", "zip", "7z", "cp", "rsync", "scp", "bsdtar", "gtar", "mv", "ditto", "cpio", "restic", "borg"}

func secret(full string, p assent.Places) bool {
	return anySpot(secretSpots, full, p) && !anySpot(openSpots, full, p)
}

func secretFinding(full string, w assent.Word, span assent.Span) assent.Finding {
	return assent.Finding{By: "secrets", Code: "secret.read", Target: full, Note: "It reads " + called(full, w) + ", which holds secrets.", Span: span}
}

// secretPath returns the secret file that a word names, if it does. A program
// that packs whole directories also reads what lies below them.
func secretPath(c assent.Case, cmd assent.Command, w assent.Word) (string, bool) {
	v := strings.TrimPrefix(likely(w), "@") // curl's file notation
	if _, after, ok := strings.Cut(v, "=@"); ok {
		v = after
	}
	if _, after, ok := strings.Cut(v, "file://"); ok {
		v = after
	}
	if v == "" || v[0] == '-' {
		return "", false
	}
	full, _ := absolute(v, cmd.Dir, c.Places)
	if slices.Contains(packers, cmd.Name) && full != "/" && !tarOf(cmd).extracts && (full == home(c.Places) || above(full, secretSpots, c.Places)) {
		return full, true
	}
	return full, secret(full, c.Places)
}

// listers show names, and where links lead; heldOpen is where the system shows what
// processes have open.
var (
	listers  = []string{"ls", "ll", "la", "find", "stat", "readlink", "realpath", "file", "tree", "eza", "exa"}
	heldOpen = at("/proc/*/fd", "/proc/*/map_files", "/proc/*/root")
)

// blind programs do not show what is in the files they are given.
var blind = []string{"ls", "ll", "la", "stat", "test", "[", "[[", "chmod", "chown", "chgrp", "mkdir", "touch", "rm", "rmdir", "find", "fd", "du", "df", "file", "basename", "dirname", "realpath", "readlink", "ssh", "ssh-keygen", "ssh-add", "ssh-copy-id", "ssh-agent", "sftp", "source", ".", "tree", "wc", "git", "docker", "podman", "docker-compose", "sha256sum", "shasum", "md5sum", "lsattr", "chattr", "tee", "trash", "unlink", "sha1sum", "shred", "eza", "exa", "cmp", "truncate", "dotenv", "setfacl", "getfacl", "namei", "lsof", "fuser", "cd", "pushd", "exec", "kill", "kubectl", "helm", "sops"}

// shownBy calls f for the words of a command that it may show the content of.
func shownBy(cmd assent.Command, f func(assent.Word)) {
	for _, r := range cmd.Redirects {
		if r.Op == "<" || r.Op == "<>" {
			f(r.Target)
		}
	}
	if talks(cmd) || slices.Contains(blind, cmd.Name) {
		return
	}
	args := cmd.Args
	switch {
	case cmd.Name == "cp" || cmd.Name == "mv" || cmd.Name == "ln" || cmd.Name == "install":
		a := programs.Read(cmd)
		args = a.Operands
		if len(a.Values("t target-directory")) == 0 {
			args = args[:max(0, len(args)-1)]
		}
	case cmd.Name == "scp" || cmd.Name == "rsync":
		args = programs.Read(cmd).Operands
	case slices.Contains(searchers, cmd.Name):
		a := programs.Read(cmd)
		args = append(a.Values("f file"), a.Operands...)
		if !a.Option("-e --regexp -f --file --expression") {
			args = args[min(1, len(args)):]
		}
	}
	for _, w := range args {
		f(shownWord(cmd.Name, w))
	}
}

// shownWord is the file in "if=file", "--option=file" and "OPEN:file".
func shownWord(name string, w assent.Word) assent.Word {
	cut := func(i int) assent.Word {
		if !w.Known {
			w.Text = strings.TrimPrefix(w.Text, w.Value[:min(i, len(w.Value))])
		}
		w.Value = w.Value[i:]
		return w
	}
	switch v := w.Value; {
	case name == "dd" && strings.HasPrefix(v, "if="):
		return cut(3)
	case name == "socat":
		kind, rest, ok := strings.Cut(v, ":")
		if !ok || kind != strings.ToUpper(kind) {
			return w
		}
		rest, _, _ = strings.Cut(rest, ",")
		w.Value = strings.Trim(rest, `"'`)
		return w
	case strings.HasPrefix(v, "-"):
		if i := strings.IndexByte(v, '='); i >= 0 {
			return cut(i + 1)
		}
	}
	return w
}
