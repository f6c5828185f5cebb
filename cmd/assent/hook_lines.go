package main

// What hooks import prints: hooks and plugins of Hermes Agent's config.yaml as lines
// of ours.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/config"
	"assent/hook/consent"
	"assent/hook/plugin"
	"assent/hook/script"
)

// plugins are the lines that enable what is enabled there.
func (m *imported) plugins(h config.Home, from string, file map[string]any) (string, error) {
	section, _ := file["plugins"].(map[string]any)
	enabled, disabled := texts(section["enabled"]), texts(section["disabled"])
	found, err := plugin.Discover(plugin.Options{Roots: []string{filepath.Join(from, "plugins")}, Enabled: enabled, Disabled: disabled})
	if err != nil {
		return "", err
	}
	var keys []string
	for _, p := range found {
		m.Plugins = append(m.Plugins, listedPlugin{p.Key, p.Path, p.Manifest.Version, p.Enabled, p.Manifest.Hooks, p.Problems})
		if p.Enabled {
			keys = append(keys, p.Key)
		}
	}
	for _, id := range enabled {
		if !slices.ContainsFunc(found, func(p plugin.Found) bool { return p.Key == id || p.Manifest.Name == id }) {
			m.Warnings = append(m.Warnings, fmt.Sprintf("the plugin %s is enabled there and is not in its plugins/: it belongs to Hermes Agent itself", id))
		}
	}
	if len(keys) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("plugins:\n")
	if from == filepath.Join(h.User, ".hermes") {
		b.WriteString("  hermes: true\n")
	} else {
		m.Warnings = append(m.Warnings, fmt.Sprintf("plugins are read from ~/.hermes/plugins and %s: copy or link those of %s there", filepath.Join(h.Dir, config.Plugins), filepath.Join(from, "plugins")))
	}
	fmt.Fprintf(&b, "  enabled: [%s]\n", strings.Join(scalars(keys), ", "))
	entries, _ := section["entries"].(map[string]any)
	written := false
	for _, key := range keys {
		entry, _ := entries[key].(map[string]any)
		settings := map[string]any{}
		for _, name := range []string{"settings", "granted_capabilities"} {
			if v, ok := entry[name]; ok {
				settings[name] = v
			}
		}
		if raw, err := json.Marshal(settings); err == nil && len(settings) > 0 {
			if !written {
				b.WriteString("  entries:\n")
				written = true
			}
			fmt.Fprintf(&b, "    %s: %s\n", scalar(key), raw) // JSON is YAML
		}
	}
	return b.String(), nil
}

// scripts are the lines of the shell hooks and the webhooks.
func (m *imported) scripts(from string, file map[string]any) string {
	list, warnings := script.Section(file["hooks"])
	m.Scripts = len(list)
	for _, w := range warnings {
		m.Warnings = append(m.Warnings, strings.TrimSuffix(strings.TrimSuffix(w, " "+assent.ErrInvalid.Error()), ":"))
	}
	allowed, err := consent.Read(filepath.Join(from, consent.Name))
	if err != nil {
		m.Warnings = append(m.Warnings, err.Error())
	}
	var b strings.Builder
	event := ""
	for _, s := range list {
		if s.Event != event {
			event = s.Event
			fmt.Fprintf(&b, "  %s:\n", event)
		}
		fmt.Fprintf(&b, "    - command: %s\n%s%s%s", scalar(s.Command), member("matcher", s.Matcher), member("timeout", wholeSeconds(s.Timeout)), member("on_error", string(s.OnError)))
		if slices.ContainsFunc(allowed, func(a consent.Approval) bool { return a.Event == s.Event && a.Command == s.Command }) {
			m.Consented = append(m.Consented, s.Command+" ("+s.Event+")")
		}
	}
	hooks, _ := file["hooks"].(map[string]any)
	b.WriteString(m.outbound(hooks["outbound"]))
	if b.Len() == 0 {
		return ""
	}
	return "hooks:\n" + b.String()
}

// outbound are the lines of the addresses that are told.
func (m *imported) outbound(section any) string {
	list, _ := section.([]any)
	var b strings.Builder
	for _, v := range list {
		o, _ := v.(map[string]any)
		address, _ := o["url"].(string)
		events := texts(o["events"])
		if address == "" || len(events) == 0 {
			m.Warnings = append(m.Warnings, "an address of hooks.outbound has no url or no events, and is left out")
			continue
		}
		name, _ := o["name"].(string)
		matcher, _ := o["matcher"].(string)
		env, _ := o["secret_env"].(string)
		if o["secret"] != nil && env == "" {
			m.Warnings = append(m.Warnings, address+" has its secret in the file; here it is a reference: secret: env:NAME or file:PATH")
			env = "NAME"
		}
		timeout := ""
		if o["timeout"] != nil {
			timeout = fmt.Sprint(o["timeout"])
		}
		fmt.Fprintf(&b, "    - url: %s\n      events: [%s]\n%s%s%s%s", scalar(address), strings.Join(scalars(events), ", "), member("name", name), member("matcher", matcher), member("timeout", timeout), member("secret_env", env))
	}
	if b.Len() == 0 {
		return ""
	}
	return "  outbound:\n" + b.String()
}

// member is one line of an entry; nothing for an empty value.
func member(key, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("      %s: %s\n", key, scalar(value))
}

func wholeSeconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprint(int(d.Seconds()))
}

// scalar is a text as YAML: as it is if it is a plain word or path, else quoted.
func scalar(text string) string {
	plain := text != "" && !strings.ContainsAny(text[:1], "-0123456789.~") || strings.Trim(text, "0123456789") == ""
	for _, r := range text {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./", r) {
			plain = false
		}
	}
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n", "":
		plain = false
	}
	if plain {
		return text
	}
	raw, _ := json.Marshal(text)
	return string(raw)
}

func scalars(list []string) (out []string) {
	for _, t := range list {
		out = append(out, scalar(t))
	}
	return out
}

// texts are the texts of a list.
func texts(v any) (out []string) {
	list, _ := v.([]any)
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
