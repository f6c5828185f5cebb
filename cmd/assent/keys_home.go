package main

// assent keys home: the public half of the key with which the home signs receipts.

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
)

func (a *app) keysHomeCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "home",
		Short: "Print the public key by which outsiders check the receipts of this home",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			h, err := config.Locate(a.env)
			if err != nil {
				return err
			}
			public, err := h.Key().PublicFor("receipt")
			if errors.Is(err, assent.ErrNotFound) {
				return exit{exitNotFound, err, "the home makes its key when it signs for the first time"}
			}
			if err != nil {
				return err
			}
			x := base64.RawURLEncoding.EncodeToString(public)
			if a.json {
				return a.printJSON(map[string]string{"kty": "OKP", "crv": "Ed25519", "use": "sig", "x": x})
			}
			fmt.Fprintln(a.out, x)
			return nil
		},
	}
}
