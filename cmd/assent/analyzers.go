package main

// assent analyzers: what is known, from the code's own lists: which facts are
// found, what becomes of each, and what is known about programs.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent"
	"assent/analyze"
	"assent/policy"
	"assent/programs"
)

func (a *app) analyzersCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "analyzers [CODE]",
		Short: "Print which facts are found, what becomes of them, and what is known about programs",
		Example: "  assent analyzers\n" +
			"  assent analyzers fs.delete\n" +
			"  assent analyzers programs git",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.printAnalyzers()
			}
			return a.printCode(args[0])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completed(args, func() (out []cobra.Completion) {
				for _, r := range policy.Table {
					out = append(out, cobra.CompletionWithDesc(r.Code, r.Why))
				}
				return out
			})
		},
	}
	c.AddCommand(&cobra.Command{
		Use:   "programs [NAME]",
		Short: "Print of which programs something is known, or all that is known about one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.printPrograms()
			}
			return a.printProgram(args[0])
		},
	})
	return c
}

// finder is one analyzer as it is printed.
type finder struct {
	Name  string    `json:"name"`
	Doc   string    `json:"doc"`
	Codes []codeRow `json:"codes"`
}

// codeRow is what becomes of facts of one code.
type codeRow struct {
	Code     string          `json:"code"`
	Tier     policy.Tier     `json:"tier"`
	Decision assent.Decision `json:"decision"` // none: it is only told
	Why      string          `json:"why"`
}

func rowOf(code string) codeRow {
	r := policy.Of(code)
	return codeRow{code, r.Tier, r.Decision, r.Why}
}

// finders are all analyzers, and before them the reading of the call itself.
func finders() []finder {
	all := []finder{{"reading", "Reads the call as a shell or a tool would, and says what of it cannot be read, followed or known before it runs.", codeRows(analyze.Codes)}}
	for _, x := range analyze.All {
		all = append(all, finder{x.Name, x.Doc, codeRows(x.Codes)})
	}
	return all
}

func codeRows(codes []string) []codeRow {
	rows := make([]codeRow, len(codes))
	for i, c := range codes {
		rows[i] = rowOf(c)
	}
	return rows
}

func (a *app) printAnalyzers() error {
	all := finders()
	if a.json {
		return a.printJSON(all)
	}
	for _, f := range all {
		fmt.Fprintf(a.out, "%s: %s\n", f.Name, f.Doc)
		for _, r := range f.Codes {
			fmt.Fprintf(a.out, "  %-16s  %-14s  %s\n", r.Code, weigh(r.Code), r.Why)
		}
	}
	return nil
}

// known is all about one code.
type known struct {
	codeRow
	FoundBy  []string `json:"found_by"`
	Programs []string `json:"programs"` // of which the knowledge says it
}

func (a *app) printCode(code string) error {
	k := known{codeRow: rowOf(code), FoundBy: []string{}, Programs: programs.Doing(code)}
	for _, f := range finders() {
		if slices.ContainsFunc(f.Codes, func(r codeRow) bool { return r.Code == code }) {
			k.FoundBy = append(k.FoundBy, f.Name)
		}
	}
	switch {
	case len(k.FoundBy) == 0:
		return exit{exitNotFound, fmt.Errorf("there is no fact %q", code), "assent analyzers lists them"}
	case a.json:
		return a.printJSON(k)
	}
	fmt.Fprintf(a.out, "%s  %s\n  %s\n  found by: %s\n", code, weigh(code), k.Why, strings.Join(k.FoundBy, ", "))
	if len(k.Programs) > 0 {
		fmt.Fprintf(a.out, "  known of: %s\n", strings.Join(k.Programs, " "))
	}
	return nil
}

func (a *app) printPrograms() error {
	names := slices.Sorted(slices.Values(programs.Names()))
	if a.json {
		return a.printJSON(names)
	}
	_, err := fmt.Fprintln(a.out, strings.Join(names, "\n"))
	return err
}

func (a *app) printProgram(name string) error {
	as, all := programs.Statements(name)
	switch {
	case as == "":
		return exit{exitNotFound, fmt.Errorf("nothing is known of the program %q", name), "a use of it is prog.unknown; how to teach it is in docs/judgement.md"}
	case a.json:
		return a.printJSON(struct {
			Program    string               `json:"program"`
			Statements []programs.Statement `json:"statements"`
		}{as, all})
	}
	fmt.Fprintln(a.out, as)
	for _, s := range all {
		fmt.Fprintf(a.out, "  %-16s  %s\n", s.Verb, strings.Join(s.Patterns, ", "))
		if s.Note != "" {
			fmt.Fprintf(a.out, "  %-16s  => %s\n", "", s.Note)
		}
	}
	return nil
}
