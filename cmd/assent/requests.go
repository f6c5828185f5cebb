package main

// assent requests, show: what waits for a person.

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
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
	list, err := allRequests(cmd.Context(), d, f)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(emptyList(list))
	}
	fmt.Fprint(a.out, terminal.Requests(list, a.look()))
	return nil
}

// allRequests lists requests, however many there are.
func allRequests(ctx context.Context, d config.Assent, f assent.RequestFilter) (list []assent.Request, err error) {
	for {
		page, err := d.Requests(ctx, f)
		if err != nil || len(page) == 0 {
			return list, err
		}
		list = append(list, page...)
		f.After = page[len(page)-1].ID
	}
}

// emptyList makes JSON lists out of nil ones.
func emptyList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (a *app) showCmd() *cobra.Command {
	var wait string
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show one request whole: what would run, why it was stopped, what can be granted",
		Args:  oneRequest,

		ValidArgsFunction: a.completeRequests,
		RunE: func(cmd *cobra.Command, args []string) error {
			hold, err := config.Length(cmp.Or(wait, "0"))
			if err != nil {
				return usage("--wait takes a length of time, such as 30s or 10m")
			}
			d, err := a.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer d.Close()
			r, err := awaited(cmd.Context(), d, fullID("req_", args[0]), a.now().Add(hold), a.now)
			if err == nil {
				err = a.printRequest(r)
			}
			if err == nil && wait != "" {
				err = howItEnded(r)
			}
			return err
		},
	}
	c.Flags().StringVar(&wait, "wait", "", "wait so long for its answer; exit 0 approved, 3 not, 4 not answered yet")
	return c
}

func (a *app) printRequest(r assent.Request) error {
	if a.json {
		return a.printJSON(r)
	}
	card, _ := terminal.Card(r, a.look())
	fmt.Fprint(a.out, card)
	return nil
}

// waitStep is one long poll of a command.
const waitStep = 50 * time.Second

// awaited is the request once it is settled, or as it stands at the end.
func awaited(ctx context.Context, d config.Assent, id string, end time.Time, now func() time.Time) (assent.Request, error) {
	for {
		left := end.Sub(now())
		if left <= 0 {
			return d.Request(ctx, id)
		}
		r, err := d.Wait(ctx, id, min(left, waitStep))
		if err != nil || r.State != assent.Pending || ctx.Err() != nil {
			return r, err
		}
	}
}

// howItEnded is the exit code that says how a request ended.
func howItEnded(r assent.Request) error {
	switch r.State {
	case assent.Approved:
		return nil
	case assent.Pending:
		return exit{code: exitWaited}
	}
	return exit{code: exitDenied}
}
