package main

// A handle that is used: whoever looks at its user's arguments and variables, at what it
// started, or into the home, reads nothing of it.

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assent"
)

func TestAdversarial20AHandleIsNowhereToBeRead(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		key := g.key()
		a := g.rogue()
		look := []string{"sh", "-c", `tr '\0' '\n' </proc/$PPID/cmdline; tr '\0' '\n' </proc/$PPID/environ; env; ls -l /proc/$$/fd; echo looked`}
		if s := a.does("assent exec --ask -- sh -c " + quoted(look[2])); s.code != exitAsk {
			t.Fatal(s)
		}
		g.must("approve", "2", "--session", "--key", key)
		file := filepath.Join(g.dir, "handle")
		told := g.must("grants", "handle", "1", "--pid", strconv.Itoa(os.Getpid()), "--out", file, "--key", key)
		raw, err := os.ReadFile(file)
		g.try(err)
		handle := strings.TrimSpace(string(raw))
		if !strings.HasPrefix(handle, assent.HandlePrefix) || len(handle) < 50 {
			t.Fatalf("%d bytes are no handle", len(raw))
		}
		secret := handle[len(assent.HandlePrefix):]
		out := g.must(append([]string{"exec", "--handle-file", file, "--"}, look...)...)
		if !strings.Contains(out, "looked") || !strings.Contains(out, "--handle-file") {
			t.Errorf("it saw nothing: %s", out)
		}
		for name, text := range map[string]string{"what it started": out, "what was told": told, "the log": g.must("log", "--json"), "the grants": g.must("grants", "--all", "--json")} {
			if strings.Contains(text, secret) {
				t.Errorf("it stands in %s", name)
			}
		}
		g.try(filepath.WalkDir(g.home, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			raw, err := os.ReadFile(path)
			if strings.Contains(string(raw), secret) {
				t.Errorf("it stands in %s", path)
			}
			return err
		}))
	}, "approvals: {wait: 0}")
}
