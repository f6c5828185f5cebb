package analyze

// Variables that change what programs do: that make them run other code, look
// for their parts elsewhere, keep no history, check nothing, or talk through
// another machine.

import (
	"slices"
	"strings"

	"assent"
)

var environment = assent.Analyzer{
	Name:  "environment",
	Doc:   "Says which variables are set that make programs run other code, check less, or talk through another machine.",
	Codes: []string{"code.preload", "code.settings", "code.steer", "net.detour", "net.unverified", "host.traces"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		var seen []string
		for _, cmd := range c.Commands {
			if host := configures(cmd); host != "" {
				out = append(out, assent.Finding{By: "environment", Code: "net.detour", Target: host, Note: "It writes a setting by which what is asked of a model passes through " + host + ".", Span: cmd.Span})
			}
			settings(cmd, func(name string, w assent.Word) {
				code, note := variable(name, w, c.Places)
				if code == "" || slices.Contains(seen, name) {
					return // a variable that is exported stands at every later command
				}
				seen = append(seen, name)
				if code == "code.settings" && cmd.Name == "export" && name != "HOME" && w.Known {
					code, note = "code.steer", "It sets "+name+" for all later commands, so that they take their settings from where every user may write."
				}
				out = append(out, assent.Finding{By: "environment", Code: code, Target: name, Note: note, Span: cmd.Span})
			})
		}
		return out
	},
}

// modelSettings are what settings are called that name who answers for a model.
var modelSettings = []string{"base_url", "api_base", "openai_api_base", "anthropic_base_url", "baseurl"}

// configures is the host that a text which is written to a file makes a model's
// requests go to, if it does.
func configures(cmd assent.Command) string {
	if cmd.Name != "echo" && cmd.Name != "printf" && cmd.Name != "cat" || !slices.ContainsFunc(cmd.Redirects, writesTo) {
		return ""
	}
	texts := cmd.Args
	if cmd.Stdin != nil {
		texts = append(slices.Clone(texts), *cmd.Stdin)
	}
	for _, w := range texts {
		for line := range strings.Lines(w.Value) {
			key, val, ok := strings.Cut(line, ":")
			if k, v, eq := strings.Cut(line, "="); eq && (!ok || len(k) < len(key)) {
				key, val = k, v
			}
			if !slices.Contains(modelSettings, strings.ToLower(strings.Trim(key, " \t\"'{"))) {
				continue
			}
			a, ok := parsed(strings.Trim(val, " \t\n\"',}"), false)
			if ok && !loopback(a.host) && !usual(a.host) {
				return a.host
			}
		}
	}
	return ""
}

// setters are programs whose operands NAME=value set variables.
var setters = []string{"export", "declare", "typeset", "readonly", "local", "env", "make", "gmake", "launchctl", "setx", "set", "systemctl"}

// settings calls f for every variable that a command sets.
func settings(cmd assent.Command, f func(string, assent.Word)) {
	for _, a := range cmd.Env {
		f(a.Name, a.Value)
	}
	if !slices.Contains(setters, cmd.Name) {
		return
	}
	for _, w := range cmd.Args {
		name, value, ok := strings.Cut(w.Value, "=")
		name = strings.TrimSuffix(name, "+")
		if ok && name != "" && named(name) == name {
			text := w.Text
			if _, after, ok := strings.Cut(text, "="); ok {
				text = after
			}
			f(name, assent.Word{Text: text, Value: value, Known: w.Known})
		}
	}
}

// variable says what setting a variable means, if it means anything.
func variable(name string, w assent.Word, p assent.Places) (code, note string) {
	v := w.Value
	given := v != "" || !w.Known && w.Text != ""
	switch {
	case slices.Contains(starters, name) && (given || name == "PROMPT_COMMAND"):
		return "code.preload", "It sets " + name + ", which makes programs run other code first."
	case strings.HasPrefix(v, "() {") || strings.HasPrefix(name, "BASH_FUNC_"):
		return "code.preload", "It hides a function in the variable " + name + ", which shells may run."
	case loads(name, v):
		return "code.preload", "It sets " + name + " so that programs load or run other code."
	case slices.Contains(commanders, name) && w.Known && commandLine(v):
		return "code.preload", "It sets " + name + " to a command that other programs start."
	case gitStarts(name, w):
		return "code.preload", "It gives git a setting by " + name + " with which git may start another program."
	case slices.Contains(configs, name) && unsettled(w, p):
		note := "It sets " + name + ", so that programs take their settings from where others may have written them."
		if w.Known && v != "" && v[0] != '/' && v[0] != '~' {
			return "code.preload", note // from the project, which the agent may have written
		}
		return "code.settings", note // a throw-away home: what tests have
	case slices.Contains(searchPaths, name) && elsewhereIn(name, likely(w), p):
		return "code.preload", "It sets " + name + " so that programs look for their parts where every user may write."
	}
	if note := forgets(name, v, w.Known); note != "" {
		return "host.traces", note
	}
	if note := unverified(name, v); note != "" {
		return "net.unverified", note
	}
	if host := detour(name, w); given && host != "" {
		return "net.detour", "It sets " + name + ", so that what programs send passes through " + host + "."
	}
	return "", ""
}
