package rules_test

// Rules of a project's directory.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/policy/rules"
)

// project writes files below a new directory and returns it.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		path := filepath.Join(top, name)
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o700))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return top
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func in(dir, line string) assent.Case {
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Tool: assent.ToolShell, Dir: dir}
	e.Input = []byte(`{"command":"` + line + `"}`)
	return analyse(e)
}

func says(t *testing.T, p *rules.Project, dir, line string) assent.Reply {
	t.Helper()
	r, err := p.Judge(t.Context(), in(dir, line))
	must(t, err)
	return r
}

func TestProjectRulesAreFoundUpToTheRepositorysRoot(t *testing.T) {
	t.Parallel()
	top := project(t, map[string]string{
		".assent/rules.yaml":            "rules:\n- deny: {program: above}\n",
		"repo/.git/":                    "",
		"repo/.assent/rules.yaml":       "rules:\n- deny: {program: terraform, why: by the pipeline alone}\n- allow: {program: rm}\n",
		"repo/a/b/.assent/rules.yaml":   "rules:\n- ask: {program: make}\n- ask: {program: terraform}\n",
		"loose/.assent/rules.yaml":      "rules:\n- ask: {program: make}\n",
		"loose/deep/x":                  "",
		"file/.assent":                  "no directory",
		"worktree/.git":                 "gitdir: elsewhere",
		"worktree/.assent/rules.yaml":   "rules:\n- ask: {program: make}\n",
		"worktree/a/.assent/rules.yaml": "rules:\n",
	})
	p := &rules.Project{Analyse: analyse}
	for _, c := range []struct {
		dir, line string
		want      assent.Decision
	}{
		{"repo", "terraform apply", assent.Deny}, {"repo/a/b", "terraform apply", assent.Deny}, {"repo/a/b/c", "make x", assent.Ask}, {"repo/a", "make x", assent.None},
		{"repo/a/b", "above x", assent.None}, {"repo", "rm x", assent.None}, {"loose", "make x", assent.Ask}, {"loose/deep", "make x", assent.None}, {"file", "make x", assent.None},
		{"worktree/a", "make x", assent.Ask}, {"nowhere", "make x", assent.None}, {".", "above x", assent.Deny},
	} {
		if r := says(t, p, filepath.Join(top, c.dir), c.line); r.Decision != c.want || c.want != assent.None && (r.By != "project rules" || !strings.Contains(r.Reason, "rules.yaml:2")) {
			t.Errorf("in %s %s: %+v", c.dir, c.line, r)
		}
	}
	if r := says(t, p, "", "make x"); r.Decision != assent.None {
		t.Errorf("without a directory: %+v", r)
	}
	list, err := p.Rules(filepath.Join(top, "repo/a/b"), "")
	if err != nil || len(list) != 4 || !list[0].Project {
		t.Errorf("%v, %v", list, err)
	}
	if list, _ := p.Rules(top, filepath.Join(top, ".assent")); len(list) != 0 {
		t.Errorf("assent's home is a project: %v", list)
	}
}

func TestAChangedProjectFileIsReadAgain(t *testing.T) {
	t.Parallel()
	top := project(t, map[string]string{".assent/rules.yaml": "rules:\n- ask: {program: make}\n"})
	file := filepath.Join(top, rules.ProjectFile)
	p := &rules.Project{Analyse: analyse}
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, step := range []struct {
		text string // empty: the file is removed
		want assent.Decision
	}{
		{"rules:\n- ask: {program: make}\n", assent.Ask}, {"rules:\n- deny: {program: make}\n", assent.Deny}, {"rules:\n- deny: {program: cake}\n", assent.None}, {"", assent.None}, {"rules:\n- ask: {program: make}\n", assent.Ask},
	} {
		if step.text == "" {
			must(t, os.Remove(file))
		} else {
			must(t, os.WriteFile(file, []byte(step.text), 0o600))
			must(t, os.Chtimes(file, at, at.Add(time.Duration(i)*time.Second)))
		}
		for range 2 {
			if r := says(t, p, top, "make x"); r.Decision != step.want {
				t.Errorf("step %d: %+v", i, r)
			}
		}
	}
}

// Law 3: what cannot be read asks, and says why; what could be read still counts.
func TestLaw3ABrokenProjectFileAsks(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"syntax": "rules: [", "unknown key": "rules:\n- aks: {program: x}\n", "example": "rules:\n- ask: {program: x}\n  match: [y]\n", "too long": "#" + strings.Repeat("x", 64<<10), "too many examples": "rules:\n- ask: {program: x}\n  match: [" + strings.Repeat("x,", 300) + "]\n", "binary": "\xff\x00",
	} {
		top := project(t, map[string]string{".git/": "", ".assent/rules.yaml": "rules:\n- deny: {program: rm}\n", "sub/.assent/rules.yaml": file})
		p := &rules.Project{Analyse: analyse}
		for range 2 {
			if r := says(t, p, filepath.Join(top, "sub"), "ls"); r.Decision != assent.Ask || !strings.Contains(r.Reason, "sub/.assent/rules.yaml:") || strings.Contains(r.Reason, "\n") {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if r := says(t, p, filepath.Join(top, "sub"), "rm x"); r.Decision != assent.Deny {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// What a project's link leads to is not read, so that nobody is told what stands
// there.
func TestNoLinkLeadsOutOfTheProject(t *testing.T) {
	t.Parallel()
	top := project(t, map[string]string{"secret/rules.yaml": "password: hunter2\n", "a/.assent/": "", "b/x": "", "c/.assent/": "", "c/own.yaml": "rules:\n- ask: {program: make}\n", "d/.assent/rules.yaml/": ""})
	must(t, os.Symlink(filepath.Join(top, "secret/rules.yaml"), filepath.Join(top, "a", rules.ProjectFile)))
	must(t, os.Symlink(filepath.Join(top, "secret"), filepath.Join(top, "b/.assent")))
	must(t, os.Symlink("../own.yaml", filepath.Join(top, "c", rules.ProjectFile)))
	p := &rules.Project{Analyse: analyse}
	for _, dir := range []string{"a", "b", "d"} {
		r := says(t, p, filepath.Join(top, dir), "ls")
		if r.Decision != assent.Ask || strings.Contains(r.Reason, "password") || strings.Contains(r.Reason, "hunter") {
			t.Errorf("%s: %+v", dir, r)
		}
	}
	if r := says(t, p, filepath.Join(top, "c"), "make x"); r.Decision != assent.Ask || !strings.Contains(r.Reason, "asks") {
		t.Errorf("a link inside the project: %+v", r)
	}
}

func TestManyProjectsAreForgotten(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 300 {
		files["p"+string(rune('a'+i/26))+string(rune('a'+i%26))+"/.assent/rules.yaml"] = "rules:\n- ask: {program: make}\n"
	}
	top := project(t, files)
	p := &rules.Project{Analyse: analyse}
	for name := range files {
		if r := says(t, p, filepath.Join(top, filepath.Dir(filepath.Dir(name))), "make x"); r.Decision != assent.Ask {
			t.Fatal(name, r)
		}
	}
}
