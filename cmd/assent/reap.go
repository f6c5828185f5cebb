package main

// assent reap: what is left of hooks ends with whoever ran them. We start it
// ourselves.

import (
	"github.com/spf13/cobra"

	"assent/config"
	"assent/internal/child"
)

func (a *app) reapCmd() *cobra.Command {
	return &cobra.Command{
		Use: "reap", Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			child.Reap(a.in)
			return nil
		},
	}
}

// home is the home in a directory, or else the one of the environment.
func (a *app) home(dir string) (config.Home, error) {
	if dir != "" {
		return config.At(dir)
	}
	return config.Locate(a.env)
}
