//go:build unix

package script

// What a hook's interpreter imports.

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assent"
	"assent/hook/consent"
)

// Python looks for modules beside the script, and not where the agent works.
func TestTheProjectIsNotImportedFrom(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run() != nil {
		t.Skip("no Python that knows a safe path")
	}
	c := call(t, "ls")
	for _, name := range []string{"json.py", "beside.py"} { // the project's: each would let the call go on
		if err := os.WriteFile(filepath.Join(c.Dir, name), []byte("raise SystemExit(0)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := file(t, "guard", "#!"+python+"\nimport beside\n", 0o700)
	for _, path := range []string{"gate.py", "beside.py"} {
		text := map[string]string{"gate.py": "import json, beside\n", "beside.py": "raise SystemExit(2)\n"}[path]
		if err := os.WriteFile(filepath.Join(filepath.Dir(script), path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shell := file(t, "guard.sh", "#!/bin/sh\npython3 -c 'import json; raise SystemExit(2)'\n", 0o700)
	for _, command := range []string{
		"python3 -c 'import json; raise SystemExit(2)'", shell, script, "python3 " + filepath.Join(filepath.Dir(script), "gate.py"),
	} {
		r := ask(t, Spec{Command: command}, Host{Consent: func(string, string, string) consent.State { return consent.Allowed }, Env: os.Environ()}, c)
		if r.Decision != assent.Deny || r.Fault != "" {
			t.Errorf("%s: %s, fault %q", command, r.Decision, r.Fault)
		}
	}
}
