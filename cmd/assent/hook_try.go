package main

// assent hooks test: the hooks of one event, run as they would be, on an event that
// nobody has fired.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/hook"
	"assent/hook/script"
	"assent/hook/webhook"
)

// tryFlags are the flags of hooks test.
type tryFlags struct{ tool, payload, hook, profile string }

func (a *app) hooksTestCmd() *cobra.Command {
	var f tryFlags
	c := &cobra.Command{
		Use: "test EVENT", Args: cobra.ExactArgs(1),
		Short: "Run the hooks of an event, allowed or not, and show what each says; exit 2 asks, 3 denies, 1 is a hook that failed",
		Long: "Run the hooks of an event on one that nobody has fired, and show what each of them says and what comes of it. They really run, also those that are not " +
			"allowed yet; nothing else does. Addresses of hooks.outbound are told only if --hook names them.\nEVENT is a name here or one of Claude Code's. " +
			"Without more, a tool call is `" + canaryCommand + "`.",
		Example: "  assent hooks test pre_tool_call\n  assent hooks test PreToolUse --for-tool Write\n  assent hooks test pre_llm_call --payload-file turn.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.tryHooks(cmd.Context(), args[0], f)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(t)
			} else {
				_, err = io.WriteString(a.out, t.text())
			}
			if err != nil {
				return err
			}
			return t.exit()
		},
		ValidArgsFunction: completeEvents,
	}
	c.Flags().StringVar(&f.tool, "for-tool", "", "as if this tool were called, by any agent's name for it")
	c.Flags().StringVar(&f.payload, "payload-file", "", "a JSON object whose members take the place of the synthetic ones (- is standard input)")
	c.Flags().StringVar(&f.hook, "hook", "", "this hook alone: its command, or what assent hooks list calls it")
	c.Flags().StringVar(&f.profile, "profile", "", "as if for an agent of this profile")
	return c
}

// tried hooks: what each of them said, and what comes of it.
type triedHooks struct {
	Event   string       `json:"event"`
	Tool    string       `json:"tool,omitempty"`
	Input   any          `json:"input,omitempty"`
	Hooks   []triedHook  `json:"hooks"`
	Printed []string     `json:"printed,omitempty"` // by Python
	Fold    assent.Reply `json:"fold"`
	Others  int          `json:"others,omitempty"` // hooks of the event that are for other tools or profiles
	Hears   assent.Hears `json:"hears"`
	fold    assent.Verdict
}

// triedHook is one hook's run.
type triedHook struct {
	Hook   string          `json:"hook"`
	Kind   hook.Kind       `json:"kind"`
	Ran    []string        `json:"ran,omitempty"`
	Exit   *int            `json:"exit,omitempty"` // of a process
	Signal string          `json:"signal,omitempty"`
	Took   assent.Duration `json:"took"`
	Stdout string          `json:"stdout,omitempty"`
	Stderr string          `json:"stderr,omitempty"`
	Failed string          `json:"failed,omitempty"`
	Says   assent.Reply    `json:"says"` // what it counts as

	matcher string
	called  bool
}

const maxShown = 400 // characters of a hook's output

// tryHooks runs the hooks of an event.
func (a *app) tryHooks(ctx context.Context, name string, f tryFlags) (triedHooks, error) {
	event, err := eventMeant(name)
	if err != nil {
		return triedHooks{}, err
	}
	h, file, dir, err := a.hooksHere()
	if err != nil {
		return triedHooks{}, err
	}
	c, err := a.sampleCase(h, file, event, dir, f)
	if err != nil {
		return triedHooks{}, err
	}
	t := triedHooks{Event: event, Tool: c.Tool, Hooks: []triedHook{}, Hears: hears(event)}
	if len(c.Input) > 0 {
		t.Input = c.Input
	}
	var mu sync.Mutex
	b := h.Bench(ctx, file, func(line string) {
		if strings.Contains(line, `File "<assent_host.`) {
			return // of a traceback: where it passes through what is ours
		}
		mu.Lock()
		defer mu.Unlock()
		t.Printed = append(t.Printed, line)
	})
	err = t.run(ctx, b, c, f.hook)
	err = errors.Join(err, b.Close(ctx))
	mu.Lock()
	defer mu.Unlock()
	return t, err
}

// sampleCase is the synthetic event of a command line, analysed.
func (a *app) sampleCase(h config.Home, file config.File, event, dir string, f tryFlags) (assent.Case, error) {
	e, err := sample(event, dir, f.tool)
	if err != nil {
		return assent.Case{}, err
	}
	if f.payload != "" {
		raw, err := a.payloadFile(f.payload)
		if err != nil {
			return assent.Case{}, err
		}
		if err := merge(&e, raw); err != nil {
			return assent.Case{}, err
		}
	}
	e.At, e.Synthetic, e.Profile = a.now(), true, file.ProfileOf(e)
	if f.profile != "" {
		e.Profile = f.profile
	}
	if e.Name == assent.PreToolCall {
		return config.Options(file, h.Places()).Analyse(e), nil
	}
	return assent.Case{Event: e}, nil
}

func (a *app) payloadFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(a.in, maxInput))
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit{exitInvalid, fmt.Errorf("there is no payload file %s", path), ""}
	}
	if err != nil {
		return nil, exit{exitInvalid, fmt.Errorf("cannot read the payload file: %w", err), ""}
	}
	return raw, nil
}

func hears(event string) assent.Hears {
	t, _ := assent.EventNamed(event)
	return t.Hears
}

// run asks the hooks of a bench, as a dispatcher does.
func (t *triedHooks) run(ctx context.Context, b *config.Bench, c assent.Case, only string) error {
	var entries []hook.Entry
	var runs []*triedHook
	for _, e := range b.Entries {
		told := e.Kind == hook.KindWebhook && e.Watch
		switch {
		case !listens(e, c.Name), only != "" && !named(e, only), only == "" && told, strings.HasPrefix(e.ID, "dir ("):
			continue
		case !e.Match.Matches(c.Tool), e.Profile != "" && e.Profile != c.Profile:
			t.Others++
			continue
		}
		r := &triedHook{Hook: e.ID, Kind: e.Kind, matcher: e.Match.Text}
		entries, runs = append(entries, watched(e, r, b)), append(runs, r)
	}
	if only != "" && len(runs)+t.Others == 0 {
		return unknownHook(only, c.Name, b.Entries)
	}
	d := hook.New(hook.Options{}, entries...)
	reply, err := d.Judge(ctx, c)
	if err != nil {
		return err
	}
	if err := d.Drain(ctx, time.Second+longestOf(entries)); err != nil {
		return err
	}
	t.settle(reply, runs, d.Stats())
	return nil
}

// settle puts together what was said and what it counts as.
func (t *triedHooks) settle(reply assent.Reply, runs []*triedHook, stats []hook.Stat) {
	parts := slices.Clone(reply.Parts)
	for i, r := range runs {
		if at := slices.IndexFunc(parts, func(p assent.Reply) bool { return p.By == r.Hook }); at >= 0 {
			r.Says = parts[at]
			parts = slices.Delete(parts, at, at+1)
		} else if r.Says.Fault == "" {
			r.Says.Fault = stats[i].Fault
		}
		r.Says.By, r.Says.Parts, r.Says.Took = "", nil, 0
		t.Hooks = append(t.Hooks, *r)
	}
	t.fold = assent.Fold(assent.Tiers{Said: []assent.Reply{reply}})
	t.Fold = reply
	t.Fold.Parts, t.Fold.Decision, t.Fold.Reason = nil, t.fold.Decision, t.fold.Tell
}

// listens reports whether an entry is for events of a name.
func listens(e hook.Entry, event string) bool {
	family, _, in := strings.Cut(event, ":")
	return e.Event == event || in && e.Event == family+":*"
}

// named reports whether a word means a hook.
func named(e hook.Entry, word string) bool {
	_, bare, _ := strings.Cut(e.ID, " ")
	return e.ID == word || bare == word
}

func unknownHook(word, event string, entries []hook.Entry) error {
	var names []string
	for _, e := range entries {
		if listens(e, event) {
			_, bare, _ := strings.Cut(e.ID, " ")
			names = append(names, bare)
		}
	}
	return exit{exitNotFound, fmt.Errorf("no hook for %s is %q%s", event, word, meantCommand(word, names)), "assent hooks list"}
}

// watched is an entry whose calls are kept.
func watched(e hook.Entry, r *triedHook, b *config.Bench) hook.Entry {
	call := e.Call
	if s, ok := specOf(e, b.Scripts); ok {
		call = func(ctx context.Context, c assent.Case) (assent.Reply, error) {
			t := script.Try(ctx, s, b.Host, c)
			r.Ran, r.Signal, r.Stdout, r.Stderr = t.Args, t.Result.Signal, shown(t.Result.Stdout), shown(t.Result.Stderr)
			if t.Given != nil && t.Result.Exit >= 0 {
				r.Exit = &t.Result.Exit
			}
			return unheard(c, t), t.Err
		}
	}
	e.Many = nil
	e.Call = func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		from := time.Now()
		reply, err := call(ctx, c)
		r.called, r.Took = true, assent.Duration(time.Since(from))
		if err != nil {
			r.Failed = unclassed(err)
		}
		return reply, err
	}
	return e
}

// unheard is what a script answered, with a fault if it meant something that its event
// does not hear at all.
func unheard(c assent.Case, t script.Trial) assent.Reply {
	var said map[string]json.RawMessage
	r := t.Reply
	if hears(c.Name) != assent.HearsNothing || r.Fault != "" || r.Context != "" || json.Unmarshal(t.Result.Stdout, &said) != nil {
		return r
	}
	for _, key := range []string{"action", "decision", "permissionDecision", "context", "text", "args", "updatedInput"} {
		if _, there := said[key]; there {
			r.Fault = fmt.Sprintf("it says %s, and %s hears nothing", key, c.Name)
			break
		}
	}
	return r
}

// unclassed is an error without its class.
func unclassed(err error) string {
	return strings.TrimSuffix(sentence(err), ": "+assent.ErrInvalid.Error())
}

// specOf is the script of the file that an entry was made of.
func specOf(e hook.Entry, list []script.Spec) (script.Spec, bool) {
	if e.Kind != hook.KindScript {
		return script.Spec{}, false
	}
	i := slices.IndexFunc(list, func(s script.Spec) bool {
		return !webhook.IsURL(s.Command) && e.ID == hookID(s) && s.Event == e.Event && s.Profile == e.Profile && matcherText(s) == e.Match.Text
	})
	if i < 0 {
		return script.Spec{}, false
	}
	return list[i], true
}

func matcherText(s script.Spec) string {
	m, _ := hook.Compile(s.Matcher)
	return m.Text
}

// shown is the beginning of an output.
func shown(b []byte) string {
	text := []rune(strings.ToValidUTF8(strings.TrimSpace(string(b[:min(len(b), 4*maxShown)])), "\uFFFD"))
	return string(text[:min(len(text), maxShown)])
}

// longestOf is how long entries that watch may take.
func longestOf(entries []hook.Entry) (d time.Duration) {
	for _, e := range entries {
		d += max(e.Timeout, time.Second)
		if e.Timeout == 0 {
			d += hook.DefaultTimeout
		}
	}
	return d
}

func (t triedHooks) exit() error {
	if slices.ContainsFunc(t.Hooks, func(r triedHook) bool { return r.Failed != "" }) {
		return exit{code: exitFailed}
	}
	switch t.Fold.Decision {
	case assent.Ask:
		return exit{code: exitAsk}
	case assent.Deny:
		return exit{code: exitDenied}
	}
	return nil
}

// completeEvents offers the names of events.
func completeEvents(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completed(args, func() (out []cobra.Completion) {
		for _, t := range assent.Events {
			out = append(out, cobra.CompletionWithDesc(t.Name, t.When))
		}
		return out
	})
}
