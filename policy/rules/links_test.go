package rules_test

// Links: where a word leads counts, not only what it says.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"assent"
	"assent/analyze"
	"assent/policy/rules"
)

func TestLinksAreFollowed(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir, alias := filepath.Join(home, "shop"), filepath.Join(home, "alias")
	must(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
	must(t, os.MkdirAll(filepath.Join(home, "keys"), 0o755))
	for link, to := range map[string]string{"out": "/etc", "gone": "/nowhere/at/all", "near": "sub", "mine": "../keys"} {
		must(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	must(t, os.Symlink(dir, alias))
	list, err := rules.Parse("r.yaml", []byte("rules:\n- deny: {reads: ~/keys}\n- allow: {program: frobnicate, in: workspace}\n"))
	must(t, err)
	for line, want := range map[string]assent.Decision{
		"frobnicate sub/x": assent.Allow, "frobnicate near/x": assent.Allow, "frobnicate new": assent.Allow, "frobnicate > near/x": assent.Allow, "frobnicate near/../x": assent.Allow,
		"frobnicate out/x": assent.None, "frobnicate out": assent.None, "frobnicate --to=out/x": assent.None, "frobnicate > out/x": assent.None, "frobnicate gone": assent.None, "frobnicate out/../x": assent.None,
		"frobnicate mine/a": assent.Deny, "cat mine/a": assent.Deny, "cat < mine/a": assent.Deny, "cat sub/a": assent.None,
	} {
		for _, at := range []string{dir, alias} {
			e := event(t, "ls")
			e.Dir = at
			e.Input, _ = json.Marshal(map[string]string{"command": line})
			c := analyze.Case(e, assent.Places{Home: home})
			if r := judge(t, list, c); r.Decision != want {
				t.Errorf("in %s: %s is %v, not %v: %s %v", at, line, r.Decision, want, rules.WhyNotAllowed(list, c), c.Findings)
			}
		}
	}
}
