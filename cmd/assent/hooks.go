package main

// assent hooks: the user's own code, and whether it really runs.

import (
	"os"

	"github.com/spf13/cobra"

	"assent/config"
)

func (a *app) hooksCmd() *cobra.Command {
	c := &cobra.Command{Use: "hooks", Short: "List, try and allow your own code at the points of an agent's life"}
	c.AddCommand(
		a.hooksListCmd(), a.hooksTestCmd(), a.hooksAllowCmd(), a.hooksRevokeCmd(), a.hooksDoctorCmd(), a.hooksImportCmd(),
		a.hooksEventsCmd(), a.hooksDeliverCmd(),
	)
	return c
}

// hooksHere is the home, what its file says, and the directory that we are in.
func (a *app) hooksHere() (h config.Home, f config.File, dir string, err error) {
	if h, err = config.Locate(a.env); err != nil {
		return h, f, "", err
	}
	f, err = h.Load()
	dir, _ = os.Getwd() // empty is not known
	return h, f, dir, err
}

// hooksDeliverCmd is run by ourselves, for what a process that ended left to hooks
// that watch.
func (a *app) hooksDeliverCmd() *cobra.Command {
	var home string
	c := &cobra.Command{
		Use: "deliver", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := a.home(home)
			if err != nil {
				return err
			}
			return h.Deliver(cmd.Context(), a.in, a.now)
		},
	}
	c.Flags().StringVar(&home, "home", "", "assent's home")
	return c
}
