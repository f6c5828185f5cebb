package main

// The checks of one hook of the file: what it runs, whether it may, what it answers,
// and for what it is asked.

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/harness"
	"assent/hook"
	"assent/hook/consent"
	"assent/hook/script"
	"assent/hook/webhook"
)

// script checks one hook of the file.
func (x *examination) script(ctx context.Context, s script.Spec) hookReport {
	r := hookReport{Hook: hookID(s), Kind: hook.KindScript, Event: s.Event, Matcher: s.Matcher, Profile: s.Profile}
	there := true
	if webhook.IsURL(s.Command) {
		r.Kind = hook.KindWebhook
	} else {
		there = x.runs(&r, s)
	}
	p := permitOf(x.home.Consents(), s, x.dir).accepted(x.home, x.file, s)
	x.consent(&r, s, p)
	if there && p.State.May() {
		x.answer(ctx, &r, s)
	}
	if text := nobodyFires(s.Event); text != "" {
		r.fyi("event", text, "")
	}
	x.matcher(&r, s)
	x.time(&r, s)
	x.twice(&r, s)
	changed := x.changed(s, p)
	if !p.State.May() && !p.Next {
		changed = x.now() // that it does not run is said
	}
	x.calls(&r, s.Event, assent.Gates(s.Event), changed)
	return r
}

// consent checks whether the hook may run, and whether its script is the one that was
// allowed.
func (x *examination) consent(r *hookReport, s script.Spec, p permit) {
	hint := "assent hooks allow " + quoted(s.Command)
	switch {
	case p.State.May() && p.State != consent.Unhashed:
		r.good("consent", p.text())
	case p.State == consent.Unhashed:
		r.fyi("consent", p.text(), hint)
	case p.Next:
		r.fyi("consent", "it is "+p.text(), "")
	case p.State == consent.Changed:
		text := "its script has changed since it was allowed" + onDay(p.Since)
		if at, ok := x.written(s); ok {
			text += "; it was written on " + at.Local().Format(time.DateTime)
		}
		r.wrong("consent", text, "look at it, then: "+hint)
	default:
		r.wrong("consent", "it is not allowed yet, and does not run"+map[bool]string{true: ": " + unmet[onErrorOf(s)]}[assent.Gates(s.Event)], hint)
	}
}

// unmet is what becomes of the calls of a guard that does not run.
var unmet = map[hook.OnError]string{
	hook.FailAsk: "calls that it would guard are asked about", hook.FailDeny: "calls that it would guard are denied",
	hook.FailIgnore: "calls that it would guard go on without it (on_error: ignore)",
}

// written is when a hook's script was changed last.
func (x *examination) written(s script.Spec) (time.Time, bool) {
	info, err := os.Stat(consent.Place{Home: x.home.Places().Home, Dir: x.dir}.Script(s.Command))
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// changed is when a hook became what it is now, as far as can be told.
func (x *examination) changed(s script.Spec, p permit) time.Time {
	at, _ := x.written(s)
	if info, err := os.Stat(x.home.Config()); err == nil && info.ModTime().After(at) {
		at = info.ModTime()
	}
	if since, err := time.Parse(time.RFC3339, p.Since); err == nil && since.Add(time.Second).After(at) {
		at = since.Add(time.Second) // it is written in whole seconds
	}
	return at
}

// answer runs the hook once.
func (x *examination) answer(ctx context.Context, r *hookReport, s script.Spec) {
	tool := ""
	if tools := reach(s.Matcher); len(tools) > 0 {
		tool = tools[0]
	}
	name := s.Event
	if ours, err := eventMeant(name); err == nil {
		name = ours
	}
	e, err := sample(name, x.dir, tool)
	if err != nil {
		r.note(failing("answer", err, ""))
		return
	}
	e.At, e.Synthetic, e.Profile = x.now(), true, s.Profile
	reply, took, note, err := x.ask(ctx, s, assent.Case{Event: e})
	look := "assent hooks test " + s.Event + " --hook " + quoted(s.Command)
	switch said := sayings(reply); {
	case err != nil:
		r.wrong("answer", "it failed: "+unclassed(err), look)
	case reply.Fault != "":
		r.wrong("answer", reply.Fault, look)
	default:
		if note != "" {
			r.fyi("answer", note, look)
		}
		r.good("answer", fmt.Sprintf("%s, in %d ms", cmp.Or(said, "no opinion of what it was tried on"), took.Milliseconds()))
	}
}

// ask runs a hook; note is what its author may not have meant.
func (x *examination) ask(ctx context.Context, s script.Spec, c assent.Case) (r assent.Reply, took time.Duration, note string, err error) {
	if !webhook.IsURL(s.Command) {
		t := script.Try(ctx, s, x.bench.Host, c)
		return unheard(c, t), t.Result.Took, notAYes(s, c, t), t.Err
	}
	i := slices.IndexFunc(x.bench.Entries, func(e hook.Entry) bool { return e.ID == hookID(s) && e.Event == s.Event })
	ctx, cancel := context.WithTimeout(ctx, timeoutOf(s))
	defer cancel()
	from := time.Now()
	reply, err := x.bench.Entries[i].Call(ctx, c)
	return reply, time.Since(from), "", err
}

// sayings is a reply in a few words.
func sayings(r assent.Reply) string {
	said := decisionRow(r)
	for _, row := range gives(r) {
		said += led(map[bool]string{true: "; "}[said != ""], row[0]+" "+row[1])
	}
	return said
}

// matcher checks that there is a tool for the hook.
func (x *examination) matcher(r *hookReport, s script.Spec) {
	m, err := hook.Compile(s.Matcher)
	if err != nil {
		r.wrong("matcher", fmt.Sprintf("%q is no regular expression, and taken literally: %v", s.Matcher, err), "")
	}
	if m.All() {
		return
	}
	tools := m.Reach()
	for t := range x.past.tools {
		if m.Matches(t) && !slices.Contains(tools, t) {
			tools = append(tools, t)
		}
	}
	slices.Sort(tools)
	switch {
	case len(tools) > 0:
		r.good("matcher", fmt.Sprintf("%s is for %s", s.Matcher, strings.Join(tools, ", ")))
	case strings.Contains(s.Matcher, "mcp"):
		r.fyi("matcher", s.Matcher+" is for tools of an MCP server, which has not been used yet", "")
	case assent.Gates(s.Event):
		r.wrong("matcher", s.Matcher+" matches no tool that is known, so it may never be asked", "names such as terminal, Bash, Write, read_file; in full, or with .*")
	default:
		r.fyi("matcher", s.Matcher+" matches no tool that is known", "")
	}
}

// time checks that the agents that wait for the hook wait long enough.
func (x *examination) time(r *hookReport, s script.Spec) {
	t, _ := assent.EventNamed(s.Event)
	if t.Hears == assent.HearsNothing {
		return // nobody waits
	}
	for _, agent := range setups {
		codec, ok := harness.Named(agent.name)
		if !ok || !agent.wired(x.app, x.home) {
			continue
		}
		for _, row := range codec.Rows {
			if row.Limit == 0 || row.Name != s.Event && !slices.Contains(row.Also, s.Event) {
				continue
			}
			if most := row.Limit - min(codec.Margin, row.Limit/2); timeoutOf(s) > most {
				text := fmt.Sprintf("it may take %s, and %s waits %s at %s", timeoutOf(s), codec.Agent, row.Limit, row.Event)
				hint := fmt.Sprintf("timeout: %d", int(most.Seconds()))
				if s.Timeout == 0 { // it does not ask for it
					r.fyi("time", text, hint)
				} else {
					r.wrong("time", text, hint)
				}
				return
			}
		}
	}
}

// twice checks that the hook stands alone.
func (x *examination) twice(r *hookReport, s script.Spec) {
	lines := 0
	for _, l := range x.file.For(s.Profile).Users.Hooks {
		if one, _, err := script.Check(script.Spec{Event: l.Event, Matcher: l.Matcher, Command: l.Command}); err == nil && one.Event == s.Event && one.Matcher == s.Matcher && one.Command == s.Command {
			lines++
		}
	}
	if lines > 1 {
		r.wrong("twice", fmt.Sprintf("it stands %d times in the file, and runs once", lines), "take the others out of "+x.home.Config())
	}
	place := consent.Place{Home: x.home.Places().Home, Dir: x.dir}
	for _, o := range x.bench.Scripts {
		same := o.Command == s.Command || place.Script(s.Command) != "" && place.Script(o.Command) == place.Script(s.Command)
		other := o.Command != s.Command || o.Matcher != s.Matcher
		if same && other && o.Event == s.Event && (o.Profile == "" || s.Profile == "" || o.Profile == s.Profile) && overlap(o.Matcher, s.Matcher) {
			r.fyi("twice", fmt.Sprintf("%s%s runs the same for the same tools", o.Command, led(" with matcher ", o.Matcher)), "")
			return
		}
	}
}

// overlap reports whether there is a known tool that two matchers mean.
func overlap(a, b string) bool {
	ma, _ := hook.Compile(a)
	mb, _ := hook.Compile(b)
	return ma.All() && mb.All() || slices.ContainsFunc(ourTools, func(t string) bool { return ma.Matches(t) && mb.Matches(t) })
}

// unspoken is after how many calls a guard that never says anything is told of.
const unspoken = 10

// calls tells of the hook's real calls. A failure counts if it came after the hook
// became what it is.
func (x *examination) calls(r *hookReport, event string, guards bool, changed time.Time) {
	p := x.past.of[heardOf{r.Hook, event}]
	if p == nil || p.Calls == 0 {
		r.fyi("calls", "no agent has caused a call of it yet"+map[bool]string{true: ": " + event}[r.Event == ""], "")
		return
	}
	r.Past = p
	text := fmt.Sprintf("called %s, last on %s; half of them within %s, 95 of 100 within %s", times(p.Calls), p.Last.Local().Format(time.DateTime), ms(p.P50), ms(p.P95))
	if r.Event == "" {
		text = event + ": " + text
	}
	if p.Failed > 0 {
		text += fmt.Sprintf("; %d failed", p.Failed)
	}
	if p.Dropped > 0 {
		text += fmt.Sprintf("; %d events were dropped, for it was too slow", p.Dropped)
	}
	r.good("calls", text)
	if guards && p.Spoke == 0 && p.Calls >= unspoken {
		r.fyi("calls", fmt.Sprintf("it has never given a decision in %d runs", p.Calls), "does it ever? assent hooks test "+event)
	}
	switch {
	case p.Fault == "":
	case p.Last.After(changed):
		r.wrong("calls", "its last call: "+p.Fault, "")
	default:
		r.fyi("calls", "its last call, as things were then: "+p.Fault, "")
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func ms(d assent.Duration) string {
	return fmt.Sprintf("%d ms", time.Duration(d).Round(time.Millisecond).Milliseconds())
}
