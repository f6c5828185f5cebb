package analyze

// Persistence: what makes code run again later, and what changes how agents
// are configured.

import "assent"

var persistence = assent.Analyzer{
	Name:  "persistence",
	Doc:   "Says what makes code run again later: schedules, start-up files, hooks, login keys.",
	Codes: []string{"persist"},
	Run: func(c assent.Case) []assent.Finding {
		return touching(c, "persistence", "persist", persistSpots, "It changes %s, which makes code run later or lets somebody in.")
	},
}

var persistSpots = []spot{
	"~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.profile", "~/.zshrc", "~/.zprofile", "~/.zshenv", "~/.zlogin", "~/.kshrc", "~/.inputrc", "~/.xinitrc", "~/.xsession", "~/.xprofile", "~/.pam_environment",
	"~/.config/fish", "~/.config/autostart", "~/.config/systemd", "~/.local/share/systemd", "~/.config/environment.d", "~/Library/LaunchAgents",
	"~/.ssh/authorized_keys*", "~/.ssh/rc", "~/.ssh/config", "~/.ssh/environment", "~/.gitconfig", "~/.config/git", "~/.vimrc", "~/.tmux.conf", "~/.pythonrc*",
	"/etc/cron*", "/var/spool/cron", "/etc/anacrontab", "/etc/systemd", "/usr/lib/systemd", "/lib/systemd", "/run/systemd", "/etc/init.d", "/etc/rc*", "/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh*", "/etc/environment", "/etc/ld.so.preload", "/etc/ld.so.conf*", "/etc/sudoers", "/etc/sudoers.d", "/etc/pam.d", "/etc/udev", "/etc/ssh", "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hosts", "/Library/LaunchDaemons", "/Library/LaunchAgents", "/etc/xdg/autostart",
	".git/hooks",
}

var agentConfig = assent.Analyzer{
	Name:  "agentconfig",
	Doc:   "Says what changes the settings, hooks and tools of an agent.",
	Codes: []string{"agent.config"},
	Run: func(c assent.Case) []assent.Finding {
		return touching(c, "agentconfig", "agent.config", agentSpots, "It changes %s, which says what an agent may do.")
	},
}

var agentSpots = []spot{
	"~/.claude.json", "~/.claude/settings*.json", "~/.claude/hooks", "~/.claude/plugins", "~/.claude/agents", "/etc/claude-code", "/Library/Application Support/ClaudeCode",
	"~/.codex", "/etc/codex", "~/.gemini", "/etc/gemini-cli", "~/.config/opencode", "~/.opencode", "~/.hermes/config.yaml", "~/.hermes/hooks", "~/.hermes/plugins", "~/.hermes/.env", "~/.hermes/shell-hooks-allowlist.json", "~/.cursor", "~/.copilot", "~/.qwen", "~/.kimi", "~/.continue", "~/.aider.conf.yml", "~/.config/goose", "~/.amp",
	".claude/settings*.json", ".claude/hooks", ".mcp.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".gemini/policies", "opencode.json", "opencode.jsonc", ".opencode", ".cursor/hooks.json", ".cursor/mcp.json", ".vscode/mcp.json", ".github/hooks", ".qwen/settings.json", ".hermes/config.yaml",
}
