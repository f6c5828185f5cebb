package programs

// The list says all that is in the files, and nothing else.

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryProgramIsListed(t *testing.T) {
	t.Parallel()
	verbs := append(Codes(), "takes", "may", "fine", "runs", "only", "onedash", "stops", looks, dry)
	listed := map[string]bool{}
	for _, path := range paths() {
		for names, s := range statements(path) {
			for _, name := range names {
				listed[name] = true
			}
			if !slices.Contains(verbs, s.Verb) {
				t.Errorf("%s: %q is no statement", path, s.Verb)
			}
		}
	}
	names := Names()
	for _, name := range names {
		if !listed[name] {
			t.Errorf("nothing is listed of %s", name)
		}
	}
	if len(names) < 100 {
		t.Fatalf("%d programs are known", len(names))
	}
}

func TestAllThatAFileSaysOfAProgramIsListed(t *testing.T) {
	t.Parallel()
	_, all := Statements("git")
	for verb, want := range map[string]string{looks: "status", "vcs.discard": "branch -D"} { // they stand far from each other
		if !slices.ContainsFunc(all, func(s Statement) bool { return s.Verb == verb && slices.Contains(s.Patterns, want) }) {
			t.Errorf("%s git %s is not listed: %v", verb, want, all)
		}
		if !slices.Contains(Doing(verb), "git") {
			t.Errorf("git is not among those that do %s", verb)
		}
	}
	if slices.Contains(Doing("fs.format"), "git") {
		t.Error("git is among those that format volumes")
	}
}

func TestAStatementIsTakenApart(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Statement{
		"  takes  -C --git-dir":                          {"takes", []string{"-C --git-dir"}, ""},
		"\tonedash":                                      {"onedash", []string{}, ""},
		"    looks  status,  stash   list":               {"looks", []string{"status", "stash list"}, ""},
		"    vcs.discard branch -D  => It deletes, yes.": {"vcs.discard", []string{"branch -D"}, "It deletes, yes."},
	} {
		if diff := cmp.Diff(want, statement(line)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTheListKnowsVersionsAndNothingOfTheUnknown(t *testing.T) {
	t.Parallel()
	if known, all := Statements("python3.12"); known != "python3" || len(all) == 0 {
		t.Errorf("python3.12 is %q with %d statements", known, len(all))
	}
	if known, all := Statements("no-such-program"); known != "" || all != nil {
		t.Errorf("an unknown program is %q: %v", known, all)
	}
}
