package rules_test

// What lint finds, and what it does not.

import (
	"strings"
	"testing"

	"assent"
	"assent/policy"
	"assent/policy/rules"
)

// codes of all facts there are.
func codes() []string {
	var out []string
	for _, r := range policy.Table {
		out = append(out, r.Code)
	}
	return out
}

func kinds(t *testing.T, text string) string {
	t.Helper()
	list, err := rules.Parse("r.yaml", []byte("rules:\n"+text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var out []string
	for _, m := range rules.Lint(list, codes(), analyse) {
		if m.Text == "" || m.At.Line == 0 {
			t.Errorf("%s: %+v", text, m)
		}
		out = append(out, m.Kind)
	}
	return strings.Join(out, " ")
}

func TestHoles(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{program: bash, args: [-c, "..."]}`: "hole", `{program: zsh}`: "hole", `{program: "*sh"}`: "hole", `{program: "*"}`: "hole", `{program: "??*", args: [x, "..."]}`: "hole",
		`{program: [ls, python3]}`: "hole", `{program: /usr/bin/python3}`: "hole", `{program: node, args: ["*.js"]}`: "hole", `{program: node, args: [build.js, "..."]}`: "",
		`{program: env}`: "hole", `{program: sudo, args: ["...", x]}`: "hole", `{program: timeout, args: ["5", "..."]}`: "hole", `{program: direnv, args: [exec, ., "..."]}`: "hole",
		`{program: npm, args: [run, "..."]}`: "hole", `{program: npm, args: [run, "*"]}`: "hole", `{program: npm, args: [run, "test*", "..."]}`: "", `{program: npm, args: [[ci, run], "..."]}`: "hole", `{program: npm, args: [[ci, test], "..."]}`: "",
		`{program: npm}`: "hole", `{program: npm, args: []}`: "", `{program: npm, args: [run, "*:ci"]}`: "hole", `{program: npm, codes: [pkg.install]}`: "", `{program: npm, codes: ["*"]}`: "hole",
		`{program: rm}`: "hole", `{program: rm, args: [build]}`: "", `{program: rm, in: workspace}`: "", `{program: npx, in: workspace}`: "hole", `{program: rm, deletes: workspace/build}`: "", `{program: rm, codes: fs.delete.temp}`: "", `{program: rm, reads: /x}`: "hole", `{program: "r*"}`: "hole",
		`{program: "./*"}`: "hole", `{program: "scripts/*"}`: "hole", `{program: "/opt/*/bin/x"}`: "hole", `{program: "/usr/bin/py*"}`: "hole", `{program: ./gradlew, args: [build]}`: "", `{program: "/opt/x/bin/tool-*"}`: "",
		`{program: mise, args: ["..."]}`: "hole", `{program: mise, args: [run, "..."]}`: "hole", `{program: mise, args: [exec, "..."]}`: "hole", `{program: mise, args: [ls, "..."]}`: "", `{program: just, args: ["..."]}`: "hole", `{program: task}`: "hole", `{program: make, args: ["..."]}`: "hole",
		`{program: op, args: [run, "..."]}`: "hole", `{program: doppler, args: ["..."]}`: "hole", `{program: sops, args: ["..."]}`: "hole", `{program: sops, args: [exec-env, f, "..."]}`: "hole", `{program: poetry, args: [run, "..."]}`: "hole", `{program: uv}`: "hole", `{program: pipx, args: [run, "..."]}`: "hole", `{program: bundle, args: [exec, "..."]}`: "hole", `{program: conda, args: [run, "..."]}`: "hole",
		`{program: sed, args: ["..."]}`: "hole", `{program: sed, args: [-n, "..."]}`: "hole", `{program: sed, args: [-n, 1p, a.txt]}`: "",
		`{in: workspace}`: "hole", `{agent: claude}`: "hole", `{codes: [fs.write], in: workspace}`: "", `{codes: "*", in: workspace}`: "hole", `{codes: code.unknown}`: "hole", `{codes: ["prog.*"]}`: "hole",
		`{tool: shell}`: "hole", `{tool: "*"}`: "hole", `{tool: "**"}`: "hole", `{tool: "mcp/**"}`: "hole", `{tool: "mcp/*/*"}`: "hole", `{tool: "mcp/notes/*"}`: "", `{tool: read, in: workspace}`: "",
		`{program: ls}`: "", `{program: git, args: [status]}`: "", `{program: git, args: [commit, "..."]}`: "", `{program: git}`: "hole", `{program: curl, host: docs.example.com}`: "", `{program: eval, args: [x]}`: "dead",
		`{program: docker, args: [run, "..."]}`: "hole", `{program: docker, args: [ps, "..."]}`: "", `{program: kubectl, args: [exec, pod, "..."]}`: "hole", `{program: ssh, args: [host, "..."]}`: "hole", `{program: su, args: [-c, "..."]}`: "hole",
	} {
		if got := kinds(t, "- allow: "+body); got != want {
			t.Errorf("%s: %q, not %q", body, got, want)
		}
	}
	if got := kinds(t, "- ask: {program: bash}\n- deny: {program: \"*\"}"); got != "shadowed" {
		t.Errorf("what asks or denies is no hole: %s", got)
	}
}

func TestRulesThatDoNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- ask: {program: git, tool: read}":                                                                         "dead",
		"- ask: {args: [x], tool: \"mcp/**\"}":                                                                      "dead",
		"- ask: {program: git, tool: shell}":                                                                        "",
		"- deny: {codes: vcs.forcepush}":                                                                            "dead",
		"- deny: {codes: \"vcs.*\"}":                                                                                "",
		"- allow: {program: sudo, args: [systemctl, x]}":                                                            "dead",
		"- allow: {program: sudo, args: [-v]}":                                                                      "",
		"- allow: {program: systemctl, args: [x], via: sudo}":                                                       "",
		"- allow: {program: ls, args: [\"...\", \"...\"]}":                                                          "dead",
		"- allow: {program: ls, unless: {program: l*}}":                                                             "dead",
		"- ask: {program: git}\n- ask: {program: git}":                                                              "twice",
		"- ask: {program: git, why: x}\n- ask: {program: git}":                                                      "twice",
		"- ask: {program: git}\n- deny: {program: hg}":                                                              "",
		"- ask: {program: git, args: [push]}\n- deny: {program: git}":                                               "shadowed",
		"- deny: {program: g*}\n- ask: {program: [git, gh]}":                                                        "shadowed",
		"- deny: {program: g*}\n- ask: {program: [git, hg]}":                                                        "",
		"- deny: {program: git, args: [push]}\n- allow: {program: git, args: [push, origin, \"...\"]}":              "shadowed",
		"- deny: {program: git, args: [push, --force]}\n- allow: {program: git, args: [push, \"...\"]}":             "",
		"- ask: {program: git, args: [push, --force]}\n- allow: {program: git, args: [push, --force, origin]}":      "shadowed",
		"- deny: {program: git, args: [push]}\n- allow: {program: git, args: [[push, fetch], \"...\"]}":             "",
		"- deny: {program: git, args: [push], unless: {agent: ci}}\n- allow: {program: git, args: [push, \"...\"]}": "",
		"- deny: {reads: ~/.ssh}\n- allow: {program: cat, reads: ~/.ssh/known_hosts}":                               "shadowed",
		"- deny: {reads: ~/.ssh/**}\n- ask: {reads: ~/.ssh/config}":                                                 "shadowed",
		"- deny: {reads: ~/.ssh}\n- ask: {reads: ~/.sshx}":                                                          "",
		"- deny: {path: /srv}\n- ask: {writes: /srv/x}":                                                             "shadowed",
		"- deny: {writes: /srv}\n- ask: {path: /srv/x}":                                                             "",
		"- deny: {codes: fs.write}\n- allow: {program: tee, args: [x], codes: fs.write}":                            "",
		"- deny: {tool: \"mcp/x/*\"}\n- allow: {tool: mcp/x/y}":                                                     "",
		"- deny: {tool: mcp/x/y}\n- allow: {tool: mcp/x/y}":                                                         "shadowed",
		"- deny: {program: a?}\n- ask: {program: a*}":                                                               "",
		"- deny: {program: git, args: [\"*\"]}\n- ask: {program: git, args: [\"...\"]}":                             "",
		"- deny: {agent: claude}\n- ask: {program: git}":                                                            "",
		"- deny: {program: git, args: [\"...\", push]}\n- ask: {program: git, args: [push]}":                        "",
	} {
		if got := kinds(t, text); got != want {
			t.Errorf("%s\n%q, not %q", text, got, want)
		}
	}
}

func TestAProjectsAllowIsARemark(t *testing.T) {
	t.Parallel()
	list, err := rules.Parse("r.yaml", []byte("rules:\n- allow: {program: ls}\n- ask: {program: ls}"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Project = true
	}
	if got := rules.Lint(list, nil, analyse); len(got) != 1 || got[0].Kind != rules.Loosens || got[0].At.Line != 2 {
		t.Errorf("%+v", got)
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          assent.Decision
		line, want string
	}{
		{assent.Allow, "git status", "{program: git, args: [status]}"},
		{assent.Allow, "ls", "{program: ls, args: []}"},
		{assent.Allow, "ls *", `{program: ls, args: ["..."]}`},
		{assent.Allow, "npm run test*", `{program: npm, args: [run, "test*", "..."]}`},
		{assent.Allow, "git * main", `{program: git, args: ["...", main]}`},
		{assent.Allow, "git commit -m 'a b'", `{program: git, args: [commit, "-m", "a b"]}`},
		{assent.Allow, "CI=1 make lint", "{program: make, args: [lint], env: CI}"},
		{assent.Allow, "cat*", `{program: "cat*"}`},
		{assent.Allow, "*", `{program: "*"}`},
		{assent.Allow, "", `{program: "*"}`},
		{assent.Deny, "rm", "{program: rm}"},
		{assent.Deny, "rm*", `{program: [rm, "rm*"]}`},
		{assent.Deny, "rm -rf *", `{program: rm, args: ["-rf"]}`},
		{assent.Ask, "git push*--force*", `{program: git, args: ["push*", "--force*"]}`},
		{assent.Ask, "git push*main", `{program: git, args: ["push*", "...", main]}`},
		{assent.Deny, "curl *evil*", `{program: curl, args: ["...", "*evil*"]}`},
	} {
		r, err := rules.FromLine(c.d, c.line)
		if got := strings.TrimPrefix(r.String(), c.d.String()+": "); err != nil || got != c.want {
			t.Errorf("%v %q: %s, %v, not %s", c.d, c.line, got, err, c.want)
		}
		if _, err := rules.Parse("r.yaml", []byte(rules.Format([]rules.Rule{r}))); err != nil {
			t.Errorf("%q: %v", c.line, err)
		}
	}
	for _, line := range []string{"ls; rm x", "a && b", "a | b", "a > b", "$(x)", "`x`", "'x", "a\nb"} {
		if r, err := rules.FromLine(assent.Deny, line); err == nil {
			t.Errorf("%q: %s", line, r.String())
		}
	}
}
