// Package policy says what becomes of facts: which are never allowed, which a
// person is asked about, and which are only told. It is data, one row a code.
//
// It never looks at a command itself, finds no facts and does no I/O. The table
// allows nothing: only the owner's posture and rules do.
//
//	reply, err := policy.Floor.Judge(ctx, c)   // Deny, and nothing overrules it
//	reply, err = policy.BuiltIn.Judge(ctx, c)  // Ask, unless the user's rules know better
//	reply, err = policy.Default(assent.Ask).Judge(ctx, c) // Allow for what only looks, else Ask
//	for _, row := range policy.Table {
//		fmt.Println(row.Code, row.Tier, row.Decision, row.Why)
//	}
package policy

import (
	"context"
	"strconv"
	"strings"

	"assent"
)

// Tier is where in the order of judgement a row speaks (design section 8).
type Tier string

// The tiers of the table.
const (
	FloorTier   Tier = "floor"    // tier 1: Deny, by fact
	BuiltInTier Tier = "built-in" // tier 5: the built-in judgement
	StrictTier  Tier = "strict"   // tier 6: asked only where what does not merely look is asked
)

// Row says what becomes of facts of one code.
type Row struct {
	Code     string
	Tier     Tier
	Decision assent.Decision // None: the fact is told, and asks for nothing
	Why      string          // one sentence for people
}

// Floor denies what nobody can allow: no rule, hook, grant or person. It never
// fails and may be called concurrently.
var Floor assent.Hook = assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
	return judge("floor", c, FloorTier), nil
})

// BuiltIn asks about dangerous facts, and about facts that it does not know. It
// never fails and may be called concurrently.
var BuiltIn assent.Hook = assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
	return judge("built-in", c, BuiltInTier), nil
})

// Default is tier 6, what becomes of a case on which nobody has spoken, in the
// posture that a decision stands for. Ask is "strict": what is not known to only
// look is asked, and the rest allowed. Allow is "guard": it is allowed. None is
// "agent": there is no opinion; where assent itself is the agent nobody else has one, and
// all that does more than look is asked: also the project's own tests and checks, whose
// code an agent may have written unasked. The hook never fails and may be called
// concurrently.
func Default(posture assent.Decision) assent.Hook {
	return assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		r := assent.Reply{By: "default", Decision: posture}
		alone := posture == assent.None && c.Agent == assent.AgentBroker
		if posture == assent.Ask || alone {
			r = judge(r.By, c, StrictTier)
			r.Decision = max(r.Decision, assent.Allow)
		}
		if alone && r.Decision == assent.Allow {
			r = merely(r, c)
		}
		return r, nil
	})
}

// merely asks about what strict lets through, although it does more than look.
func merely(r assent.Reply, c assent.Case) assent.Reply {
	var notes []string
	for _, f := range c.Findings {
		if row := Of(f.Code); row.Tier == StrictTier {
			notes = append(notes, sentence(f, row))
		}
	}
	if len(notes) > 0 {
		r.Decision, r.Reason = assent.Ask, told(notes)
	}
	return r
}

// Of returns the row of a code. A code that is not in the table asks: what is
// not known is not let through.
func Of(code string) Row {
	for _, r := range Table {
		if r.Code == code {
			return r
		}
	}
	return Row{Code: code, Tier: BuiltInTier, Decision: assent.Ask, Why: "Nothing is known of facts of this kind."}
}

// judge is the strictest of the rows of one tier, with the notes that led to it.
func judge(by string, c assent.Case, tier Tier) assent.Reply {
	r := assent.Reply{By: by}
	var notes []string
	for _, f := range c.Findings {
		row := Of(f.Code)
		if row.Tier != tier || row.Decision == assent.None || row.Decision < r.Decision {
			continue
		}
		if row.Decision > r.Decision {
			r.Decision, notes = row.Decision, nil
		}
		notes = append(notes, sentence(f, row))
	}
	if r.Decision != assent.None {
		r.Reason = told(notes)
	}
	return r
}

func sentence(f assent.Finding, row Row) string {
	if f.Note == "" {
		return row.Why
	}
	return f.Note
}

// MaxNotes is how many sentences one reason has at most.
const MaxNotes = 3

// told joins notes, each once and at most MaxNotes of them.
func told(notes []string) string {
	seen := make(map[string]bool, len(notes))
	var out []string
	for _, n := range notes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	if more := len(out) - MaxNotes; more > 0 {
		out = append(out[:MaxNotes], "There are "+strconv.Itoa(more)+" more reasons.")
	}
	return strings.Join(out, " ")
}
