package main

// assent grants renew: a standing grant stands on, because a person says so again.

import (
	"fmt"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
)

func (a *app) grantsRenewCmd() *cobra.Command {
	var r assent.Renewal
	var length, key string
	c := &cobra.Command{
		Use:   "renew ID",
		Short: "Have a standing grant stand on, with its uses and its time from now",
		Long: "Have a standing grant stand on, with its uses and its time from now.\n" +
			"It gets a new ID, and the old one ends: what it covers stays the same. A grant that has\n" +
			"ended, or lapsed because nobody used it, is not renewed: the action is asked about again.",
		Args: oneGrant,

		ValidArgsFunction: a.completeGrants,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("for") {
				d, err := config.Length(length)
				if err != nil || d == 0 {
					return usage("--for takes a length of time, such as 30d or 12h")
				}
				r.For = assent.Duration(d)
			}
			r.Grant = fullID("gr_", args[0])
			d, err := a.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer d.Close()
			r.At = a.clock()
			if err := a.sign(&r.Proof, key, r.Signed); err != nil {
				return err
			}
			g, err := d.Renew(cmd.Context(), r)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(g)
			}
			fmt.Fprintf(a.out, "%s stands in the place of %s: %s, until %s\n", g.ID, r.Grant, uses(g.Scope.Uses), g.Until.Local().Format("2006-01-02 15:04"))
			return nil
		},
	}
	c.Flags().StringVar(&length, "for", "", "for a time (default: 90 days, the most there is)")
	c.Flags().StringVarP(&r.Note, "message", "m", "", "a note for the log")
	c.Flags().StringVar(&key, "key", "", "approver key file, where there is no terminal")
	return c
}
