package main

// Completion of what a shell cannot know: the requests that wait, the grants that
// are live, the agents that init can wire.

import (
	"github.com/spf13/cobra"

	"assent"
	"assent/surface/terminal"
)

// completed offers the first argument alone.
func completed(args []string, offer func() []cobra.Completion) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offer(), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) completeRequests(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completed(args, func() (out []cobra.Completion) {
		d, err := a.dial(cmd.Context())
		if err != nil {
			return nil
		}
		defer d.Close()
		list, _ := d.Requests(cmd.Context(), assent.RequestFilter{State: assent.Pending})
		for _, r := range list {
			out = append(out, cobra.CompletionWithDesc(r.ID, terminal.Escape(r.Case.Agent+" "+r.Case.Tool)))
		}
		return out
	})
}

func (a *app) completeGrants(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completed(args, func() (out []cobra.Completion) {
		d, err := a.dial(cmd.Context())
		if err != nil {
			return nil
		}
		defer d.Close()
		list, _ := d.Grants(cmd.Context(), assent.GrantFilter{Live: true})
		for _, g := range list {
			out = append(out, cobra.CompletionWithDesc(g.ID, string(g.Width)))
		}
		return out
	})
}

func completeAgents(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completed(args, func() (out []cobra.Completion) {
		for _, s := range setups {
			out = append(out, cobra.CompletionWithDesc(s.name, s.agent))
		}
		return out
	})
}
