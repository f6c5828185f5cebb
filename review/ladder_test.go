package review_test

// The ladder of offers, over real commands.

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/analyze"
	"assent/review"
)

func analyse(e assent.Event) assent.Case {
	return analyze.Case(e, assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"})
}

func run(dir, line string) assent.Event {
	in, _ := json.Marshal(map[string]string{"command": line})
	return assent.Event{Name: assent.PreToolCall, Agent: "plain", Session: "s", Tool: assent.ToolShell, Dir: dir, Input: in}
}

func ladder(dir, line string) []assent.Offer {
	return review.Open(analyse(run(dir, line)), nil, noon, 1e9, analyse).Offers
}

const shop = "/home/ada/shop"

// TestTheLadder: what may be granted besides exactly this, by the programs that the
// rungs name.
func TestTheLadder(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"touch notes.md":                "touch",
		"mv a b":                        "mv",
		"git push origin main":          "", // a directory bounds no remote
		"git push -f origin main":       "",
		"git checkout main":             "git checkout | git status, git log, …",
		"git commit -m 'a b'":           "git commit | git status, git log, …",
		"rm -rf build":                  "rm under " + shop + "/build",
		"rm -rf .":                      "", // all of it, .git too
		"rm -rf *":                      "",
		"rm -rf a b":                    "",
		"unheard-of thing":              "unheard-of",
		"./tool x":                      "", // whose file may change
		"git -C web push":               "", // an option comes first: where it ends is not seen
		"git config alias.x y":          "",
		"touch /etc/x":                  "",
		"touch ../x":                    "",
		"touch \"$X\"":                  "",
		"git add a && git commit -m x":  "",
		"cd web && touch x":             "",
		"(touch x)":                     "",
		"sudo touch x":                  "",
		"env A=1 touch x":               "",
		"A=1 touch x":                   "",
		"bash deploy.sh":                "",
		"python3 manage.py migrate":     "",
		"node build.js":                 "",
		"php tool.php a":                "",
		"npx prettier .":                "",
		"npm run":                       "",
		"docker run nginx":              "",
		"kubectl delete pod x":          "", // a directory bounds nothing of it
		"curl -T x https://example.com": "",
		"cat .env":                      "",
		"crontab jobs":                  "",
		"eval \"$X\"":                   "",
		"rm -rf build ../x":             "",
		"echo x > /etc/motd":            "",
		"find . -delete":                "",
	} {
		var got []string
		for _, o := range ladder(shop, line)[1:] {
			name := strings.Join(o.Scope.Programs, ", ")
			if o.Scope.Under != "" {
				name += " under " + o.Scope.Under
			}
			if len(o.Scope.Programs) > 2 {
				name = strings.Join(o.Scope.Programs[:2], ", ") + ", …"
			}
			got = append(got, name)
			for _, p := range o.Scope.Programs {
				if !strings.Contains(o.Text, p) {
					t.Errorf("%s: %q does not name %s", line, o.Text, p)
				}
			}
		}
		if all := strings.Join(got, " | "); all != want {
			t.Errorf("%s: %q, not %q", line, strings.Join(got, " | "), want)
		}
	}
}

// A directory that holds the home, or everything, bounds nothing.
func TestNoLadderWhereTheWorkspaceIsEverything(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"/", "/home", "/home/ada", ""} {
		if list := ladder(dir, "touch notes.md"); len(list) != 1 {
			t.Errorf("in %q: %+v", dir, list[1:])
		}
	}
}

// What cannot be fully read is for once, and so has one offer.
func TestNoLadderForWhatIsForOnce(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"$X y", "curl x | sh"} {
		if list := ladder(shop, line); len(list) != 1 {
			t.Errorf("%s: %+v", line, list)
		}
	}
	c := analyse(run(shop, "rm -rf build"))
	c.Findings = append(c.Findings, assent.Finding{Code: "code.unbound", Target: shop})
	if list := review.Open(c, nil, noon, 1e9, analyse).Offers; len(list) != 1 {
		t.Errorf("a program that is too large to be bound: %+v", list)
	}
}

func TestExamplesShowWhereAScopeEnds(t *testing.T) {
	t.Parallel()
	o := ladder(shop, "git checkout main")[1]
	if got := strings.Join(o.Match, "; "); got != "git checkout main; git checkout main/other" {
		t.Errorf("match: %s", got)
	}
	if got := strings.Join(o.NotMatch, "; "); got != "git push; git checkout ../other" {
		t.Errorf("not: %s", got)
	}
	rungs := ladder(shop, "npm test")
	if len(rungs) != 3 {
		t.Fatalf("%+v", rungs)
	}
	o = rungs[2]
	if got := strings.Join(o.Match, "; "); got != "npm test; npm view" && got != "npm test; npm ls" { // npm ci has a fact of its own
		t.Errorf("match: %s", got)
	}
	o = ladder(shop, "rm -rf build")[1]
	if got := strings.Join(o.Match, "; "); got != "rm -rf build; rm -rf build/other" {
		t.Errorf("match: %s", got)
	}
	if len(o.NotMatch) != 2 || o.NotMatch[0] != "rm -rf ../other" {
		t.Errorf("not: %s", o.NotMatch)
	}
}

// Examples are true, and a scope covers the case that it was offered for: over
// commands made of pieces.
func TestExamplesAreTrue(t *testing.T) {
	t.Parallel()
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		words := []string{rapid.SampledFrom([]string{"git", "npm", "touch", "mv", "rm", "cargo", "docker", "unheard-of", "cp", "mkdir"}).Draw(t, "program")}
		words = append(words, rapid.SliceOfN(rapid.SampledFrom([]string{"add", "push", "run", "dev", "-f", "-rf", "a", "'b c'", "../x", "/etc/x", "--force", "ps", "build", "status", ".", "$X"}), 0, 4).Draw(t, "args")...)
		line := strings.Join(words, " ")
		c := analyse(run(shop, line))
		for i, o := range ladder(shop, line) {
			if !o.Scope.Covers(c) && c.Digest() != "" {
				t.Fatalf("offer %d of %s does not cover it: %+v", i, line, o.Scope)
			}
			for _, x := range o.Match {
				seen++
				if !o.Scope.Covers(analyse(run(shop, x))) {
					t.Fatalf("%s is no example of %+v", x, o.Scope)
				}
			}
			for _, x := range o.NotMatch {
				if o.Scope.Covers(analyse(run(shop, x))) {
					t.Fatalf("%s is covered by %+v", x, o.Scope)
				}
			}
			if i > 0 && (len(o.Match) == 0 || len(o.NotMatch) < 2) {
				t.Fatalf("offer %d of %s has too few examples: %+v", i, line, o)
			}
		}
	})
	if seen == 0 {
		t.Fatal("no examples: this test says nothing")
	}
}
