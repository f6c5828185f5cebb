// Package approve holds the approval modes: who may answer a request before people
// do. A custom hook (a script or an address of the owner's), a smart judge (a model),
// and a chain of both, each an Approver. Mode manual is no Approver at all, and off
// is the owner's standing grant, which is the engine's.
//
// It decides nothing by itself: a yes is a word that the engine makes a grant of, out
// of the bounded one that the owner gave. Whatever goes wrong is an Ask with a Fault,
// for people: never an Allow.
//
//	hook := approve.Custom{Command: "~/bin/judge.py --strict", Home: home, Timeout: 30 * time.Second}
//	judge := &approve.Smart{URL: "https://llm.example.org/v1", Model: "small", Key: key}
//	engine.Options{Advisor: func(string) assent.Approver { return approve.Chain{hook, judge} }}
package approve

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assent"
	"assent/internal/redact"
)

// DefaultTimeout is how long an approver may take that has no Timeout.
const DefaultTimeout = 30 * time.Second

// SurfaceChain is the surface of several approvers together; the reason says which of
// them decided. One alone speaks under assent.SurfaceHook or assent.SurfaceJudge.
const SurfaceChain = "approvers"

// maxReason is the most of a reason that is kept, in bytes: what an answer's note may
// have (review.MaxNote).
const maxReason = 2000

// failed is the advice of an approver that gave no answer: people decide.
func failed(fault string) assent.Advice {
	return assent.Advice{Decision: assent.Ask, Fault: sentence(fault)}
}

// timeout is the time of an approver, or the default.
func timeout(d time.Duration) time.Duration { return cmp.Or(d, DefaultTimeout) }

// digest is how content is named in an identity.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return short(sum[:])
}

func short(sum []byte) string { return hex.EncodeToString(sum[:6]) }

// command is what a request would run, where that is a command line.
func command(c assent.Case) string {
	var in struct {
		Command string `json:"command"`
	}
	if c.Tool == assent.ToolShell {
		_ = json.Unmarshal(c.Input, &in)
	}
	return in.Command
}

// sentence is a text of somebody else's as one line for people: without secrets,
// control characters and invisible ones, and not too long.
func sentence(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))), " ")
	return clip(redact.Text(s), maxReason)
}

// invisible reports whether a character shows nothing, or changes how others show.
func invisible(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) }

// clip is the beginning of a text, of at most so many bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	most -= len("…")
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
