// Package rules is the user's own say: what to allow, ask about and deny, matched
// against what a call would do and never against its text. Files of rules are
// read, judged by, tried on their own examples, looked over for holes and
// explained.
//
// It finds no facts, reads no file but rules, looks at others only to follow
// symbolic links, and gives nobody more than the
// user wrote down: what a project's own directory says can only tighten.
//
//	list, err := rules.Parse("config.yaml", raw)      // strict, with line numbers
//	err = rules.Try(list, analyse)                    // the examples of each
//	hook := rules.Book(list)                          // an assent.Hook for the tier "said"
//	for _, f := range rules.Lint(list, codes, analyse) {
//		fmt.Println(f.At, f.Text)
//	}
package rules

import (
	"fmt"

	"assent"
)

// Analyse says what is true of an event. It is analyze.Case with its places.
type Analyse func(assent.Event) assent.Case

// Rule is one rule as a file says it.
type Rule struct {
	At       Place
	Decision assent.Decision // Allow, Ask or Deny
	When     Matcher
	Unless   *Matcher // nil: always
	Why      string
	Match    []Example
	NotMatch []Example
	Project  bool // of a project's directory: it may only tighten
}

// Place is where something stands.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// String writes the place as editors read it.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Example is a call that a rule must match, or must not: a command line, or an
// object with the keys tool, input, agent, profile and dir.
type Example struct {
	Text string
	Line int
}

// Matcher is what a rule asks of one command, or of a whole call that has no
// commands. A key that is not set asks for nothing; one with several patterns
// asks for any of them.
type Matcher struct {
	Program, Via, Env, Codes, Reads, Writes, Deletes, Path, In, Host, Tool, Agent, Profile []string

	Args []Token // nil: any arguments; empty: none
}

// Token is one argument pattern: any of its alternatives. Rest stands for any
// number of arguments.
type Token []string

const rest = "..."

// Rest reports whether the token stands for any number of arguments.
func (t Token) Rest() bool { return len(t) == 1 && t[0] == rest }

// The limits of one file of rules (law 12: every list has a bound).
const (
	MaxBytes    = 256 << 10
	MaxRules    = 1000
	MaxExamples = 1000 // of one file
	MaxExample  = 4 << 10
	MaxTokens   = 32  // of one list of arguments
	MaxPatterns = 200 // of one key
	MaxPattern  = 1 << 10
)
