package main

// assent approve, deny: a person's word on one request.

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/review"
	"assent/surface/terminal"
)

// answerFlags are the flags of approve and deny.
type answerFlags struct {
	once, session, always, timed bool
	forText                      string
	length                       time.Duration
	uses, offer                  int
	note, key                    string
}

func (a *app) approveCmd() *cobra.Command {
	var f answerFlags
	c := &cobra.Command{
		Use: "approve ID",

		SuggestFor: []string{"allow", "accept", "yes", "grant"},
		Short:      "Say yes to one request: it becomes a grant",
		Args:       oneRequest,

		ValidArgsFunction: a.completeRequests,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.read(cmd, args[0]); err != nil {
				return err
			}
			return a.answer(cmd, args[0], assent.Allow, f)
		},
	}
	c.Flags().BoolVar(&f.once, "once", false, "exactly this, one use, within ten minutes (the default)")
	c.Flags().BoolVar(&f.session, "session", false, "until the agent's session ends, at most 8 hours and 100 uses")
	c.Flags().BoolVar(&f.always, "always", false, "a standing grant: 90 days and 1,000 uses, lapses after 30 days unused")
	c.Flags().StringVar(&f.forText, "for", "", "for a time, such as 30m, 24h or 7d; a plain number is seconds")
	c.Flags().IntVar(&f.uses, "uses", 0, "with --for: how many uses (default 100)")
	c.Flags().IntVar(&f.offer, "offer", 1, "which of the offers on the card")
	f.shared(c)
	return c
}

func (a *app) denyCmd() *cobra.Command {
	var f answerFlags
	c := &cobra.Command{
		Use:     "deny ID",
		Aliases: []string{"reject"},

		SuggestFor: []string{"no", "refuse", "block"},

		Short: "Say no to one request; the note reaches the agent",
		Args:  oneRequest,

		ValidArgsFunction: a.completeRequests,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.answer(cmd, args[0], assent.Deny, f)
		},
	}
	f.shared(c)
	return c
}

func (f *answerFlags) shared(c *cobra.Command) {
	c.Flags().StringVarP(&f.note, "message", "m", "", "a note: the agent hears it, the log keeps it")
	c.Flags().StringVar(&f.key, "key", "", "approver key file, where there is no terminal")
}

// read understands the flags of a yes to the request that is called id.
func (f *answerFlags) read(cmd *cobra.Command, id string) (err error) {
	f.timed = cmd.Flags().Changed("for")
	if count(f.once, f.session, f.always, f.timed) > 1 {
		return usage("choose one of --once, --session, --always, --for")
	}
	if cmd.Flags().Changed("uses") && (!f.timed || f.uses < 1) {
		return usage("--uses goes with --for: assent approve %s --for 30m --uses 20", id)
	}
	if !f.timed {
		return nil
	}
	if f.length, err = config.Length(f.forText); err != nil || f.length == 0 {
		return usage("--for takes a length of time, such as 30m or 24h")
	}
	return nil
}

// width is what the flags say of how far a yes reaches.
func (f answerFlags) width() assent.Width {
	switch {
	case f.session:
		return assent.InSess
	case f.always:
		return assent.Always
	case f.timed:
		return assent.ForTurns
	}
	return assent.Once
}

func (a *app) answer(cmd *cobra.Command, id string, d assent.Decision, f answerFlags) error {
	conn, err := a.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer conn.Close()
	r, err := conn.Request(cmd.Context(), fullID("req_", id))
	if err != nil {
		return err
	}
	ans := assent.Answer{Request: r.ID, Version: r.Version, Digest: r.Digest, Decision: d, Note: f.note, At: a.clock()}
	if d == assent.Allow {
		if err := a.shown(r); err != nil {
			return err
		}
		ans.Width, ans.Offer, ans.Uses, ans.For = f.width(), f.offer-1, f.uses, assent.Duration(f.length)
	}
	if err := a.sign(&ans.Proof, f.key, ans.Signed); err != nil {
		return err
	}
	r, err = conn.Answer(cmd.Context(), ans)
	if errors.Is(err, assent.ErrSettled) {
		return a.late(cmd, conn, ans.Request, err)
	}
	if err != nil {
		return err
	}
	return a.settled(cmd, conn, r)
}

// late says who was first.
func (a *app) late(cmd *cobra.Command, conn config.Assent, id string, err error) error {
	r, rerr := conn.Request(cmd.Context(), id)
	if rerr != nil || r.State == assent.Pending {
		return err
	}
	return exit{exitConflict, fmt.Errorf("%s is settled already: %s", r.ID, review.Outcome(r)), "assent show " + strings.TrimPrefix(r.ID, "req_")}
}

// shown refuses a yes to what the terminal cannot show whole, and to a card whose digest,
// which the yes is bound to, is of something else.
func (a *app) shown(r assent.Request) error {
	if r.Digest != r.Case.Digest() {
		return exit{exitForbidden, fmt.Errorf("%s shows one thing, and its digest is of another: somebody answers in assent's place", r.ID), "assent doctor"}
	}
	if card, whole := terminal.Card(r, a.look()); !whole {
		fmt.Fprint(a.err, card)
		return exit{code: exitForbidden, err: fmt.Errorf("%s cannot be approved here, because it cannot be shown here whole", r.ID)}
	}
	return nil
}

func (a *app) settled(cmd *cobra.Command, conn config.Assent, r assent.Request) error {
	if a.json {
		return a.printJSON(r)
	}
	if r.State == assent.Approved {
		fmt.Fprintln(a.out, terminal.OneLine(r))
	}
	fmt.Fprintln(a.out, terminal.Outcome(r, a.look()))
	if r.Grant == "" {
		return nil
	}
	grants, err := conn.Grants(cmd.Context(), assent.GrantFilter{})
	for _, g := range grants {
		if err == nil && g.ID == r.Grant {
			fmt.Fprintf(a.out, "  %s: %s until %s; take it back with: assent revoke %s\n", g.ID, uses(g.Scope.Uses), g.Until.Local().Format("2006-01-02 15:04"), g.ID)
		}
	}
	if a.resumes(cmd, conn, r) {
		session, _, _ := strings.Cut(r.Case.Session, "/") // a sub-agent goes on with its parent
		fmt.Fprintf(a.out, "  continue it with: claude -p --resume %s\n", terminal.Escape(quoted(session)))
	}
	return err
}

// resumes reports whether the agent has ended, and goes on when it is resumed.
func (a *app) resumes(cmd *cobra.Command, conn config.Assent, r assent.Request) bool {
	rules, ok := config.Running(cmd.Context(), conn)
	if h, err := config.Locate(a.env); !ok && err == nil {
		f, _ := config.Load(h.Config()) // a broken one says nothing
		rules = f.Rules()
	}
	return rules.Ask == assent.AskResume && r.Case.Agent == "claude" && unattended(r.Case.Event)
}

func uses(n int) string {
	if n == 1 {
		return "one use"
	}
	return fmt.Sprintf("%d uses", n)
}
