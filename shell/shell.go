// Package shell says which programs a command line would run: with what
// arguments, redirections, environment and directory, and what of that cannot
// be known. It reads the text's syntax (mvdan.cc/sh) and never matches on text.
//
// It never runs anything, opens no file, knows no opinion, and never leaves out
// in silence what it could not follow: that is a Finding.
//
//	s := shell.Parse(`cd /srv && sudo rm -rf "$HOME"/x`, "/work", "/home/ada")
//	c := s.Commands[1]
//	c.Name          // "rm"
//	c.Args[1].Value // "/home/ada/x"
//	c.Dir, c.Via    // "/srv", [sudo]
package shell

// Parse and the limits it keeps.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// The limits. Past one of them the Script has a Finding with the code "limit".
const (
	MaxInput    = 128 << 10 // bytes of one text
	MaxNested   = 512 << 10 // bytes of all texts inside it that are code again (eval, sh -c)
	MaxCommands = 2000      // simple commands
	MaxDepth    = 64        // statements, substitutions and texts inside one another
	MaxWord     = 64 << 10  // bytes of one expanded word
	MaxFields   = 512       // words that one word may expand to
	MaxBraces   = 100       // opening braces in one word
	MaxSteps    = 200_000   // statements, words and variables visited
	MaxFrames   = 6000      // stack frames of the parser
)

// Codes of the findings that Parse reports.
const (
	Unknown  = "code.unknown"  // what would run cannot be known
	Limit    = "limit"         // a limit was reached, the rest was not looked at
	File     = "code.file"     // a file or a tool of the user's own is run as code
	ForkBomb = "host.forkbomb" // a function that starts itself without end
	by       = "shell"         // the By of every finding
)

// Script is what a command line would do, as far as that can be known.
//
// A Word that is not Known has as its Value the literal start that it is known
// to have ("/dev/" for /dev/$X). Words that xargs or find put in stand as "{}".
type Script struct {
	Commands []assent.Command
	Findings []assent.Finding
}

// Parse reads text as bash would, in the directory dir (absolute, or empty when
// not known) and with home as $HOME (empty: "~" stands for it). It is bounded in
// time and never panics; what it cannot read or follow is in the Findings. It
// may be called concurrently.
func Parse(text, dir, home string) (s Script) {
	w := &walker{home: home, st: &state{dir: dir}, seen: map[note]bool{}}
	if home == "" {
		w.home = "~"
	}
	defer func() {
		if p := recover(); p != nil {
			w.out.Findings = append(w.out.Findings, assent.Finding{
				By: by, Code: Unknown, Note: "The command could not be read: the parser failed on it.",
			})
			s = w.out
		}
	}()
	w.text(text)
	w.uncalled()
	return w.out
}

// differs reports whether text has what the parser and shells take differently:
// a carriage return inside a line, and a dollar cut off from its quote.
func differs(text string) bool {
	if strings.Contains(text, "$\\\n") {
		return true
	}
	for i := strings.IndexByte(text, '\r'); i >= 0; {
		if i+1 == len(text) || text[i+1] != '\n' {
			return true
		}
		next := strings.IndexByte(text[i+1:], '\r')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// text walks one text, the outermost or one inside it.
func (w *walker) text(text string) {
	if len(text) > MaxInput {
		w.limit("The command is longer than %d bytes and was not read.", MaxInput)
		return
	}
	if strings.IndexByte(text, 0) >= 0 {
		w.find(Unknown, "The command contains a NUL byte, which shells read differently.")
	}
	if differs(text) {
		w.find(Unknown, "The command contains a line end that shells read in different ways.")
	}
	outer := w.src
	w.src = text
	defer func() { w.src = outer }()
	in := &shallow{text: text}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(in, "")
	if file != nil {
		w.stmts(file.Stmts)
	}
	switch {
	case in.deep:
		w.limit("The command is nested too deeply and was not read to its end.")
	case err != nil:
		w.find(Unknown, "The command is not complete shell syntax, so a shell may read it differently.")
	}
}
