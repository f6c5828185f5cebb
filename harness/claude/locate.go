package claude

// Where Claude Code keeps its settings and its program, from the environment and
// the home directory alone.

import (
	"path/filepath"
	"runtime"
	"strings"
)

// SettingsPath is the user's settings file.
func SettingsPath(env func(string) string, home string) string {
	return filepath.Join(configDir(env, home), "settings.json")
}

func configDir(env func(string) string, home string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".claude")
}

// Programs are the places where Claude Code's program may be, in the order in
// which to look: the search path, then where its installers put it.
func Programs(env func(string) string, home string) []string {
	names := []string{"claude"}
	if runtime.GOOS == "windows" {
		names = []string{"claude.exe", "claude.cmd"}
	}
	dirs := filepath.SplitList(env("PATH"))
	dirs = append(dirs,
		filepath.Join(home, ".local", "bin"),
		filepath.Join(configDir(env, home), "local"),
		filepath.Join(home, ".npm-global", "bin"),
		"/opt/homebrew/bin", "/usr/local/bin")
	var out []string
	for _, dir := range dirs {
		if strings.TrimSpace(dir) == "" || !filepath.IsAbs(dir) {
			continue // the current directory is the agent's to write
		}
		for _, name := range names {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}
