package claude

// What is known of the form of Claude Code's settings: whether a value is one
// with which it loads the file.

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

//go:embed settings.kinds
var kindsText string

var kinds = sync.OnceValue(func() map[string]string { return readKinds(kindsText) })

// readKinds reads the table: a kind and its keys on each line.
func readKinds(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, key := range words[1:] {
			out[key] = words[0]
		}
	}
	return out
}

// proof is what is known of one value.
type proof int

const (
	unknown  proof = iota // nothing
	fits                  // the file loads with it
	mismatch              // the file does not load with it
)

// proved judges one of the settings' members.
func proved(key string, value json.RawMessage) proof {
	var ok bool
	switch kinds()[key] {
	case "any":
		ok = true
	case "bool":
		ok = isBool(value)
	case "text":
		ok = isText(value)
	case "flags":
		var m map[string]json.RawMessage
		if json.Unmarshal(value, &m) != nil || !all(m, isBool) {
			return unknown
		}
		ok = true
	case "rules":
		if value[0] != '{' {
			return mismatch
		}
		if !isRules(value) {
			return unknown
		}
		ok = true
	default:
		return unknown
	}
	if ok {
		return fits
	}
	return mismatch
}

func isBool(v json.RawMessage) bool { return string(v) == "true" || string(v) == "false" }
func isText(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }

func all(m map[string]json.RawMessage, is func(json.RawMessage) bool) bool {
	for _, v := range m {
		if !is(v) {
			return false
		}
	}
	return true
}

var modes = []string{"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"}

// isRules reports whether permissions hold nothing but lists of names, each with
// an argument in brackets or without, and a mode.
func isRules(value json.RawMessage) bool {
	var m map[string]json.RawMessage
	if json.Unmarshal(value, &m) != nil {
		return false
	}
	for k, v := range m {
		switch k {
		case "allow", "ask", "deny", "additionalDirectories":
			var list []string
			if v[0] != '[' || json.Unmarshal(v, &list) != nil || slices.ContainsFunc(list, oddRule) {
				return false
			}
		case "defaultMode":
			var mode string
			if json.Unmarshal(v, &mode) != nil || !slices.Contains(modes, mode) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// oddRule reports whether brackets do not open once and close at the end.
func oddRule(rule string) bool {
	name, rest, bracket := strings.Cut(rule, "(")
	return name == "" || bracket && (!strings.HasSuffix(rest, ")") || len(rest) < 2) || !bracket && strings.Contains(rule, ")")
}
