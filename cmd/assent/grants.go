package main

// assent grants, revoke: what may run without asking, and its end.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/internal/peer"
	"assent/surface/terminal"
)

func (a *app) grantsCmd() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "grants",
		Short: "List the grants that are live",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := a.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer d.Close()
			list, err := d.Grants(cmd.Context(), assent.GrantFilter{Live: !all})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(emptyList(list))
			}
			o := a.look()
			o.Asked = func(id string) (assent.Request, bool) {
				r, err := d.Request(cmd.Context(), id)
				return r, err == nil
			}
			if all {
				live, err := d.Grants(cmd.Context(), assent.GrantFilter{Live: true})
				if err != nil {
					return err
				}
				o.Counts = func(id string) bool {
					return slices.ContainsFunc(live, func(g assent.Grant) bool { return g.ID == id })
				}
			}
			fmt.Fprint(a.out, terminal.Grants(list, o))
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "ended ones too")
	c.AddCommand(a.grantsForwardCmd(), a.grantsRenewCmd(), a.grantsHandleCmd(), a.grantsReceiptCmd())
	return c
}

func (a *app) revokeCmd() *cobra.Command {
	var r assent.Revocation
	var key string
	c := &cobra.Command{
		Use:   "revoke [ID]",
		Short: "End grants now: one, those of a session, or all",
		Args:  cobra.MaximumNArgs(1),

		ValidArgsFunction: a.completeGrants,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && strings.HasPrefix(args[0], "req_") {
				return exit{exitUsage, fmt.Errorf("%s is a request; see: assent requests", args[0]), "assent grants lists the grants"}
			}
			if len(args) == 1 {
				r.ID = fullID("gr_", args[0])
			}
			if n := count(r.ID != "", r.Session != "", r.All); n != 1 {
				return usage("name one of: a grant, --session S, --all")
			}
			return a.revoke(cmd, r, key)
		},
	}
	c.Flags().StringVar(&r.Session, "session", "", "all grants of this session")
	c.Flags().BoolVar(&r.All, "all", false, "all grants")
	c.Flags().BoolVar(&r.Kill, "kill", false, "end what assent runs under them, too")
	c.Flags().StringVarP(&r.Note, "message", "m", "", "a note for the log")
	c.Flags().StringVar(&key, "key", "", "approver key file, where there is no terminal")
	return c
}

func count(conditions ...bool) (n int) {
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}

func (a *app) revoke(cmd *cobra.Command, r assent.Revocation, key string) error {
	d, err := a.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer d.Close()
	all, err := d.Grants(cmd.Context(), assent.GrantFilter{})
	if err != nil {
		return err
	}
	if r.Session != "" {
		if r.Session, err = sessionMeant(r.Session, holders(all), "assent grants --all"); err != nil {
			return err
		}
	}
	r.At = a.clock()
	if err := a.sign(&r.Proof, key, r.Signed); err != nil {
		return err
	}
	gone, err := d.Revoke(cmd.Context(), r)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(g assent.Grant) bool { return g.ID == r.ID }); i >= 0 && len(gone.Killed) == 0 {
		if how := ended(all[i], r.At); how != "" {
			return exit{exitConflict, fmt.Errorf("%s had ended already: %s", r.ID, how), "see: assent grants --all"}
		}
	}
	if a.json {
		gone.Grants = emptyList(gone.Grants)
		return a.printJSON(gone)
	}
	for _, g := range gone.Grants {
		fmt.Fprintf(a.out, "revoked %s (%d of %d uses spent)\n", g.ID, g.Used, g.Scope.Uses)
	}
	for _, c := range gone.Killed {
		fmt.Fprintf(a.out, "ended what ran under %s (%s)\n", c.Grant, terminal.Escape(c.ID))
	}
	if len(gone.Grants)+len(gone.Killed) == 0 {
		fmt.Fprintln(a.out, "there was nothing to revoke")
	}
	return nil
}

// holders are the sessions that grants are for.
func holders(list []assent.Grant) (sessions []string) {
	for _, g := range list {
		if g.Scope.Session != "" {
			sessions = append(sessions, g.Scope.Session)
		}
	}
	return sessions
}

// ended says what ended a grant before now; empty: it was live.
func ended(g assent.Grant, now time.Time) string {
	const form = "2006-01-02 15:04:05"
	switch err := g.Check(now, peer.BootID()); {
	case g.Used >= g.Scope.Uses: // the last use was before any other end
		return fmt.Sprintf("used up (%d of %d uses spent)", g.Used, g.Scope.Uses)
	case errors.Is(err, assent.ErrRevoked):
		return "revoked at " + g.Revoked.Local().Format(form)
	case err != nil && !now.Before(g.Until):
		return "expired at " + g.Until.Local().Format(form)
	case err != nil:
		return "expired"
	}
	return ""
}
