package analyze

// Persistence: what makes code run again later, and what changes how agents
// are configured.

import "assent"

var persistence = assent.Analyzer{
	Name:  "persistence",
	Doc:   "Says what makes code run again later: schedules, start-up files, hooks, login keys.",
	Codes: []string{"persist"},
	Run: func(c assent.Case) []assent.Finding {
		out := match("persistence", c, persistRules)
		return append(out, touching(c, "persistence", "persist", persistSpots, "It changes %s, which makes code run later or lets somebody in.")...)
	},
}

var persistSpots = []spot{
	"~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.profile", "~/.zshrc", "~/.zprofile", "~/.zshenv", "~/.zlogin", "~/.kshrc", "~/.inputrc", "~/.xinitrc", "~/.xsession", "~/.xprofile", "~/.pam_environment",
	"~/.config/fish", "~/.config/autostart", "~/.config/systemd", "~/.local/share/systemd", "~/.config/environment.d", "~/Library/LaunchAgents",
	"~/.ssh/authorized_keys*", "~/.ssh/rc", "~/.ssh/config", "~/.ssh/environment", "~/.gitconfig", "~/.config/git", "~/.vimrc", "~/.tmux.conf", "~/.pythonrc*",
	"/etc/cron*", "/var/spool/cron", "/etc/anacrontab", "/etc/systemd", "/usr/lib/systemd", "/lib/systemd", "/run/systemd", "/etc/init.d", "/etc/rc*", "/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh*", "/etc/environment", "/etc/ld.so.preload", "/etc/ld.so.conf*", "/etc/sudoers", "/etc/sudoers.d", "/etc/pam.d", "/etc/udev", "/etc/ssh", "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hosts", "/Library/LaunchDaemons", "/Library/LaunchAgents", "/etc/xdg/autostart",
	".git/hooks",
}

const later = "It makes code run later, or changes what does."

var persistRules = []rule{
	{prog: "crontab", not: "-l", code: "persist", note: later},
	{prog: "at batch", not: "-l -c -V", code: "persist", note: later},
	{prog: "systemctl", sub: "enable|link|add-wants|add-requires|edit", code: "persist", note: later},
	{prog: "launchctl", sub: "load|bootstrap|enable|submit", code: "persist", note: later},
	{prog: "update-rc.d chkconfig", sub: "*", code: "persist", note: later},
	{prog: "ssh-copy-id", sub: "*", code: "persist", note: "It lets a key log in to another machine."},
	{prog: "git", sub: "config core.hooksPath|core.fsmonitor|core.sshCommand|core.pager|core.editor|alias.* *", code: "persist", note: "It has Git start a program of the caller's choice from now on."},
}

var agentConfig = assent.Analyzer{
	Name:  "agentconfig",
	Doc:   "Says what changes the settings, hooks and tools of an agent.",
	Codes: []string{"agent.config"},
	Run: func(c assent.Case) []assent.Finding {
		out := match("agentconfig", c, agentRules)
		return append(out, touching(c, "agentconfig", "agent.config", agentSpots, "It changes %s, which says what an agent may do.")...)
	},
}

var agentSpots = []spot{
	"~/.claude.json", "~/.claude/settings*.json", "~/.claude/hooks", "~/.claude/plugins", "~/.claude/agents", "/etc/claude-code", "/Library/Application Support/ClaudeCode",
	"~/.codex", "/etc/codex", "~/.gemini", "/etc/gemini-cli", "~/.config/opencode", "~/.opencode", "~/.hermes/config.yaml", "~/.hermes/hooks", "~/.hermes/plugins", "~/.hermes/.env", "~/.hermes/shell-hooks-allowlist.json", "~/.cursor", "~/.copilot", "~/.qwen", "~/.kimi", "~/.continue", "~/.aider.conf.yml", "~/.config/goose", "~/.amp",
	".claude/settings*.json", ".claude/hooks", ".mcp.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".gemini/policies", "opencode.json", "opencode.jsonc", ".opencode", ".cursor/hooks.json", ".cursor/mcp.json", ".vscode/mcp.json", ".github/hooks", ".qwen/settings.json", ".hermes/config.yaml",
}

var agentRules = []rule{
	{prog: "claude", sub: "mcp add|remove|add-json|add-from-claude-desktop|reset-project-choices", code: "agent.config", note: "It changes which tools Claude Code has."},
	{prog: "claude", sub: "config set|add|remove", code: "agent.config", note: "It changes the settings of Claude Code."},
	{prog: "claude codex gemini", opt: "--dangerously-skip-permissions --allow-dangerously-skip-permissions --dangerously-bypass-approvals-and-sandbox --yolo", code: "agent.config", note: "It starts an agent that asks nobody."},
	{prog: "codex gemini qwen", sub: "mcp add|remove", code: "agent.config", note: "It changes which tools an agent has."},
}
