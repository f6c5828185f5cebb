package main

// assent grants, revoke: what may run without asking, and its end.

import (
	"fmt"

	"github.com/spf13/cobra"

	"assent"
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
			fmt.Fprint(a.out, terminal.Grants(list, a.look()))
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "ended ones too")
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
	r.At = a.now()
	if err := a.sign(&r.Proof, key, r.Signed); err != nil {
		return err
	}
	gone, err := d.Revoke(cmd.Context(), r)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(emptyList(gone))
	}
	for _, g := range gone {
		fmt.Fprintf(a.out, "revoked %s (%d of %d uses spent)\n", g.ID, g.Used, g.Scope.Uses)
	}
	if len(gone) == 0 {
		fmt.Fprintln(a.out, "there was nothing to revoke")
	}
	return nil
}
