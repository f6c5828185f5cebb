package analyze

// Leaks: what a command takes from files and from the environment into what it
// tells another machine, along pipelines and substitutions.

import (
	"slices"
	"strings"

	"assent"
)

var leaks = assent.Analyzer{
	Name:  "leaks",
	Doc:   "Says where the content of files or of the environment is led to another machine, or hidden in a file.",
	Codes: []string{"net.upload", "secret.share"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			switch {
			case resolves(cmd.Name):
				if host, ok := unresolved(cmd); ok {
					out = append(out, assent.Finding{By: "leaks", Code: "net.upload", Target: host, Note: "It asks for a name that is made of what other commands print or variables hold, and so tells it to whoever answers.", Span: cmd.Span})
				}
			case asksWeb(cmd.Name) || slices.Contains(connectors, cmd.Name):
				if src, ok := source(c, cmd); ok {
					out = append(out, assent.Finding{By: "leaks", Code: "net.upload", Target: target(cmd), Note: "It tells another machine" + to(target(cmd)) + " what " + src.Name + " reads.", Span: cmd.Span})
				}
			case slices.Contains(hiders, cmd.Name):
				if src, ok := source(c, cmd); ok {
					out = append(out, assent.Finding{By: "leaks", Code: "secret.share", Note: "It puts what " + src.Name + " reads into a picture or its description.", Span: cmd.Span})
				}
			}
		})
		return out
	},
}

// hiders put text where hardly anybody looks for it.
var hiders = []string{"qrencode", "exiftool", "steghide", "outguess", "stegseek", "zsteg", "openstego", "exiv2", "jhead", "setfattr"}

func resolves(name string) bool {
	return slices.Contains([]string{"dig", "nslookup", "host", "drill", "kdig", "dog", "doggo", "resolvectl", "getent", "ping", "ping6", "traceroute", "whois"}, name)
}

// unresolved is a name with dots that is partly made when the command runs.
func unresolved(cmd assent.Command) (string, bool) {
	for _, w := range cmd.Args {
		v := likely(w)
		if w.Known || !strings.Contains(v, "*") {
			continue
		}
		made := strings.ContainsAny(w.Text, "`") || strings.Contains(w.Text, "$(") || secretVariable(w) != ""
		if made && (strings.Contains(v, "*.") || cmd.Name == "ping") {
			return strings.TrimPrefix(v[strings.IndexByte(v, '*')+1:], "."), true
		}
	}
	return "", false
}

// source returns a command whose output cmd takes along: one before it in the
// pipeline, or one that stands in its words, and that reads what is not for
// others.
func source(c assent.Case, cmd assent.Command) (assent.Command, bool) {
	for _, o := range c.Commands {
		if o.Name == "" || o.Name == cmd.Name && o.Span == cmd.Span && o.Stage == cmd.Stage {
			continue
		}
		before := o.Pipe != 0 && o.Pipe == cmd.Pipe && o.Stage < cmd.Stage
		within := inside(cmd, o) && slices.ContainsFunc(cmd.Args, unknown)
		if (before || within) && confidential(c, o) {
			return o, true
		}
	}
	return assent.Command{}, false
}

// inside reports whether inner stands in a substitution within outer. Commands
// of a text inside the text all have the same span: there, the word that holds
// the substitution has to name the program.
func inside(outer, inner assent.Command) bool {
	if outer.Span != inner.Span {
		return encloses(outer, inner)
	}
	return inner.Program.Text != "" && slices.ContainsFunc(outer.Args, func(w assent.Word) bool {
		return !w.Known && strings.ContainsAny(w.Text, "(`") && strings.Contains(w.Text, inner.Program.Text)
	})
}

// confidential reports whether a command reads the environment, or files that
// hold secrets or lie outside of the work.
func confidential(c assent.Case, o assent.Command) bool {
	if environmentNote(o) != "" {
		return true
	}
	if slices.Contains([]string{"hostname", "whoami", "id", "uname"}, o.Name) {
		return false
	}
	found := false
	shownBy(o, func(w assent.Word) {
		full, known := secretPath(c, o, w)
		outside := strings.HasPrefix(full, "/") && !assent.Under(full, c.Dir) && !temporary(full) && !harmless(full)
		found = found || known || outside && w.Known && strings.ContainsAny(w.Value, "/~") && slices.Contains(readers, o.Name)
	})
	return found
}

// readers print the content of the files that they are given.
var readers = []string{"cat", "tac", "head", "tail", "base64", "base32", "xxd", "od", "hexdump", "strings", "gzip", "bzip2", "xz", "zstd", "tar", "zip", "openssl", "less", "more", "nl", "cut", "sort", "rev", "grep", "sed", "awk", "dd", "gpg", "hexyl", "bat"}

// readsFiles reports whether a word of cmd is made of what a reader prints.
func readsFiles(c assent.Case, cmd assent.Command) bool {
	return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return inside(cmd, o) && (slices.Contains(readers, o.Name) || environmentNote(o) != "")
	}) || slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return !w.Known && strings.Contains(w.Text, "$(<") })
}
