package docscript

// How pages are read, and what matches.

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# Title\n```sh\n$ not this\n```\n```console\n$ one\nout\n$ two \\\n> more\n...\nlast\n```\ntext\n<!-- console\n$ wait\n-->\n```console\n$ serve &\nready\n```\n"

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse(page)
	want := []Step{
		{Line: 6, Command: "one", Want: []string{"out"}},
		{Line: 8, Command: "two \\\nmore", Want: []string{"...", "last"}},
		{Line: 15, Command: "wait"},
		{Line: 18, Command: "serve", Want: []string{"ready"}, Background: true},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, bad := range []string{"```console\nout\n```\n", "```console\n$ one\n", page + "```console\nout\n```\n"} {
		if steps, err := Parse(bad); err == nil {
			t.Errorf("%q was read as %v", bad, steps)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got []string
		match     bool
	}{
		{nil, nil, true},
		{nil, []string{"x"}, false},
		{[]string{"a", "b"}, []string{"a", "b "}, true},
		{[]string{"a", "b"}, []string{"a"}, false},
		{[]string{"a"}, []string{"a", "b"}, false},
		{[]string{"..."}, nil, true},
		{[]string{"a", "...", "z"}, []string{"a", "b", "c", "z"}, true},
		{[]string{"a", "...", "z"}, []string{"a", "z", "y"}, false},
		{[]string{"...", "a", "..."}, []string{"x", "a"}, true},
		{[]string{"in ... s (...)"}, []string{"in 42 s (now)"}, true},
		{[]string{"in ... s"}, []string{"in 42 m"}, false},
		{[]string{"ends ..."}, []string{"ends "}, false},
		{[]string{"ends..."}, []string{"ends"}, true},
	} {
		if got := Match(c.want, c.got); got != c.match {
			t.Errorf("Match(%q, %q) = %v", c.want, c.got, got)
		}
	}
}
