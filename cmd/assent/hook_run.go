package main

// The runs of hooks test: the dispatcher's own, with each call kept.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/config"
	"assent/hook"
	"assent/hook/script"
	"assent/hook/webhook"
)

// run asks the hooks of a bench, as a dispatcher does.
func (t *triedHooks) run(ctx context.Context, b *config.Bench, c assent.Case, only string) error {
	var entries []hook.Entry
	runs := map[string]*triedHook{}
	for _, e := range b.Entries {
		told := e.Kind == hook.KindWebhook && e.Watch
		if !listens(e, c.Name) || only != "" && !named(e, only) || only == "" && told || strings.HasPrefix(e.ID, "dir (") {
			continue
		}
		r := &triedHook{Hook: e.ID, Kind: e.Kind, at: len(entries)}
		entries, runs[placeOf(e)] = append(entries, watched(e, r, b)), r
	}
	if only != "" && len(entries) == 0 {
		return unknownHook(only, c.Name, b.Entries)
	}
	d := hook.New(hook.Options{}, entries...)
	asked := d.Concerned(c)
	t.Others = len(entries) - len(asked)
	reply, err := d.Judge(ctx, c)
	if err != nil {
		return err
	}
	if err := d.Drain(ctx, time.Second+longestOf(entries)); err != nil {
		return err
	}
	var tried []*triedHook
	for _, e := range asked {
		tried = append(tried, runs[placeOf(e)])
	}
	t.settle(reply, tried, d.Stats())
	t.beside(reply.Parts[min(len(reply.Parts), len(tried)):], entries)
	return nil
}

// placeOf tells the entries of one bench apart.
func placeOf(e hook.Entry) string {
	return strings.Join([]string{e.ID, e.Event, e.Match.Text, e.Profile}, "\x00")
}

// settle puts together what was said and what it counts as.
func (t *triedHooks) settle(reply assent.Reply, runs []*triedHook, stats []hook.Stat) {
	parts := slices.Clone(reply.Parts)
	for _, r := range runs {
		if at := slices.IndexFunc(parts, func(p assent.Reply) bool { return p.By == r.Hook }); at >= 0 {
			r.Says = parts[at]
			parts = slices.Delete(parts, at, at+1)
		} else if r.Says.Fault == "" {
			r.Says.Fault = stats[r.at].Fault
		}
		r.Says.By, r.Says.Parts, r.Says.Took = "", nil, 0
		t.Hooks = append(t.Hooks, *r)
	}
	t.fold = assent.Fold(assent.Tiers{Said: []assent.Reply{reply}})
	t.Fold = reply
	t.Fold.Parts, t.Fold.Decision, t.Fold.Reason = nil, t.fold.Decision, t.fold.Tell
}

// beside are hooks that are for other tools of the same server, and have a call asked
// about without having been asked themselves.
func (t *triedHooks) beside(parts []assent.Reply, entries []hook.Entry) {
	for _, p := range parts {
		i := slices.IndexFunc(entries, func(e hook.Entry) bool { return e.ID == p.By })
		t.Hooks = append(t.Hooks, triedHook{Hook: p.By, Kind: entries[i].Kind, Says: assent.Reply{Decision: p.Decision, Reason: p.Reason}})
		t.Others--
	}
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
			r.Note = notAYes(s, c, t)
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

// notAYes says of an answer that it was meant as a yes, and is none in the words of
// Hermes Agent.
func notAYes(s script.Spec, c assent.Case, t script.Trial) string {
	var said map[string]any
	mute := t.Err == nil && t.Reply.Decision == assent.None
	if !mute || !assent.Gates(c.Name) || s.Dialect != "" && s.Dialect != hook.Hermes || json.Unmarshal(t.Result.Stdout, &said) != nil {
		return ""
	}
	for _, key := range []string{"decision", "action"} {
		if word, _ := said[key].(string); word == "allow" || word == "approve" {
			return fmt.Sprintf("%s: %s allows nothing in the words of Hermes Agent; for a yes, say in config.yaml: speaks: assent", key, word)
		}
	}
	return ""
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
