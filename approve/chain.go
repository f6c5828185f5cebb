package approve

// The chain: one approver after another, until one decides.

import (
	"context"
	"strings"

	"assent"
)

// Chain asks its approvers in order. The first that says yes or no decides; what all
// of them leave open is for people. Once one has failed no later yes counts: a broken
// guard opens nothing.
type Chain []assent.Approver

// Name is all of them, in order.
func (c Chain) Name() assent.Identity {
	var ids, names []string
	for _, a := range c {
		who := a.Name()
		ids, names = append(ids, who.String()), append(names, who.Called())
	}
	return assent.Identity{Surface: SurfaceChain, ID: strings.Join(ids, "+"), Name: strings.Join(names, ", then ")}
}

// Approve asks them. The advice is By the one that decided, or else by all of them;
// its reason says who gave it. The error is nil.
func (c Chain) Approve(ctx context.Context, r assent.Request) (assent.Advice, error) {
	all := assent.Advice{By: c.Name(), Decision: assent.Ask, Done: true}
	var reasons, faults []string
	broken := false
	for _, who := range c {
		a, err := who.Approve(ctx, r)
		if err != nil {
			a = failed(err.Error())
		}
		if a.Fault != "" {
			faults, broken = append(faults, a.Fault), broken || a.Decision == assent.Ask
		}
		if a.Reason != "" {
			reasons = append(reasons, who.Name().Called()+": "+a.Reason)
		}
		took, exit := all.Took+a.Took, all.Exit
		if exit == 0 {
			exit = a.Exit
		}
		decided := a.Decision == assent.Deny || a.Decision == assent.Allow && !broken
		if decided {
			a.By = who.Name()
			all = a
		}
		all.Done, all.Took, all.Exit = true, took, exit
		all.Reason, all.Fault = sentence(strings.Join(reasons, "; ")), sentence(strings.Join(faults, "; "))
		if decided {
			break
		}
	}
	return all, nil
}
