package analyze

// Persistence: what makes code run again later, and what changes how agents
// are configured.

import (
	"slices"
	"strings"

	"assent"
)

var persistence = assent.Analyzer{
	Name:  "persistence",
	Doc:   "Says what makes code run again later: schedules, start-up files, hooks, build servers, login keys.",
	Codes: []string{"persist"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "persistence", "persist", persistSpots, "It changes %s, which makes code run later or lets somebody in.")
		each(c, func(cmd assent.Command) {
			if slices.Contains(cmd.Via, "systemd-run") && slices.ContainsFunc(wrapperOptions(c, cmd, "systemd-run"), timed) {
				out = append(out, assent.Finding{By: "persistence", Code: "persist", Note: "It has the system start " + cmd.Name + " later, or again and again.", Span: cmd.Span})
			}
		})
		return out
	},
}

// timed reports whether an option says when something is to be started.
func timed(option string) bool {
	return strings.HasPrefix(option, "--on-") || strings.HasPrefix(option, "--timer-property") || strings.HasPrefix(option, "--path-property") || strings.HasPrefix(option, "--socket-property")
}

var persistSpots = at(
	"~/.bashrc", "~/.bashrc.d", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.bash_aliases", "~/.bash_completion", "~/.profile", "~/.zshrc", "~/.zprofile", "~/.zshenv", "~/.zlogin", "~/.zlogout", "~/.zsh/.z*", "~/.oh-my-zsh", "~/.kshrc", "~/.mkshrc", "~/.cshrc", "~/.tcshrc", "~/.login", "~/.inputrc", "~/.xinitrc", "~/.xsession", "~/.xsessionrc", "~/.xprofile", "~/.Xresources", "~/.pam_environment", "~/.forward", "~/.procmailrc",
	"~/.config/fish", "~/.config/autostart", "~/.config/systemd", "~/.local/share/systemd", "~/.config/environment.d", "~/.config/upstart", "~/.config/plasma-workspace", "~/.kde*/Autostart", "~/Library/LaunchAgents", "~/Library/LaunchDaemons", "~/Library/Application Support/com.apple.backgroundtaskmanagementagent", "~/.local/share/dbus-1", "~/.local/share/applications", "~/.config/powershell", "~/.config/nushell",
	"~/.ssh/authorized_keys*", "~/.ssh/rc", "~/.ssh/config", "~/.ssh/config.d", "~/.ssh/environment", "~/.gitconfig", "~/.config/git", "~/.git-templates", "~/.vimrc", "~/.vim/plugin", "~/.vim/autoload", "~/.exrc", "~/.emacs", "~/.emacs.d", "~/.tmux.conf", "~/.screenrc", "~/.pythonrc*", "~/.gdbinit", "~/.lldbinit", "~/.irbrc", "~/.pryrc", "~/.Rprofile", "~/.psqlrc", "~/.sqliterc", "~/.nanorc", "~/.lesskey", "~/.wgetrc", "~/.curlrc", "~/.pip", "~/.config/pip", "~/.config/uv", "~/.pydistutils.cfg", "~/.condarc", "~/.gemrc", "~/.bundle/config", "~/.cargo/config*", "~/.m2/settings*.xml", "~/.gradle/init.gradle*", "~/.gradle/init.d", "~/.gradle/gradle.properties", "~/.config/composer", "~/.yarnrc*", "~/.bunfig.toml", "~/.config/NuGet", "~/.nuget/NuGet", "~/.config/go/env", "~/.config/direnv", "~/.envrc",
	"/etc/cron*", "/var/spool/cron", "/var/spool/at", "/etc/anacrontab", "/etc/systemd", "/usr/lib/systemd", "/usr/local/lib/systemd", "/lib/systemd", "/run/systemd", "/etc/init.d", "/etc/init", "/etc/rc*", "/etc/inittab", "/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/bash_completion.d", "/etc/zsh*", "/etc/zshrc", "/etc/skel", "/etc/environment", "/etc/environment.d", "/etc/ld.so.preload", "/etc/ld.so.conf*", "/etc/sudoers", "/etc/sudoers.d", "/etc/doas.conf", "/etc/pam.d", "/etc/security", "/etc/polkit-1", "/usr/share/polkit-1", "/etc/udev", "/lib/udev", "/usr/lib/udev", "/etc/ssh", "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/hosts.allow", "/etc/hosts.deny", "/etc/nsswitch.conf", "/etc/apt/apt.conf.d", "/etc/apt/sources.list*", "/etc/yum.repos.d", "/etc/modules*", "/etc/modprobe.d", "/etc/sysctl.*", "/etc/logrotate.d", "/etc/NetworkManager/dispatcher.d", "/etc/update-motd.d", "/etc/dbus-1", "/etc/X11/Xsession.d", "/etc/xdg/autostart", "/etc/ca-certificates*", "/usr/local/share/ca-certificates", "/etc/ssl/certs", "/etc/docker", "/etc/emond.d", "/etc/periodic", "/etc/launchd.conf", "/Library/LaunchDaemons", "/Library/LaunchAgents", "/Library/StartupItems", "/System/Library/LaunchDaemons",
	ciFiles,
	".git/hooks", ".git/config", ".git/modules", ".githooks", ".husky", ".pre-commit-config.yaml", "lefthook.yml",
	".github/workflows", ".github/actions", ".gitlab-ci.yml", ".circleci", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml", "bitbucket-pipelines.yml", ".drone.yml", ".buildkite", ".woodpecker*", "appveyor.yml", "cloudbuild.yaml", "buildspec.yml",
	".devcontainer", "devcontainer.json", ".vscode/tasks.json", ".vscode/launch.json", ".idea/runConfigurations", ".gitpod.yml", ".envrc",
	"site-packages", "dist-packages", "sitecustomize.py", "usercustomize.py",
)

var agentConfig = assent.Analyzer{
	Name:  "agentconfig",
	Doc:   "Says what changes the settings, hooks, memory and tools of an agent.",
	Codes: []string{"agent.config"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "agentconfig", "agent.config", agentSpots, "It changes %s, which says what an agent may do.")
		if len(c.Places.Guards) > 0 {
			out = append(out, touching(c, "agentconfig", "agent.config", at(c.Places.Guards...), "It changes %s, which guards what an agent does.")...)
		}
		each(c, func(cmd assent.Command) {
			if !talks(cmd) && slices.ContainsFunc(cmd.Args, fearless) {
				out = append(out, assent.Finding{By: "agentconfig", Code: "agent.config", Note: "It starts an agent that asks nobody.", Span: cmd.Span})
			}
		})
		return out
	},
}

// fearless reports whether a word is an option with which agents ask nobody.
func fearless(w assent.Word) bool {
	switch w.Value {
	case "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-auto-approve-everything", "--yolo", "--skip-permissions-unsafe", "--no-permissions", "--trust-all-tools", "--accept-hooks", "--allow-all-tools":
		return true
	}
	return false
}

var agentSpots = at(
	"~/.claude.json", "~/.claude/settings*.json", "~/.claude/hooks", "~/.claude/plugins", "~/.claude/agents", "~/.claude/commands", "~/.claude/skills", "~/.claude/rules", "~/.claude/CLAUDE.md", "~/.claude/.credentials.json", "~/.claude/projects/*/memory", "/etc/claude-code", "/Library/Application Support/ClaudeCode", "~/Library/Application Support/Claude", "~/.config/claude*",
	"~/.codex", "/etc/codex", "~/.gemini", "/etc/gemini-cli", "~/.config/gemini", "~/.config/opencode", "~/.opencode",
	"~/.hermes/config.yaml", "~/.hermes/hooks", "~/.hermes/plugins", "~/.hermes/.env", "~/.hermes/shell-hooks-allowlist.json", "~/.hermes/auth.json", "~/.hermes/.anthropic_oauth.json", "~/.hermes/mcp-tokens", "~/.hermes/pairing", "~/.hermes/SOUL.md",
	"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENT.md", "GEMINI.md", "SOUL.md", "MEMORY.md", "system_prompt*", "system-prompt*", "guardrails.*", "~/.hermes/memories", "~/.hermes/MEMORY.md", "~/.claude/output-styles", "~/.claude/memory",
	"~/.nah", "~/.config/nah", "~/.agentshield", ".agentshield", ".agentshield.yaml", "~/.cc-safety-net", ".safety-net.json", "~/.config/dcg", "~/.dcg", ".dcg.toml", "~/.config/tirith", "~/.tirith",
	"~/.cursor", "~/.copilot", "~/.config/github-copilot", "~/.qwen", "~/.kimi", "~/.continue", "~/.aider.conf.yml", "~/.config/goose", "~/.amp", "~/.config/amp", "~/.config/crush", "~/.openclaw", "~/.windsurf", "~/.codeium", "~/.cline", "~/.roo", "~/.kiro", "~/.agents", "~/.mcp", "~/.mcp.json", "~/.config/mcp", "~/.config/zed",
	".claude/settings*.json", ".claude/hooks", ".claude/agents", ".claude/commands", ".assent/rules.yaml", ".mcp.json", ".mcp", "mcp.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".gemini/policies", "opencode.json", "opencode.jsonc", ".opencode", ".cursor/hooks.json", ".cursor/mcp.json", ".cursor/rules", ".cursorrules", ".windsurfrules", ".clinerules", ".roo", ".kiro", ".vscode/settings.json", ".vscode/mcp.json", ".github/hooks", ".github/copilot-instructions.md", ".qwen/settings.json", ".hermes/config.yaml", ".continue", ".aider.conf.yml", ".amp", ".agent", ".agents",
)
