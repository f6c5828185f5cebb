package main

// assent approve, deny: a person's word on one request.

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/surface/terminal"
)

// answerFlags are the flags of approve and deny.
type answerFlags struct {
	once, session, always, timed bool
	length                       time.Duration
	uses, offer                  int
	note, key                    string
}

func (a *app) approveCmd() *cobra.Command {
	var f answerFlags
	c := &cobra.Command{
		Use:   "approve ID",
		Short: "Say yes to one request: it becomes a grant",
		Args:  cobra.ExactArgs(1),

		ValidArgsFunction: a.completeRequests,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.timed = cmd.Flags().Changed("for")
			if count(f.once, f.session, f.always, f.timed) > 1 {
				return usage("choose one of --once, --session, --always, --for")
			}
			return a.answer(cmd, args[0], assent.Allow, f)
		},
	}
	c.Flags().BoolVar(&f.once, "once", false, "exactly this, one use, within ten minutes (the default)")
	c.Flags().BoolVar(&f.session, "session", false, "until the agent's session ends, at most 8 hours and 100 uses")
	c.Flags().BoolVar(&f.always, "always", false, "a standing grant: 90 days and 1,000 uses, lapses after 30 days unused")
	c.Flags().DurationVar(&f.length, "for", 0, "for a time, such as 30m")
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
		Short:   "Say no to one request; the note reaches the agent",
		Args:    cobra.ExactArgs(1),

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
	ans := assent.Answer{Request: r.ID, Version: r.Version, Digest: r.Digest, Decision: d, Note: f.note, At: a.now()}
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
	if err != nil {
		return err
	}
	return a.settled(cmd, conn, r)
}

// shown refuses a yes to what the terminal cannot show whole.
func (a *app) shown(r assent.Request) error {
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
	fmt.Fprintln(a.out, terminal.Settled(r))
	if r.Grant == "" {
		return nil
	}
	grants, err := conn.Grants(cmd.Context(), assent.GrantFilter{})
	for _, g := range grants {
		if err == nil && g.ID == r.Grant {
			fmt.Fprintf(a.out, "  %s: %d use(s) until %s; take it back with: assent revoke %s\n", g.ID, g.Scope.Uses, g.Until.Local().Format("2006-01-02 15:04"), g.ID)
		}
	}
	return err
}
