package rules

// What globs match.

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGlobsOfText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "x", false}, {"*", "", true}, {"git", "git", true}, {"git", "gi", false}, {"g?t", "göt", true}, {"g?t", "gt", false},
		{"--force*", "--force-with-lease", true}, {"*lock*", "unlock_door", true}, {"a*b*c", "aXbXbc", true}, {"a*b*c", "aXcXb", false},
		{`\*`, "*", true}, {`\*`, "x", false}, {`a\`, `a\`, true}, {"[x]", "[x]", true}, {"**", "any", true}, {"*?", "", false},
	} {
		if fits(c.pattern, c.text) != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.text, !c.want)
		}
	}
}

func TestGlobsOfPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		g             pathGlob
		want          bool
	}{
		{"/w/*", "/w/a", pathGlob{}, true}, {"/w/*", "/w/a/b", pathGlob{}, false}, {"/w/**", "/w", pathGlob{}, true}, {"/w/**", "/w/a/b", pathGlob{}, true}, {"/w/**", "/wx", pathGlob{}, false},
		{"/**/*.pem", "/a/b/c.pem", pathGlob{}, true}, {"/**/*.pem", "/c.pem", pathGlob{}, true}, {"/**/.env", "/a/.env.x", pathGlob{}, false}, {"/**/a/**/b", "/x/a/y/a/b", pathGlob{}, true},
		{"/h/.ssh/**", "/h", pathGlob{tree: true}, true}, {"/h/.ssh/**", "/h", pathGlob{}, false}, {"/h/.ssh/**", "/x", pathGlob{tree: true}, false}, {"/**/*.pem", "/h", pathGlob{tree: true}, false},
		{"/h/.ssh/**", "/h/.s", pathGlob{open: true}, true}, {"/h/.ssh/**", "/h/.sx", pathGlob{open: true}, false}, {"/h/.ssh/**", "/h/.ssh/id", pathGlob{open: true}, true}, {"/h/x", "/h/x/", pathGlob{open: true}, false},
		{"/h/.ssh/**", "/h/.s*", pathGlob{loose: true}, true}, {"/h/.ssh/**", "/h/[.]ssh", pathGlob{loose: true}, true}, {"/h/.ssh/**", "/h/x*", pathGlob{loose: true}, false},
		{"/w/*.o", "/w/*", pathGlob{}, false}, {"/w/*.o", "/w/*.o", pathGlob{}, true}, {"/w/*", "/w/*.o", pathGlob{}, true}, {"/w/?", "/w/*", pathGlob{}, false},
	} {
		if c.g.fits(c.pattern, c.path) != c.want {
			t.Errorf("%q and %q, %+v: %v", c.pattern, c.path, c.g, !c.want)
		}
	}
}

func someGlob() *rapid.Generator[string] { return rapid.StringMatching(`[ab*?]{0,6}`) }

// The library's globs are the judge of ours, where they mean the same.
func TestGlobsAgreeWithTheLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern, text := someGlob().Draw(t, "pattern"), rapid.StringMatching(`[ab]{0,6}`).Draw(t, "text")
		want, err := path.Match(pattern, text)
		if err != nil {
			t.Skip(err)
		}
		if fits(pattern, text) != want {
			t.Fatalf("%q and %q: %v", pattern, text, !want)
		}
		for i := range text { // an open text matches when the whole does
			if want && !glob(pattern, text[:i], true) {
				t.Fatalf("%q and the start %q", pattern, text[:i])
			}
		}
		other := someGlob().Draw(t, "other")
		if want && fits(other, text) && (!meet(pattern, other) || !meet(other, pattern)) {
			t.Fatalf("%q and %q do not meet in %q", pattern, other, text)
		}
		if !strings.ContainsAny(other, "*?") && meet(pattern, other) != fits(pattern, other) {
			t.Fatalf("%q meets %q otherwise than it fits it", pattern, other)
		}
	})
}
