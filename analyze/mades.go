package analyze

// What a call makes itself and then runs: files that were decoded or written
// from a stream, where nobody can see them.

import (
	"slices"

	"assent"
)

// decoders print something else than they are given, which cannot be seen in it.
var decoders = []string{"base64", "base32", "xxd", "openssl", "gpg", "gunzip", "gzip", "bunzip2", "xz", "zstd", "uudecode", "tr", "rev", "od", "age", "sops"}

// made says that a command runs a file, or is fed a text, that another command
// of the call has decoded or made of what cannot be seen.
func made(c assent.Case, cmd assent.Command) string {
	full, started := programFile(c, cmd)
	runner := isRunner(cmd.Name)
	if !started && !runner || acted(cmd) {
		return ""
	}
	for _, o := range c.Commands {
		if o.Name == "" || acted(o) || o.Span == cmd.Span && o.Name == cmd.Name {
			continue
		}
		decodes := slices.Contains(decoders, o.Name)
		if runner && decodes && o.Pipe != 0 && o.Pipe == cmd.Pipe && o.Stage < cmd.Stage && readsInput(cmd) {
			return "It runs what " + o.Name + " decodes, which nobody can see."
		}
		files := streamed(c, o, decodes)
		if len(files) > 0 && (started && slices.Contains(files, full) || runner && givenFile(c, cmd, files)) {
			return "It runs a file that the same call has just made of what " + o.Name + " prints."
		}
	}
	return ""
}

// streamed are the files that a command makes of what cannot be seen in the
// call.
func streamed(c assent.Case, o assent.Command, decodes bool) []string {
	var files []string
	keep := func(w assent.Word) {
		if full, known := where(o, w, c.Places); known && !harmless(full) {
			files = append(files, full)
		}
	}
	switch {
	case decodes || o.Name == "tee" && o.Stdin == nil:
		changed(o, func(w assent.Word, _ change) { keep(w) })
	case o.Name == "echo" || o.Name == "printf" || o.Stdin != nil && o.Stdin.Known:
	default:
		for _, r := range o.Redirects {
			if writesTo(r) {
				keep(r.Target)
			}
		}
	}
	return files
}
