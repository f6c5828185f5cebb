package config

// What of an agent's environment reaches the owner's programs.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAnAgentsEnvironmentDoesNotSteerHooks(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{
		"PATH": "/evil", "LD_PRELOAD": "/evil.so", "BASH_ENV": "/evil.sh", "ENV": "/evil.sh", "PYTHONPATH": "/evil", "NODE_OPTIONS": "-r /evil.js",
		"HOME": "/evil", "CLAUDE_CODE_MESSAGING_TOKEN": "secret", "HA_TOKEN": "wanted", "ENVIRONMENT": "wanted",
	} {
		t.Setenv(name, value)
	}
	h, err := At(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := h.environ()
	for _, kv := range got {
		if strings.Contains(kv, "evil") || strings.Contains(kv, "secret") {
			t.Errorf("%s reaches a hook", kv)
		}
	}
	for _, want := range []string{"HA_TOKEN=wanted", "ENVIRONMENT=wanted", "PATH=" + usual, "ASSENT_HOME=" + dir} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "hooks.path"), []byte("/mine/bin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := h.environ(); !slices.Contains(got, "PATH=/mine/bin") {
		t.Errorf("what the owner's PATH was is not heeded: %s", got)
	}
	own := Home{Dir: dir}
	if got := own.environ(); !slices.Contains(got, "PATH=/evil") || slices.Contains(got, "CLAUDE_CODE_MESSAGING_TOKEN=secret") {
		t.Errorf("where the owner started us: %s", got)
	}
}
