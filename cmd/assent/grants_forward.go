package main

// assent grants forward: a grant is handed on to a session, such as a sub-agent's.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/surface/terminal"
)

func (a *app) grantsForwardCmd() *cobra.Command {
	var f assent.Forwarding
	var length, key string
	c := &cobra.Command{
		Use:   "forward ID --to SESSION",
		Short: "Hand a grant on to a session, such as a sub-agent's, which starts with none",
		Long: "Hand a grant on to a session, such as a sub-agent's, which starts with none.\n" +
			"It gets a grant of its own that covers no more, and ends when the one it came of does.",
		Args: oneGrant,

		ValidArgsFunction: a.completeGrants,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.To == "" {
				return usage("say to whom: --to SESSION, or --to req_7 for the session that asked it")
			}
			if cmd.Flags().Changed("uses") && f.Uses < 1 {
				return usage("--uses takes a number of uses, 1 or more")
			}
			if cmd.Flags().Changed("for") {
				d, err := config.Length(length)
				if err != nil || d == 0 {
					return usage("--for takes a length of time, such as 30m or 24h")
				}
				f.For = assent.Duration(d)
			}
			f.Grant = fullID("gr_", args[0])
			return a.forward(cmd, f, key)
		},
	}
	c.Flags().StringVar(&f.To, "to", "", "the session, by its beginning; or a request, for the session that asked it")
	c.Flags().IntVar(&f.Uses, "uses", 1, "how many uses, at most what is left")
	c.Flags().StringVar(&length, "for", "", "for a time, such as 30m or 24h (default: as long as the grant)")
	c.Flags().StringVarP(&f.Note, "message", "m", "", "a note for the log")
	c.Flags().StringVar(&key, "key", "", "approver key file, where there is no terminal")
	return c
}

// oneGrant wants the ID of one grant.
func oneGrant(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return exit{exitUsage, fmt.Errorf("%s takes one grant, such as: %s 7 --to SESSION", cmd.Name(), cmd.CommandPath()), "assent grants lists them"}
	case strings.HasPrefix(args[0], "req_"):
		return exit{exitUsage, fmt.Errorf("%s is a request; see: assent requests", args[0]), "assent grants lists the grants"}
	}
	return nil
}

func (a *app) forward(cmd *cobra.Command, f assent.Forwarding, key string) error {
	d, err := a.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer d.Close()
	if f.To, err = a.holder(cmd.Context(), d, f.To); err != nil {
		return err
	}
	f.At = a.clock()
	if err := a.sign(&f.Proof, key, f.Signed); err != nil {
		return err
	}
	g, err := d.Forward(cmd.Context(), f)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(g)
	}
	fmt.Fprintf(a.out, "%s: %s of %s for the session %s, until %s; take it back with: assent revoke %s\n",
		g.ID, uses(g.Scope.Uses), g.Parent, terminal.Escape(g.Scope.Session), g.Until.Local().Format("2006-01-02 15:04"), g.ID)
	return nil
}

// holder finds the session that is meant: the one that asked a request, or the one of
// those that have asked, or hold a grant, which the text begins. A whole name need not
// be among them: a sub-agent may have asked nothing yet.
func (a *app) holder(ctx context.Context, d config.Assent, text string) (string, error) {
	if strings.HasPrefix(text, "req_") {
		r, err := d.Request(ctx, text)
		return r.Case.Session, err
	}
	held, err := d.Grants(ctx, assent.GrantFilter{})
	if err != nil {
		return "", err
	}
	asked, err := allRequests(ctx, d, assent.RequestFilter{})
	if err != nil {
		return "", err
	}
	known := holders(held)
	for _, r := range asked {
		known = append(known, r.Case.Session)
	}
	meant, err := sessionMeant(text, known, "assent requests --all")
	if err != nil && coded(err).code == exitNotFound {
		return text, nil
	}
	return meant, err
}
