package main

// What hooks test prints.

import (
	"fmt"
	"strings"
	"time"

	"assent"
	"assent/surface/terminal"
)

func (t triedHooks) text() string {
	var b strings.Builder
	b.WriteString(terminal.Escape(t.Event))
	if t.Tool != "" {
		fmt.Fprintf(&b, ", a call of %s: %s", terminal.Escape(t.Tool), terminal.Escape(fmt.Sprintf("%s", t.Input)))
	}
	b.WriteString("\n")
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "note: %s\n", terminal.Escape(n))
	}
	for _, r := range t.Hooks {
		r.write(&b, t.Hears)
	}
	for _, line := range t.Printed {
		fmt.Fprintf(&b, "printed by Python: %s\n", terminal.Escape(line))
	}
	if len(t.Hooks) == 0 {
		b.WriteString("  no hook is for this\n")
	}
	if t.Others > 0 {
		fmt.Fprintf(&b, "\n%s\n", forOthers(t.Others))
	}
	fmt.Fprintf(&b, "\n%s\n", t.outcome())
	writeRows(&b, gives(t.Fold))
	return b.String()
}

func forOthers(n int) string {
	if n == 1 {
		return "1 more hook of this event is for other tools or profiles"
	}
	return fmt.Sprintf("%d more hooks of this event are for other tools or profiles", n)
}

// write writes one hook's run.
func (r triedHook) write(b *strings.Builder, hears assent.Hears) {
	fmt.Fprintf(b, "\n%s\n", terminal.Escape(r.Hook))
	took := fmt.Sprintf("after %d ms", time.Duration(r.Took).Milliseconds())
	switch {
	case r.Signal != "":
		took = "by " + r.Signal + ", " + took
	case r.Exit != nil:
		took = fmt.Sprintf("with %d %s", *r.Exit, took)
	}
	if !r.called {
		took = "" // it could not be reached at all
	}
	rows := [][2]string{{"ran", strings.Join(r.Ran, " ")}, {"said", r.Stdout}, {"and on stderr", r.Stderr}, {"ended", took}, {"FAILED", r.Failed}}
	fault := r.Says.Fault
	if fault == r.Failed {
		fault = ""
	}
	means := decisionRow(r.Says)
	if means == "" && r.Failed == "" && hears != assent.HearsNothing && len(gives(r.Says)) == 0 {
		means = "no opinion"
	}
	rows = append(rows, [2]string{"which means", means}, [2]string{"is wrong", fault}, [2]string{"note", r.Note})
	writeRows(b, append(rows, gives(r.Says)...))
}

func decisionRow(r assent.Reply) string {
	if r.Decision == assent.None {
		return ""
	}
	return r.Decision.String() + led(": ", r.Reason)
}

// gives are what a reply gives beside a decision.
func gives(r assent.Reply) (rows [][2]string) {
	if len(r.Rewrite) > 0 {
		rows = append(rows, [2]string{"new input", string(r.Rewrite)})
	}
	if r.Context != "" {
		rows = append(rows, [2]string{"context", r.Context})
	}
	if r.Text != nil {
		rows = append(rows, [2]string{"text", *r.Text + map[bool]string{true: "(empty)"}[*r.Text == ""]})
	}
	if len(r.Directive) > 0 {
		rows = append(rows, [2]string{"directive", string(r.Directive)})
	}
	return rows
}

// outcome is what the hooks come to.
func (t triedHooks) outcome() string {
	switch {
	case t.Hears == assent.HearsDecision && t.Fold.Decision != assent.None:
		return "together: " + terminal.Escape(t.Fold.Decision.String()+led(": ", t.Fold.Reason))
	case t.Hears == assent.HearsDecision:
		return "together: no opinion; rules, facts and the default decide"
	case t.Hears == assent.HearsNothing:
		return "this event hears nothing: hooks are told, and not asked"
	case len(gives(t.Fold)) == 0:
		return "together: nothing is given"
	}
	return "together:"
}
