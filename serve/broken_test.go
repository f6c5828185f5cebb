package serve

// What is broken in a body is refused, whichever body it is.

import (
	"net/http"
	"strings"
	"testing"

	"assent"
)

// whole are bodies in their right form, each with a place for more in an object that
// is ours: "@" at the top, and "#" one level down.
var whole = map[string]string{
	"handle":      `{"name":"pre_tool_call","agent":"plain","session":"s","tool":"read","input":{"path":"x"}@}`,
	"check":       `{"name":"pre_tool_call","agent":"plain","session":"s","tool":"read","input":{"path":"x"}@}`,
	"answer":      `{"decision":"allow","proof":{"key":"x"#}@}`,
	"revoke":      `{"note":"x","proof":{"key":"x"#}@}`,
	"revoke-many": `{"all":true,"proof":{"key":"x"#}@}`,
	"forward":     `{"to":"s","proof":{"key":"x"#}@}`,
	"renew":       `{"for":60,"proof":{"key":"x"#}@}`,
	"hold":        `{"holder":{"session":"s"#},"proof":{"key":"x"}@}`,
	"enroll":      `{"name":"x","key":"x","public":"eA==","proof":{"key":"x"#}@}`,
	"use":         `{"event":{"name":"pre_tool_call","call":"c","tool":"read","input":{"path":"x"}#}@}`,
	"begin":       `{"session":"s","call":"c","digest":"d","child":{"pid":1,"uid":0#}@}`,
	"end":         `{"session":"s","call":"c","digest":"d","started":false@}`,
	"receipt":     `{"grant":"gr_1","audience":"a","nonce":"n"@}`,
}

func TestAdversarial17BrokenBodiesAreRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	before := must[assent.Head](t)(f.engine.Store().Head(t.Context()))
	more := map[string]string{
		"a duplicate":          `,"x":1,"x":1`,
		"an unknown key":       `,"approved":true`,
		"who it is":            `,"peer":{"pid":1,"uid":0,"tty":1}`,
		"which sessions":       `,"sessions":["s"]`,
		"a process":            `,"Process":{"pid":1}`,
		"another case":         `,"Session":"s"`,
		"a folded letter":      `,"ſession":"s"`,
		"an escaped duplicate": `,"y":{"a":1,"\u0061":2}`,
		"invalid UTF-8":        ",\"note\":\"\xff\"",
		"a lone surrogate":     `,"note":"\ud800"`,
		"a huge number":        `,"n":1e400`,
		"an inexact number":    `,"n":9007199254740993`,
		"not a number":         `,"n":NaN`,
		"too deep":             `,"n":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"a second value":       `}{"a":1`,
	}
	for _, r := range routes {
		if r.body == nil {
			continue
		}
		body, ok := whole[r.name]
		if !ok {
			t.Errorf("no body of %s is tried", r.name)
			continue
		}
		at := strings.ReplaceAll(r.path, "{id}", "none")
		try := func(what, text string) {
			t.Helper()
			status, raw := f.http(t, r.method, at, []byte(text))
			if status != http.StatusBadRequest || problem(t, raw).Code != "invalid" {
				t.Errorf("%s: %s: %d %s", r.name, what, status, raw)
			}
		}
		for what, text := range more {
			try(what, strings.NewReplacer("@", text, "#", "").Replace(body))
			if strings.Contains(body, "#") {
				try(what+" inside", strings.NewReplacer("@", "", "#", text).Replace(body))
			}
		}
		for what, text := range map[string]string{"nothing": "", "null": "null", "a list": "[]", "a text": `"x"`, "half": body[:len(body)/2]} {
			try(what, text)
		}
	}
	if after := must[assent.Head](t)(f.engine.Store().Head(t.Context())); before != after {
		t.Errorf("something came of it: %+v, then %+v", before, after)
	}
}

// Deep down a body speaks of processes: there, too, one key is one field.
func TestAdversarial17AHoldersProcessIsReadStrictly(t *testing.T) {
	t.Parallel()
	f := start(t)
	for _, process := range []string{`{"PID":1}`, `{"pid":1,"pid":2}`, `{"pid":1,"name":"x"}`, `{"pid":1e3000}`, `{"pid":"1"}`, `{"pid":-1.5}`} {
		status, raw := f.http(t, "POST", "/v1/grants/none/handle", []byte(`{"holder":{"process":`+process+`}}`))
		if status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", process, status, raw)
		}
	}
}

// What is missing is never taken for a yes.
func TestAdversarial17WhatIsMissingIsRefused(t *testing.T) {
	t.Parallel()
	f := start(t)
	for _, r := range routes {
		if r.body == nil {
			continue
		}
		at := strings.ReplaceAll(r.path, "{id}", "none")
		status, raw := f.http(t, r.method, at, []byte("{}"))
		if r.name == "check" || r.name == "end" {
			continue // it has no consequence
		}
		if status < 400 || status >= 500 {
			t.Errorf("%s: %d %s", r.name, status, raw)
		}
	}
	if live := must[[]assent.Grant](t)(f.Grants(t.Context(), assent.GrantFilter{})); len(live) != 0 {
		t.Errorf("%+v", live)
	}
}
