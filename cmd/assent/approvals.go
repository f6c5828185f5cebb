package main

// assent approvals test: the whole path of one action, up to what an approver would
// say, without the action.

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/approve"
	"assent/config"
	"assent/review"
	"assent/surface/terminal"
)

func (a *app) approvalsCmd() *cobra.Command {
	c := &cobra.Command{Use: "approvals", Short: "Try who would answer before you do"}
	c.AddCommand(a.approvalsTestCmd())
	return c
}

// approvalFlags say for whom an action is tried.
type approvalFlags struct {
	checkFlags
	agent, platform, user string
}

func (a *app) approvalsTestCmd() *cobra.Command {
	var f approvalFlags
	c := &cobra.Command{
		Use:   "test [flags] -- COMMAND",
		Short: "Show what would become of a command, and ask the approval hook about it; exit 0 runs, 2 asks, 3 is denied",
		Long: "Show what would become of a command: what the rules and facts say, and, where somebody must say yes, what the approval hook or the judge of your " +
			"configuration says. They are really asked. The command is not run, nothing is recorded, and no grant is given.",
		Example: "  assent approvals test 'curl http://10.0.0.5'\n  assent approvals test --agent hermes --platform discord -- rm -rf build",
		Args:    func(_ *cobra.Command, args []string) error { return f.fit(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := a.newChecker(f.checkFlags)
			if err != nil {
				return err
			}
			d := f.action(args)
			d.Agent = f.agent
			d.Extra = map[string]json.RawMessage{}
			for key, text := range map[string]string{"platform": f.platform, "user_id": f.user} {
				if text != "" {
					d.Extra[key], _ = json.Marshal(text)
				}
			}
			t, err := k.path(cmd, d)
			if err != nil {
				return err
			}
			if err := a.printPath(t); err != nil {
				return err
			}
			return t.exit()
		},
	}
	c.SetFlagErrorFunc(a.flagOfCommand)
	c.Flags().StringVar(&f.dir, "cwd", "", "as if run in this directory (default: here)")
	c.Flags().StringVar(&f.agent, "agent", "", "as if by this agent")
	c.Flags().StringVar(&f.platform, "platform", "", "as if asked for on this platform, such as discord")
	c.Flags().StringVar(&f.user, "user", "", "as if by this user of the platform")
	c.Flags().StringVar(&f.tool, "tool", "", "a call of this tool in place of a command")
	c.Flags().StringVar(&f.input, "input", "", "the input of the tool, a JSON object")
	return c
}

// tried is one path.
type tried struct {
	Decision assent.Decision `json:"decision"` // what would become of it in the end
	Judged   assent.Decision `json:"judged"`   // by rules and facts
	Reasons  []assent.Reason `json:"reasons"`
	Profile  string          `json:"profile,omitempty"`
	Mode     string          `json:"mode"`
	Hook     *asked          `json:"hook,omitempty"`  // the approval hook
	Judge    *assent.Advice  `json:"judge,omitempty"` // the model
	Would    string          `json:"would"`

	judgement terminal.Judgement
}

// asked is what the approval hook was given and said.
type asked struct {
	Command string          `json:"command"`
	Given   json.RawMessage `json:"given"`
	Stdout  string          `json:"stdout"`
	Stderr  string          `json:"stderr,omitempty"`
	Exit    int             `json:"exit"`
	Took    assent.Duration `json:"took"`
	Advice  assent.Advice   `json:"advice"`
}

// path goes the way of an action as far as its grant.
func (k *checker) path(cmd *cobra.Command, d action) (tried, error) {
	j := k.judge(cmd.Context(), d)
	ap := k.file.For(j.Case.Profile).Approvals
	t := tried{
		Decision: j.Verdict.Decision, Judged: j.Verdict.Decision, Reasons: emptyList(j.Verdict.Reasons),
		Profile: j.Case.Profile, Mode: ap.Mode, judgement: j,
	}
	if t.Judged != assent.Ask {
		t.Would = plainly[t.Judged]
		return t, nil
	}
	if ap.Mode == "off" {
		t.Decision, t.Would = assent.Allow, "It would run, and a use of your standing grant (approvals.mode: off) would be spent."
		return t, nil
	}
	now := time.Now()
	r := review.Open(j.Case, j.Verdict.Reasons, now, time.Duration(ap.Expires), nil)
	r.ID = "test"
	a := assent.Advice{Decision: assent.Ask}
	if ap.Hook != "" && ap.Mode != "manual" {
		hook, err := k.home.Hook(ap, nil)
		if err != nil {
			return t, err
		}
		hook.Env = nil
		got := hook.Try(cmd.Context(), r)
		t.Hook, a = heardFrom(ap.Hook, got), got.Advice
	}
	if ap.Mode == "smart" && a.Decision == assent.Ask {
		judge := ap
		judge.Hook = ""
		who, err := k.home.Advisors(config.File{Approvals: judge}, nil)
		if err != nil {
			return t, err
		}
		if a, err = who.Of("").Approve(cmd.Context(), r); err != nil {
			return t, err
		}
		if t.Judge = &a; a.Decision == assent.Allow && t.Hook != nil && t.Hook.Advice.Fault != "" {
			t.Decision, t.Would = assent.Ask, "A person would be asked: the approval hook failed, and then no judge's yes counts."
			return t, nil
		}
	}
	t.Decision, t.Would = a.Decision, outcome(a, r)
	return t, nil
}

func heardFrom(command string, t approve.Trial) *asked {
	return &asked{command, t.Given, string(t.Stdout), string(t.Stderr), t.Exit, assent.Duration(t.Took), t.Advice}
}

var plainly = map[assent.Decision]string{
	assent.None:  "The agent's own permission system would decide.",
	assent.Allow: "It would run, and nobody would be asked.",
	assent.Deny:  "It would be denied, and no approval hook would hear of it.",
}

// outcome says what an advice would lead to.
func outcome(a assent.Advice, r assent.Request) string {
	switch a.Decision {
	case assent.Allow:
		return fmt.Sprintf("It would run: %s would give a grant (%s) for %s.", a.By.Called(), orOnce(a.Width), r.Offers[a.Offer].Text)
	case assent.Deny:
		return fmt.Sprintf("It would be denied by %s. A person could overrule that once.", a.By.Called())
	}
	return "A person would be asked."
}

func orOnce(w assent.Width) assent.Width {
	if w == "" {
		return assent.Once
	}
	return w
}

func (t tried) exit() error {
	switch t.Decision {
	case assent.Ask:
		return exit{code: exitAsk}
	case assent.Deny:
		return exit{code: exitDenied}
	}
	return nil
}

func (a *app) printPath(t tried) error {
	if a.json {
		return a.printJSON(t)
	}
	var b strings.Builder
	b.WriteString(terminal.Judged(t.judgement, a.look()))
	if t.Judged == assent.Ask {
		fmt.Fprintf(&b, "\napprovals.mode is %s", t.Mode)
		if t.Profile != "" {
			fmt.Fprintf(&b, " in profile %s", terminal.Escape(t.Profile))
		}
		b.WriteString("\n")
	}
	if h := t.Hook; h != nil {
		fmt.Fprintf(&b, "\nThe approval hook: %s\n", terminal.Escape(h.Command))
		rows := [][2]string{{"was given", string(h.Given)}, {"said", h.Stdout}, {"and on stderr", h.Stderr}, {"ended", fmt.Sprintf("with %d after %d ms", h.Exit, time.Duration(h.Took).Milliseconds())}}
		writeRows(&b, append(rows, adviceRows(h.Advice)...))
	}
	if t.Judge != nil {
		fmt.Fprintf(&b, "\nThe judge: %s\n", terminal.Escape(t.Judge.By.Called()))
		writeRows(&b, adviceRows(*t.Judge))
	}
	fmt.Fprintf(&b, "\n%s\n", terminal.Escape(t.Would))
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// words of approvers for the three decisions.
var approverWords = map[assent.Decision]string{assent.Allow: "approve", assent.Deny: "deny", assent.Ask: "escalate"}

func adviceRows(v assent.Advice) [][2]string {
	word := approverWords[v.Decision]
	if v.Reason != "" {
		word += ": " + v.Reason
	}
	return [][2]string{{"which means", word}, {"is wrong", v.Fault}}
}

// writeRows writes what is not empty, each line of it under the first.
func writeRows(b *strings.Builder, rows [][2]string) {
	for _, r := range rows {
		label := r[0]
		for line := range strings.Lines(strings.TrimRight(r[1], "\n")) {
			fmt.Fprintf(b, "  %-13s  %s\n", label, terminal.Escape(strings.TrimRight(line, "\r\n")))
			label = ""
		}
	}
}
