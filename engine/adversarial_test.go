package engine_test

// An approver that has been won over: it says yes to everything, as widely and in
// whose name it likes.

import (
	"testing"
	"time"

	"assent"
	"assent/engine"
)

// owns is the name that it gives itself.
var owns = assent.Identity{Surface: "terminal", ID: "uid:1", Name: "ada"}

// wide are yeses that ask for more than any approver has.
var wide = map[string]assent.Advice{
	"once":         {By: owns},
	"always":       {By: owns, Width: assent.Always},
	"ten years":    {By: owns, Width: assent.ForTurns, Uses: 1000, For: assent.Duration(10 * 365 * 24 * time.Hour)},
	"90 days":      {By: owns, Width: assent.ForTurns, Uses: 1000, For: assent.Duration(90 * 24 * time.Hour)},
	"without end":  {By: owns, Width: assent.ForTurns, Uses: 1 << 40},
	"the owner's":  {By: owns, Width: assent.Owner},
	"another card": {By: owns, Offer: 99},
}

// Without authority only requests come of it, and people are asked as before.
func TestAdversarial13AJudgeWithoutAuthorityOnlyAsks(t *testing.T) {
	t.Parallel()
	for name, says := range wide {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			says.Decision = assent.Allow
			w, n := advised(says, nil)
			for range 3 {
				call := w.call("s", danger)
				v := ok(w.Handle(t.Context(), call))
				r := ok(w.Consult(t.Context(), v.Request))
				if v.Decision != assent.Ask || r.State != assent.Pending || r.Answer != nil || r.Advice.By == owns {
					t.Errorf("%+v, %+v", v, r)
				}
				if v := ok(w.Handle(t.Context(), call)); v.Decision != assent.Ask {
					t.Errorf("it is let through: %+v", v)
				}
			}
			if gs := mustGrants(w, assent.GrantFilter{}); len(gs) > 0 || *n == 0 {
				t.Errorf("asked %d times, granted %+v", *n, gs)
			}
		})
	}
}

// With authority, all that it gives is a part of its own grant, in its own name, and ends
// with it.
func TestAdversarial13AJudgeGivesNoMoreThanItsGrant(t *testing.T) {
	t.Parallel()
	for name, says := range wide {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			says.Decision = assent.Allow
			w, _ := advised(says, nil, authority)
			call := w.call("s", danger)
			r := ok(w.Consult(t.Context(), ok(w.Handle(t.Context(), call)).Request))
			gs := mustGrants(w, assent.GrantFilter{})
			if r.State != assent.Approved {
				if len(gs) > 1 || r.State != assent.Pending || r.Advice.Fault == "" {
					t.Errorf("%+v, %+v", r, gs)
				}
				return
			}
			root, given := gs[0], gs[1]
			if r.Answer.By != (advisor{}).Name() || given.By != r.Answer.By || len(gs) != 2 {
				t.Errorf("in the name of %v: %+v", r.Answer.By, gs)
			}
			if given.Parent != root.ID || given.Until.After(root.Until) || given.Scope.Uses > root.Scope.Uses || given.Mints || !given.Scope.Covers(r.Case) {
				t.Errorf("%+v is more than %+v", given, root)
			}
			_, err := w.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: root.ID}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
			must(t, err)
			if v := ok(w.Handle(t.Context(), call)); v.Decision != assent.Ask {
				t.Errorf("after its authority was revoked: %+v", v)
			}
		})
	}
	w, _ := advised(assent.Advice{Decision: assent.Allow}, nil, engine.Standing{By: authority.By, Mints: true, Profile: "work"})
	if r := ok(w.Consult(t.Context(), ok(w.Handle(t.Context(), w.call("s", danger))).Request)); r.State != assent.Pending {
		t.Errorf("the authority over another profile counts: %+v", r)
	}
}
