package main

// assent grants receipt: what an outsider is told of a grant, signed, for a minute.

import (
	"fmt"

	"github.com/spf13/cobra"

	"assent"
)

func (a *app) grantsReceiptCmd() *cobra.Command {
	var w assent.ReceiptWish
	c := &cobra.Command{
		Use:   "receipt ID --audience WHO --nonce TEXT",
		Short: "Sign for an outsider what a grant covers, for a minute",
		Long: "Sign for an outsider what a grant covers, for a minute: a service that cannot ask assent\n" +
			"checks it by the home's public key (assent keys home). Only who holds the grant, or the owner in\n" +
			"a terminal, gets one. The nonce is the outsider's own, so that it hears a receipt once.",
		Args: oneGrant,

		ValidArgsFunction: a.completeGrants,
		RunE: func(cmd *cobra.Command, args []string) error {
			w.Grant = fullID("gr_", args[0])
			if w.Audience == "" || w.Nonce == "" {
				return usage("say for whom and with what nonce: --audience https://deploy.example --nonce TEXT")
			}
			d, err := a.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer d.Close()
			text, err := d.Receipt(cmd.Context(), w)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]string{"receipt": text})
			}
			fmt.Fprintln(a.out, text)
			return nil
		},
	}
	c.Flags().StringVar(&w.Audience, "audience", "", "who is told")
	c.Flags().StringVar(&w.Nonce, "nonce", "", "what the outsider gave, to hear this receipt once")
	c.Flags().StringVar(&w.Call, "call", "", "of one use: the call that spent it")
	return c
}
