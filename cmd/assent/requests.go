package main

// assent requests, show: what waits for a person.

import (
	"fmt"

	"github.com/spf13/cobra"

	"assent"
	"assent/surface/terminal"
)

func (a *app) requestsCmd() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "requests",

		SuggestFor: []string{"list", "ls", "pending", "queue"},

		Short: "List what waits for a person",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := assent.RequestFilter{State: assent.Pending}
			if all {
				f.State = ""
			}
			return a.requests(cmd, f)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "settled ones too")
	return c
}

func (a *app) requests(cmd *cobra.Command, f assent.RequestFilter) error {
	d, err := a.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer d.Close()
	var list []assent.Request
	for {
		page, err := d.Requests(cmd.Context(), f)
		if err != nil {
			return err
		}
		list = append(list, page...)
		if len(page) == 0 {
			break
		}
		f.After = page[len(page)-1].ID
	}
	if a.json {
		return a.printJSON(emptyList(list))
	}
	fmt.Fprint(a.out, terminal.Requests(list, a.look()))
	return nil
}

// emptyList makes JSON lists out of nil ones.
func emptyList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one request whole: what would run, why it was stopped, what can be granted",
		Args:  oneRequest,

		ValidArgsFunction: a.completeRequests,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer d.Close()
			r, err := d.Request(cmd.Context(), fullID("req_", args[0]))
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			card, _ := terminal.Card(r, a.look())
			fmt.Fprint(a.out, card)
			return nil
		},
	}
}
