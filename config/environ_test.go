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
	owner := Home{Dir: dir}
	t.Setenv("HA_TOKEN", "two\nlines")
	t.Setenv("PYTHONPATH", "/mine")
	t.Setenv("PATH", "/mine/bin")
	t.Setenv("CLAUDE_CODE_MESSAGING_TOKEN", "secret")
	t.Setenv("ASSENT_ACCEPT_HOOKS", "secret")
	h, err := At(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Remember(); err != nil || there(h.envFile()) {
		t.Errorf("%v: what an agent started wrote an environment down", err)
	}
	if err := owner.Remember(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "hooks.env"))
	if err != nil || info.Mode().Perm() != 0o600 && !windows {
		t.Errorf("%v, %v", info, err)
	}
	for _, name := range []string{
		"PATH", "HOME", "LD_PRELOAD", "BASH_ENV", "ENV", "PYTHONPATH", "NODE_OPTIONS", "ZDOTDIR", "OPENSSL_CONF", "XDG_CONFIG_HOME", "GLIBC_TUNABLES",
		"npm_config_script_shell", "NO_PROXY", "UV_INDEX_URL", "HA_TOKEN", "NEW_ONE",
	} {
		t.Setenv(name, "/evil")
	}
	t.Setenv("LC_TIME", "C")
	got := h.environ()
	for _, want := range []string{"HA_TOKEN=two\nlines", "PYTHONPATH=/mine", "PATH=/mine/bin", "ASSENT_HOME=" + dir, "HOME=" + h.Places().Home} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	forbidden(t, got)
	if err := os.Remove(h.envFile()); err != nil {
		t.Fatal(err)
	}
	if got = h.environ(); !slices.Contains(got, "PATH="+usual) || !slices.Contains(got, "LC_TIME=C") {
		t.Errorf("with nothing written down: %q", got)
	}
	if !windows {
		forbidden(t, got)
	}
	if got := owner.environ(); !slices.Contains(got, "PATH=/evil") || slices.Contains(got, "CLAUDE_CODE_MESSAGING_TOKEN=secret") {
		t.Errorf("where the owner started us: %s", got)
	}
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func forbidden(t *testing.T, env []string) {
	t.Helper()
	for _, kv := range env {
		if strings.Contains(kv, "evil") || strings.Contains(kv, "secret") {
			t.Errorf("%s reaches a hook", kv)
		}
	}
}
