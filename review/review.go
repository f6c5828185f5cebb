// Package review is the queue's one state machine and one validator: what a
// request is when it opens, which answers it takes, and what they become.
//
// It is pure: it keeps nothing, asks nobody and has no clock. Stores keep what
// it returns; engine, doors and surfaces never settle a request any other way.
//
//	r := review.Open(c, v.Reasons, now, 24*time.Hour, analyse)
//	s, err := review.Settle(r, answer, now, bootID) // s.Grant is what the yes is
package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
)

// Open returns the pending request for a case that somebody must be asked about.
// It expires at now + expires. With analyse the offers have examples; nil: none.
func Open(c assent.Case, reasons []assent.Reason, now time.Time, expires time.Duration, analyse Analyse) assent.Request {
	digest := c.Digest()
	choice := offers(c, digest, analyse)
	c.Raw, c.Process, c.Places = nil, nil, assent.Places{}
	return assent.Request{
		Kind: assent.KindApproval, Version: 1, Case: c, Digest: digest, Reasons: reasons,
		Offers: choice, Opened: now, Expires: now.Add(expires), State: assent.Pending, Asked: 1,
	}
}

// Settle checks an answer against the request as it stands and returns how it is
// settled. boot is the machine's boot id, to which session grants are bound.
//
// ErrSettled: somebody was first, or its time ran out. ErrStale: the answer is to
// another version or to another action than this request's. ErrInvalid: the
// answer breaks a rule of its form; the text names every field that does.
func Settle(r assent.Request, a assent.Answer, now time.Time, boot string) (assent.Settlement, error) {
	switch {
	case r.State != assent.Pending:
		return assent.Settlement{}, fmt.Errorf("settle %s: %s: %w", r.ID, Outcome(r), assent.ErrSettled)
	case !now.Before(r.Expires):
		return assent.Settlement{}, fmt.Errorf("settle %s: it ran out at %s: %w", r.ID, r.Expires.Format(time.RFC3339), assent.ErrSettled)
	case a.Version != 0 && a.Version != r.Version, a.Digest != "" && a.Digest != r.Digest:
		return assent.Settlement{}, fmt.Errorf("settle %s: %w", r.ID, assent.ErrStale)
	}
	if err := validate(r, a); err != nil {
		return assent.Settlement{}, fmt.Errorf("settle %s: %w", r.ID, err)
	}
	s := assent.Settlement{Request: r.ID, State: assent.Denied, Answer: &a, At: now}
	if a.Decision == assent.Allow {
		g := grant(r, a, now, boot)
		s.State, s.Grant = assent.Approved, &g
	}
	return s, nil
}

// Outcome says in a few words how a request that is no longer pending ended.
func Outcome(r assent.Request) string {
	if r.Answer == nil {
		return string(r.State)
	}
	text := fmt.Sprintf("%s by %s at %s", r.State, r.Answer.By.Called(), r.Settled.Format(time.RFC3339))
	if r.Answer.Note != "" {
		text += fmt.Sprintf(": %q", r.Answer.Note)
	}
	return text
}

// validate returns every fault of the answer at once.
func validate(r assent.Request, a assent.Answer) error {
	var faults []error
	fault := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: "+format, append([]any{field}, args...)...))
	}
	if r.Kind != assent.KindApproval {
		fault("kind", "a %s takes no approval", r.Kind)
	}
	if a.Decision != assent.Allow && a.Decision != assent.Deny {
		fault("decision", "must be allow or deny, is %s", a.Decision)
	}
	if len(a.Input) > 0 {
		fault("input", "an approval is of exactly what was shown; deny it and say what should run instead")
	}
	if len(a.Note) > MaxNote {
		fault("note", "longer than %d bytes", MaxNote)
	}
	if a.Decision == assent.Allow {
		validateWidth(r, a, fault)
	}
	if len(faults) == 0 {
		return nil
	}
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.Error()
	}
	return fmt.Errorf("%s: %w", strings.Join(texts, "; "), assent.ErrInvalid)
}

func validateWidth(r assent.Request, a assent.Answer, fault func(field, format string, args ...any)) {
	if !slices.Contains(Widths(r), width(a)) {
		fault("width", "%q cannot be given here; possible: %v", width(a), Widths(r))
	}
	if a.Offer < 0 || a.Offer >= len(r.Offers) {
		fault("offer", "there is no offer %d; there are %d", a.Offer+1, len(r.Offers))
	}
	if width(a) == assent.Once && a.Offer != 0 {
		fault("offer", "once is always exactly this action")
	}
	if width(a) != assent.ForTurns && (a.For != 0 || a.Uses != 0) {
		fault("for", "a time and a number of uses go with width %q", assent.ForTurns)
	}
	if width(a) == assent.ForTurns {
		if a.For <= 0 || time.Duration(a.For) > alwaysFor {
			fault("for", "must be between a second and %d days", alwaysFor/(24*time.Hour))
		}
		if a.Uses < 0 || a.Uses > alwaysUses {
			fault("uses", "must be between 1 and %d", alwaysUses)
		}
	}
}
