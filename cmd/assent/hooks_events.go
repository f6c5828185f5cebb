package main

// assent hooks events: the catalogue of lifecycle events, from the code's own list.

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assent"
	"assent/harness"
)

func (a *app) hooksEventsCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "events [NAME]",
		Short: "Print which events hooks can be for, or all about one",
		Long: "Print which events hooks can be for, by what they may answer there, or all about one.\n" +
			"NAME is an event's name here, or what an agent calls it.",
		Example: "  assent hooks events\n" +
			"  assent hooks events pre_tool_call\n" +
			"  assent hooks events PostToolUse",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.printEvents()
			}
			return a.printEvent(args[0])
		},
		ValidArgsFunction: completeEvents,
	}
}

// eventRow is one event as it is printed.
type eventRow struct {
	Name   string           `json:"name"`
	Hears  assent.Hears     `json:"hears"`
	When   string           `json:"when"`
	Answer string           `json:"answer,omitempty"`
	Fold   string           `json:"fold,omitempty"`
	Later  string           `json:"later,omitempty"`
	From   []harness.Source `json:"from"`
	Fields []eventField     `json:"fields,omitempty"`
	Common []eventField     `json:"common_fields,omitempty"`
}

type eventField struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func eventOf(t assent.EventType) eventRow {
	return eventRow{
		Name: t.Name, Hears: t.Hears, When: t.When, Answer: t.Answer, Fold: t.Fold, Later: t.Later,
		From: append([]harness.Source{}, harness.Sources(t.Name)...),
	}
}

func fieldsOf(fields []assent.Field) []eventField {
	out := make([]eventField, len(fields))
	for i, f := range fields {
		out[i] = eventField(f)
	}
	return out
}

// heard is every kind of event, and what people call it.
var heard = []struct {
	hears assent.Hears
	title string
}{
	{assent.HearsDecision, "hear a decision: what they stop does not happen"},
	{assent.HearsDirective, "hear a directive of their own"},
	{assent.HearsContext, "hear context: words that the model is given"},
	{assent.HearsText, "hear a text, which stands in place of the one there was"},
	{assent.HearsNothing, "hear nothing: hooks are told, and not asked"},
}

func (a *app) printEvents() error {
	if a.json {
		var all []eventRow
		for _, t := range assent.Events {
			all = append(all, eventOf(t))
		}
		return a.printJSON(all)
	}
	for i, h := range heard {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintf(a.out, "These %s\n", h.title)
		for _, t := range assent.Events {
			if t.Hears == h.hears {
				fmt.Fprintf(a.out, "  %-34s  %s%s\n", t.Name, t.When, later(t))
			}
		}
	}
	return nil
}

// later says of an event that nothing fires it yet.
func later(t assent.EventType) string {
	if t.Later == "" {
		return ""
	}
	return " (later: " + t.Later + ")"
}

func (a *app) printEvent(name string) error {
	types := eventsNamed(name)
	if len(types) == 0 {
		return unknownEvent(name)
	}
	for i, t := range types {
		row := eventOf(t)
		row.Fields, row.Common = fieldsOf(t.Fields), fieldsOf(assent.CommonFields)
		switch {
		case a.json:
			if err := a.printJSON(row); err != nil {
				return err
			}
			continue
		case i > 0:
			fmt.Fprintln(a.out)
		}
		a.printEventRow(t, row)
	}
	return nil
}

// eventsNamed are the events of a name of ours, or of an agent's: one of its events
// may stand for several.
func eventsNamed(name string) (out []assent.EventType) {
	if t, ok := assent.EventNamed(name); ok {
		return []assent.EventType{t}
	}
	for _, t := range assent.Events {
		if slices.ContainsFunc(harness.Sources(t.Name), func(s harness.Source) bool { return s.Native == name }) {
			out = append(out, t)
		}
	}
	return out
}

func unknownEvent(name string) error {
	var names []string
	for _, t := range assent.Events {
		names = append(names, t.Name)
		for _, s := range harness.Sources(t.Name) {
			names = append(names, s.Native)
		}
	}
	err, hint := fmt.Errorf("there is no event %q", name), "assent hooks events lists them"
	if k := assent.Nearest(name, names); k != "" {
		err = fmt.Errorf("%w; did you mean %q?", err, k)
	}
	return exit{exitNotFound, err, hint}
}

func (a *app) printEventRow(t assent.EventType, r eventRow) {
	fmt.Fprintf(a.out, "%s  hears: %s\n  when: %s\n", r.Name, r.Hears, r.When)
	if r.Answer != "" {
		fmt.Fprintf(a.out, "  answer: %s\n  of several: %s\n", r.Answer, r.Fold)
	}
	fmt.Fprintf(a.out, "  from: %s\n  fields:\n", harness.Origin(t))
	for _, f := range append(r.Fields, r.Common...) {
		fmt.Fprintf(a.out, "    %-24s  %s\n", f.Name, f.About)
	}
	if slices.ContainsFunc(r.Fields, func(f eventField) bool { return f.Name == "args" }) {
		fmt.Fprintln(a.out, "  shell hooks read args as tool_input; what has no place of its own there is in extra")
	}
}
