package main

// assent log: what was decided, by whom, and whether the log is whole.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/audit"
	"assent/config"
)

const (
	logPage   = 500
	followGap = 200 * time.Millisecond
)

func (a *app) logCmd() *cobra.Command {
	var follow bool
	var session string
	c := &cobra.Command{
		Use:   "log",
		Short: "Print the log of decisions",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.reader(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			return a.printLog(cmd.Context(), s, strings.TrimSuffix(session, "…"), follow)
		},
	}
	c.Flags().BoolVar(&follow, "follow", false, "go on printing until interrupted")
	c.Flags().StringVar(&session, "session", "", "only the session that begins so")
	c.AddCommand(&cobra.Command{
		Use:   "verify",
		Short: "Check that nobody changed, cut out or forged a record; names the first broken place",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.verifyLog(cmd.Context()) },
	})
	return c
}

// reader opens the store for reading.
func (a *app) reader(ctx context.Context) (assent.Store, error) {
	h, err := config.Locate(a.env)
	if err != nil {
		return nil, err
	}
	s, err := config.OpenLog(ctx, h)
	if errors.Is(err, assent.ErrNotFound) {
		err = exit{exitNotFound, err, "it begins with the first event; see: assent demo, assent init"}
	}
	return s, err
}

func (a *app) printLog(ctx context.Context, s assent.Store, session string, follow bool) error {
	found := false
	for after := uint64(0); ; {
		lines, err := s.Lines(ctx, after, logPage)
		if err != nil {
			return err
		}
		for _, l := range lines {
			after = l.N
			printed, err := a.printLine(l, session)
			if err != nil {
				return err
			}
			found = found || printed
		}
		if len(lines) == logPage {
			continue
		}
		if !follow && !found && session != "" {
			return exit{exitNotFound, fmt.Errorf("no session begins with %q", session), "see all of it: assent log"}
		}
		if !follow {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followGap):
		}
	}
}

// printLine prints a record of a session that begins so.
func (a *app) printLine(l assent.Line, session string) (printed bool, err error) {
	var r assent.Record
	if err := json.Unmarshal(l.Leaf, &r); err != nil {
		return false, fmt.Errorf("record %d cannot be read; run assent log verify: %w", l.N, assent.ErrChain)
	}
	if !strings.HasPrefix(r.Session, session) {
		return false, nil
	}
	if a.json {
		raw, err := audit.JSON(l)
		if err == nil {
			_, err = fmt.Fprintf(a.out, "%s\n", raw)
		}
		return true, err
	}
	fmt.Fprintln(a.out, audit.Text(r, l.Payload, a.look().Width))
	return true, nil
}

// verified is what log verify found: the whole log, or its part before the first
// broken place.
type verified struct {
	Whole  bool   `json:"whole"`
	Broken string `json:"broken,omitempty"`
	audit.Report
}

func (a *app) verifyLog(ctx context.Context) error {
	s, err := a.reader(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	report, err := audit.Reconcile(ctx, s, h.Key())
	if err != nil {
		if a.json && errors.Is(err, assent.ErrChain) {
			return errors.Join(a.printJSON(verified{false, err.Error(), report}), exit{code: exitFailed})
		}
		return err
	}
	if a.json {
		return a.printJSON(verified{true, "", report})
	}
	fmt.Fprintln(a.out, whole(report))
	return nil
}

// whole says in one sentence what was found to be whole.
func whole(r audit.Report) string {
	if r.Records == 0 {
		return "the log is empty"
	}
	text := fmt.Sprintf("%d records are whole, from %s to %s; head %s", r.Records,
		r.From.Local().Format(time.DateTime), r.To.Local().Format(time.DateTime), r.Head.Hash)
	if r.PayloadsMissing > 0 {
		text += fmt.Sprintf("; %d payloads were deleted", r.PayloadsMissing)
	}
	return text
}
