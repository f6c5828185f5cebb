package approve

// The advice: what an approval hook's answer means for one request.

import (
	"fmt"
	"time"

	"assent"
	"assent/hook/answer"
)

// Widths that a hook chooses by halves.
const (
	classFor   = 10 * time.Minute // a wider offer without a time
	sessionFor = 8 * time.Hour    // a session's with a number of uses
)

// advised is an opinion as advice. A yes to what is not offered is no yes: people are
// asked, and told.
func advised(op answer.Opinion, r assent.Request) assent.Advice {
	a := assent.Advice{Decision: op.Decision, Reason: sentence(op.Reason), Fault: sentence(op.Fault)}
	if a.Decision != assent.Allow {
		return a
	}
	if err := widen(&a, op, r); err != nil {
		return failed("the hook approved, but " + err.Error())
	}
	return a
}

// widen puts into the advice which yes it is: of exactly this action once, unless the
// hook chose another of the offers, a session, or more uses.
func widen(a *assent.Advice, op answer.Opinion, r assent.Request) error {
	if op.Offer != nil {
		a.Offer = *op.Offer
	}
	switch {
	case a.Offer < 0 || a.Offer >= len(r.Offers):
		return fmt.Errorf("there is no offer %d: there are %d, from 0", a.Offer, len(r.Offers))
	case op.Uses < 0 || op.Seconds < 0:
		return fmt.Errorf("neither uses nor seconds can be less than 1")
	}
	limited := op.Uses > 0 || op.Seconds > 0
	seconds := assent.Duration(time.Duration(min(op.Seconds, 1e9)) * time.Second)
	switch op.Scope {
	case "once":
		if a.Offer != 0 || op.Uses > 1 {
			return fmt.Errorf("once is always exactly this action, one time")
		}
		a.Width, a.For = assent.Once, seconds
	case "":
		if a.Offer == 0 && op.Uses <= 1 {
			a.Width, a.For = assent.Once, seconds
			return nil
		}
		a.Width, a.Uses, a.For = assent.ForTurns, op.Uses, orFor(seconds, classFor)
	case "session":
		a.Width = assent.InSess
		if limited {
			a.Width, a.Uses, a.For = assent.ForTurns, op.Uses, min(orFor(seconds, sessionFor), assent.Duration(sessionFor))
		}
	case "for":
		a.Width, a.Uses, a.For = assent.ForTurns, op.Uses, orFor(seconds, classFor)
	default:
		return fmt.Errorf("the scope %q is none that a hook can give: once, session, or for with seconds and uses", clip(op.Scope, 40))
	}
	if r.Case.Session == "" && a.Width != assent.Once {
		return fmt.Errorf("the action belongs to no session, so it can be approved only once")
	}
	return nil
}

func orFor(d assent.Duration, otherwise time.Duration) assent.Duration {
	if d > 0 {
		return d
	}
	return assent.Duration(otherwise)
}
