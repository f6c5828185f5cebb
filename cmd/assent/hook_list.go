package main

// assent hooks list: every hook that is configured, and whether it may run. Nothing
// is run to find out.

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/hook"
	"assent/hook/consent"
	hookdir "assent/hook/dir"
	"assent/hook/script"
	"assent/hook/webhook"
	"assent/surface/terminal"
)

func (a *app) hooksListCmd() *cobra.Command {
	return &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Args: cobra.NoArgs,
		Short: "List your hooks: when they run, for which tools, and whether they are allowed to",
		RunE: func(*cobra.Command, []string) error {
			h, f, dir, err := a.hooksHere()
			if err != nil {
				return err
			}
			l := listHooks(h, f, dir)
			if a.json {
				return a.printJSON(l)
			}
			_, err = fmt.Fprint(a.out, l.text())
			return err
		},
	}
}

// listed is every hook of a home.
type listed struct {
	Scripts     []listedScript  `json:"scripts"`
	Directories []listedDir     `json:"directories"`
	Plugins     []listedPlugin  `json:"plugins"`
	Webhooks    []listedWebhook `json:"webhooks"` // that are told
	Warnings    []string        `json:"warnings"`
}

// listedScript is a hook of the file that is asked or told: a command, or an address.
type listedScript struct {
	Hook    string          `json:"hook"`
	Command string          `json:"command"`
	Event   string          `json:"event"`
	Matcher string          `json:"matcher,omitempty"`
	Tools   []string        `json:"tools,omitempty"` // those that are known; none without a matcher, which is all
	Timeout assent.Duration `json:"timeout"`
	OnError hook.OnError    `json:"on_error"`
	Speaks  hook.Dialect    `json:"speaks"`
	Profile string          `json:"profile,omitempty"`
	Later   string          `json:"later,omitempty"` // that nothing fires its event yet
	permit
}

type listedDir struct {
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Handler  string   `json:"handler,omitempty"`
	Events   []string `json:"events"`
	Problems []string `json:"problems,omitempty"`
}

type listedPlugin struct {
	Key      string   `json:"key"`
	Path     string   `json:"path"`
	Version  string   `json:"version,omitempty"`
	Enabled  bool     `json:"enabled"`
	Hooks    []string `json:"hooks,omitempty"` // as it says itself
	Problems []string `json:"problems,omitempty"`
}

type listedWebhook struct {
	Label   string          `json:"label"`
	Host    string          `json:"host"`
	Events  []string        `json:"events"`
	Matcher string          `json:"matcher,omitempty"`
	Timeout assent.Duration `json:"timeout"`
	Signed  bool            `json:"signed"`
	Missing string          `json:"missing,omitempty"` // why what should be signed cannot be, and is not sent
	Profile string          `json:"profile,omitempty"`
}

// permit is whether a command may run, and since when.
type permit struct {
	State consent.State `json:"consent"`
	Since string        `json:"allowed_at,omitempty"`  // RFC 3339
	Next  bool          `json:"auto_accept,omitempty"` // its next call allows it: hooks_auto_accept
}

// accepted is the permit under hooks_auto_accept, which allows what was never seen
// before and does not depend on the agent's directory.
func (p permit) accepted(h config.Home, f config.File, s script.Spec) permit {
	p.Next = f.Users.Accept && p.State == consent.Missing && h.Settled(s.Command)
	return p
}

// permitOf looks up a hook's consent.
func permitOf(list *consent.File, s script.Spec, dir string) permit {
	if webhook.IsURL(s.Command) {
		dir = ""
	}
	p := permit{State: list.Look(s.Event, s.Command, dir)}
	all, _ := list.List() // what is wrong with it is told elsewhere
	for _, a := range all {
		if a.Event == s.Event && a.Command == s.Command {
			p.Since = a.ApprovedAt
		}
	}
	return p
}

// text is a consent in words.
func (p permit) text() string {
	switch p.State {
	case consent.Missing:
		if p.Next {
			return "allowed when it is next called: hooks_auto_accept is true"
		}
	case consent.Allowed:
		return "allowed" + onDay(p.Since)
	case consent.Unhashed:
		return "allowed" + onDay(p.Since) + ", whatever its script says: no content is bound"
	case consent.Changed:
		return "CHANGED since it was allowed" + onDay(p.Since) + ", so it does not run"
	}
	return "NOT ALLOWED YET, so it does not run"
}

func onDay(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return ""
	}
	return " on " + t.Local().Format(time.DateTime)
}

// listHooks finds the hooks of a home.
func listHooks(h config.Home, f config.File, dir string) listed {
	found, list := h.Found(f), h.Consents()
	l := listed{
		Scripts: []listedScript{}, Directories: []listedDir{}, Plugins: []listedPlugin{}, Webhooks: webhooksOf(f), Warnings: emptyList(found.Warnings),
	}
	for _, s := range found.Scripts {
		l.Scripts = append(l.Scripts, listedScript{
			Hook: hookID(s), Command: s.Command, Event: s.Event, Matcher: s.Matcher, Tools: reach(s.Matcher), Timeout: assent.Duration(timeoutOf(s)),
			OnError: onErrorOf(s), Speaks: cmp.Or(s.Dialect, hook.Hermes), Profile: s.Profile, permit: permitOf(list, s, dir).accepted(h, f, s),
			Later: nobodyFires(s.Event),
		})
	}
	slices.SortStableFunc(l.Scripts, func(a, b listedScript) int { return cmp.Compare(rank(a.Event), rank(b.Event)) })
	for _, d := range found.Dirs {
		l.Directories = append(l.Directories, listedDir{d.Name, d.Path, d.Handler, emptyList(d.Events), d.Problems})
	}
	for _, p := range found.Plugins {
		l.Plugins = append(l.Plugins, listedPlugin{p.Key, p.Path, p.Manifest.Version, p.Enabled, p.Manifest.Hooks, p.Problems})
	}
	if _, err := list.List(); err != nil {
		l.Warnings = append(l.Warnings, err.Error())
	}
	return l
}

// webhooksOf are the addresses that are told of events.
func webhooksOf(f config.File) []listedWebhook {
	out := []listedWebhook{}
	add := func(profile string, lines []config.OutLine) {
		for _, o := range lines {
			w := listedWebhook{Label: o.Name, Events: o.Events, Matcher: o.Matcher, Signed: o.Secret != "", Profile: profile, Timeout: assent.Duration(webhook.DefaultTimeout)}
			if u, err := url.Parse(o.URL); err == nil {
				w.Host = u.Host
			}
			if d, err := config.Length(o.Timeout); err == nil && o.Timeout != "" {
				w.Timeout = assent.Duration(min(max(d, time.Second), webhook.MaxTimeout))
			}
			if _, err := config.Secret(o.Secret, os.Getenv); err != nil {
				w.Signed, w.Missing = false, sentence(err)
			}
			w.Label = cmp.Or(w.Label, w.Host)
			out = append(out, w)
		}
	}
	add("", f.Users.Outbound)
	for _, p := range f.Profiles {
		add(p.Name, p.File.Users.Outbound)
	}
	return out
}

// hookID is what a hook of the file is called in the log.
func hookID(s script.Spec) string {
	if webhook.IsURL(s.Command) {
		return webhook.Directive{URL: s.Command}.Entry().ID
	}
	return "script " + s.Command
}

func timeoutOf(s script.Spec) time.Duration { return cmp.Or(s.Timeout, hook.DefaultTimeout) }

func onErrorOf(s script.Spec) hook.OnError {
	switch {
	case s.OnError != "":
		return s.OnError
	case assent.Gates(s.Event):
		return hook.FailAsk
	}
	return hook.FailIgnore
}

// reach are the known tools that a matcher means; nil where it means all.
func reach(matcher string) []string {
	m, _ := hook.Compile(matcher) // one that is no expression is taken literally
	if m.All() {
		return nil
	}
	return m.Reach()
}

// rank is the place of an event in an agent's life.
func rank(event string) int {
	return slices.IndexFunc(assent.Events, func(t assent.EventType) bool { return t.Name == event })
}

func (l listed) text() string {
	var b strings.Builder
	say := func(format string, args ...any) {
		for i, arg := range args {
			if s, ok := arg.(string); ok {
				args[i] = terminal.Escape(s)
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	event := ""
	for _, s := range l.Scripts {
		if s.Event != event {
			event = s.Event
			say("%s", event)
		}
		say("  %s  %s", s.Command, s.permit.text())
		say("    %s", s.about())
		if s.Later != "" {
			say("    ! %s", s.Later)
		}
		if !s.State.May() && !s.Next {
			say("    hint: assent hooks allow %s", quoted(s.Command))
		}
	}
	title(say, "directories", len(l.Directories))
	for _, d := range l.Directories {
		say("  %s  %s", d.Name, strings.Join(d.Events, ", "))
		problems(say, d.Problems)
	}
	title(say, "plugins", len(l.Plugins))
	for _, p := range l.Plugins {
		say("  %s  %s%s", p.Key, map[bool]string{true: "enabled", false: "not enabled"}[p.Enabled], led("; it says that it has hooks for ", strings.Join(p.Hooks, ", ")))
		problems(say, p.Problems)
	}
	title(say, "webhooks", len(l.Webhooks))
	for _, w := range l.Webhooks {
		say("  %s  %s, at most %s, %s%s%s", w.Label, strings.Join(w.Events, ", "), w.Timeout.String(),
			w.signature(), led(", matcher ", w.Matcher), led(", to ", w.Host))
	}
	title(say, "warnings", len(l.Warnings))
	problems(say, l.Warnings)
	if b.Len() == 0 {
		say("there are no hooks")
		say("  hint: write one: docs/first-hook.md; what they can be for: assent hooks events")
	}
	return b.String()
}

// signature is whether what an address is told is signed.
func (w listedWebhook) signature() string {
	switch {
	case w.Missing != "":
		return "NOT TOLD: " + w.Missing
	case w.Signed:
		return "signed"
	}
	return "UNSIGNED"
}

// nobodyFires says of an event that it is for later, and where directories hear of
// something in its place.
func nobodyFires(event string) string {
	family, wild := strings.CutSuffix(event, "*")
	t, known := assent.EventNamed(event)
	for _, row := range assent.Events {
		if wild && strings.HasPrefix(row.Name, family) {
			t, known = row, true
		}
	}
	if !known || t.Later == "" {
		return ""
	}
	text := "nothing fires " + event + " yet (later: " + t.Later + ")"
	if fired, ok := hookdir.StandIn(event); ok {
		text += "; write " + fired + " instead, of which handlers in directories are told in its place"
	}
	return text
}

// about is what a hook is for, and how it is treated.
func (s listedScript) about() string {
	what := "speaks " + string(s.Speaks)
	if s.Event == assent.PreToolCall || s.Matcher != "" {
		tools := "every tool"
		switch {
		case s.Matcher != "" && len(s.Tools) == 0:
			tools = "no tool that is known"
		case s.Matcher != "":
			tools = strings.Join(s.Tools, ", ")
		}
		what = "for " + tools + led(", matcher ", s.Matcher) + "; " + what
	}
	return fmt.Sprintf("%s; at most %s; when it fails: %s%s", what, s.Timeout, s.OnError, led("; profile ", s.Profile))
}

func title(say func(string, ...any), name string, n int) {
	if n > 0 {
		say("%s", name)
	}
}

func problems(say func(string, ...any), list []string) {
	for _, p := range list {
		say("    ! %s", p)
	}
}

// led is a text with what comes before it; nothing where there is no text.
func led(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}
