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

// Parse, what it returns, and the limits it keeps.

import "assent"

// The limits. Past one of them the Script has a Finding with the code "limit".
const (
	MaxInput    = 1 << 20   // bytes of one text
	MaxParsed   = 128 << 10 // bytes of one text from the first on that is not plain words and quotes
	MaxMarks    = 16_000    // blanks, separators and expansions in them
	MaxNested   = 512 << 10 // bytes of all texts inside it that are code again (eval, sh -c)
	MaxCommands = 4096      // simple commands
	MaxDepth    = 64        // statements, substitutions and texts inside one another
	MaxWord     = 64 << 10  // bytes that one word may expand to
	MaxArgs     = 2048      // words of one simple command
	MaxLiteral  = 128 << 10 // bytes of one word as it is written
	MaxName     = 4 << 10   // bytes of the name of a program
	MaxFields   = 512       // words that one word may expand to
	MaxBraces   = 100       // opening braces in one word
	MaxSteps    = 100_000   // statements, words and variables visited
	MaxFrames   = 1500      // stack frames of the parser

	// Past a limit the end is still looked at: a dangerous command behind a long
	// padding is told beside the limit.
	maxLast = 16      // statements at the end of a list
	maxMore = 64      // commands of them all
	tail    = 4 << 10 // bytes at the end of a text that is too long
	bite    = 1 << 10 // bytes between two looks at the parser's stack
)

// Codes of the findings that Parse reports.
const (
	Unknown  = "code.unknown"  // what would run cannot be known
	Other    = "shell.other"   // code for a shell of another syntax
	Limit    = "limit"         // a limit was reached, the rest was not looked at
	File     = "code.file"     // a file or a tool of the user's own is run as code
	Setup    = "code.setup"    // what a known tool prints to set itself up is run
	ForkBomb = "host.forkbomb" // a function that starts itself without end
	Exhaust  = "host.exhaust"  // processes are started without an end
	by       = "shell"         // the By of every finding
)

// Script is what a command line would do, as far as that can be known.
//
// A wrapper that does something of its own (docker run, ssh, git rebase) is a
// Command beside the one that it starts; others (sudo, env) are only in its Via.
// What runs on another machine or in a container is Far. A statement that says
// once more what the one before it said is there once. Past a limit the last
// commands of a long list are there as well.
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
func Parse(text, dir, home string) Script {
	w := newWalker(dir, home)
	w.safely(func() { w.text(text) })
	return w.out
}

func newWalker(dir, home string) *walker {
	if home == "" {
		home = "~"
	}
	return &walker{home: home, st: &state{dir: dir}, most: MaxCommands, mostSteps: MaxSteps}
}

// safely reads a text, and what of it runs later. A panic becomes a finding.
func (w *walker) safely(read func()) {
	defer func() {
		if recover() != nil {
			note := "The command could not be read: the parser failed on it."
			w.out.Findings = append(w.out.Findings, assent.Finding{By: by, Code: Unknown, Note: note})
		}
	}()
	read()
	w.trapped()
	w.uncalled()
}
