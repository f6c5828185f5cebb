package analyze

// Where secrets lie, and what lies beside them and is none.

// secretSpots hold credentials.
var secretSpots = at(
	"~/.ssh", "~/.aws/credentials", "~/.aws/sso", "~/.aws/cli/cache", "~/.azure", "~/.config/gcloud", "~/.kube/config",
	"~/.docker/config.json", "~/.config/containers/auth.json", "~/.netrc", "~/_netrc", "~/.pgpass", "~/.my.cnf", "~/.mylogin.cnf", "~/.npmrc", "~/.yarnrc.yml", "~/.pypirc", "~/.m2/settings*.xml", "~/.gradle/gradle.properties", "~/.nuget/NuGet/NuGet.Config", "~/.composer/auth.json", "~/.config/composer/auth.json", "~/.bundle/config",
	"~/.git-credentials", "~/.config/git/credentials", "~/.config/gh/hosts.yml", "~/.config/hub", "~/.config/glab-cli", "~/.gnupg", "~/.vault-token",
	"~/.cargo/credentials*", "~/.gem/credentials", "~/.config/*/credentials*", "~/.terraform.d/credentials.tfrc.json", "~/.terraformrc", "~/.pulumi/credentials.json", "~/.config/op", "~/.password-store", "~/.config/Bitwarden*", "~/.config/1Password", "~/.config/KeePass*", "~/.lastpass", "~/.config/gopass", "~/.config/sops/age", "~/.age", ".aws/credentials",
	"~/.local/share/keyrings", "~/.local/share/kwalletd", "~/Library/Keychains", "~/.mozilla/firefox", "~/.thunderbird", "~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware", "~/.config/microsoft-edge", "~/.config/vivaldi", "~/snap/firefox",
	"~/Library/Application Support/Google/Chrome", "~/Library/Application Support/Firefox", "~/Library/Application Support/BraveSoftware", "~/Library/Application Support/Microsoft Edge", "~/Library/Cookies", "~/Library/Safari", "~/Library/Messages", "~/Library/Mail", "~/AppData/Local/Google/Chrome", "~/AppData/Roaming/Mozilla",
	"~/.claude/.credentials.json", "~/.codex/auth.json", "~/.gemini/oauth_creds.json", "~/.config/gemini/credentials*", "~/.config/github-copilot", "~/.cursor/mcp.json", "~/.mcp/*token*", "~/.mcp-auth", "~/.local/share/opencode/auth.json",
	"~/.hermes/.env", "~/.hermes/auth.json", "~/.hermes/mcp-tokens", "~/.oci", "~/.config/age", "~/.config/doctl", "~/.fly/config.yml", "~/.config/rclone", "~/.s3cfg", "~/.boto", "~/.config/heroku", "~/.config/stripe", "~/.config/configstore", "~/.huggingface/token", "~/.cache/huggingface/token", "~/.kaggle/kaggle.json", "~/.databrickscfg", "~/.snowflake", "~/.snowsql/config", "~/.dbt/profiles.yml", "~/.ngrok2", "~/.config/ngrok", "~/.cloudflared", "~/.wrangler", "~/.config/filezilla", "~/.remmina", "~/.config/remmina", "~/.vnc/passwd", "~/.cert", "~/.ethereum/keystore", "~/.bitcoin", "~/.electrum", "~/.config/solana",
	"~/.bash_history", "~/.zsh_history", "~/.history", "~/.psql_history", "~/.mysql_history", "~/.python_history", "~/.node_repl_history", "~/.rediscli_history", "~/.local/share/fish/fish_history",
	"/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/master.passwd", "/etc/security/opasswd", "/etc/ssh/ssh_host_*_key", "/etc/ssl/private", "/etc/krb5.keytab", "/etc/wireguard", "/etc/openvpn", "/etc/ipsec.secrets", "/etc/ppp/*-secrets", "/etc/NetworkManager/system-connections", "/etc/wpa_supplicant*", "/run/secrets", "/var/run/secrets", "/etc/kubernetes", "/var/lib/kubelet/pki", "/etc/rancher/k3s/k3s.yaml", "/var/lib/docker", "/var/lib/rancher", "/etc/letsencrypt", "/etc/pki/tls/private", "/var/db/dslocal", "/private/etc/master.passwd",
	"/proc/*/environ", "/proc/*/mem", "/proc/*/fd", "/proc/*/maps", "/dev/input", "/dev/video*", "/proc/kcore", "/dev/mem", "/dev/kmem", "/proc/*/root", "environ", "/dev/vcs*",
	"id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "id_ed25519_sk", ".env", ".env.*", ".netrc", ".pgpass", ".git-credentials", ".htpasswd", ".pypirc", "*.kdbx", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.agekey", "*.keytab", "server.key", "private.key", "privkey*.pem", "*-key.pem", "*_key.pem", "*private*.pem", "secrets.yml", "secrets.yaml", "credentials.csv", "*accessKeys.csv", "rootkey.csv", ".dockercfg", ".s3cfg", "kubeconfig", "credentials.json", "service-account*.json", "service_account*.json", "client_secret*.json", "oauth_tokens.json", "*_oauth.json", "*.tfstate", "secrets.txt", "passwords.txt", "secrets.json", "master.key", "wp-config.php",
)

// keySpots hold credentials that nobody writes by hand.
var keySpots = at("~/.ssh/id_*", "~/.ssh/config", "~/.ssh/authorized_keys", "~/.ssh/known_hosts", "~/.aws", "~/.azure", "~/.config/gcloud", "~/.config/gh", "~/.kube", "~/.docker", "~/.netrc", "~/.pgpass", "~/.git-credentials", "~/.gnupg", "~/.npmrc", "~/.pypirc", "~/.vault-token", "~/.cargo/credentials*", "~/.password-store", "~/.config/op", "~/Library/Keychains", "/etc/shadow", "/etc/gshadow")

// dotenvs are written by hand, and read by what runs in a directory.
var dotenvs = at(".env", ".env.*")

// openSpots lie where secrets lie and are none.
var openSpots = at("~/.ssh/known_hosts*", "~/.ssh/config", "~/.ssh/*.pub", "~/.ssh/authorized_keys", "*.pub", "~/.azure/clouds.config", "~/.docker/daemon.json",
	".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env.schema", ".env.ci", ".env.test.example", "/proc/self/fd",
)

// toldSpots hold what agents were told and have answered, with the secrets in it.
var toldSpots = at(
	"~/.claude/projects", "~/.claude/history.jsonl", "~/.claude/transcripts", "~/.claude/sessions", "~/.claude/paste-cache", "~/.claude/file-history",
	"~/.codex/sessions", "~/.codex/history.jsonl", "~/.codex/log", "~/.gemini/tmp", "~/.gemini/history", "~/.qwen/tmp", "~/.local/share/opencode", "~/.local/share/crush", "~/.local/share/goose", "~/.config/goose/sessions",
	"~/.hermes/sessions", "~/.hermes/memories", "~/.hermes/state.db", "~/.hermes/logs", "~/.openclaw/agents", "~/.continue/sessions", "~/.aider.chat.history.md", ".aider.chat.history.md", ".aider.input.history",
	"~/.cursor/chats", "~/.cursor/projects", ".cursor/conversations", "state.vscdb", "globalStorage/storage.json", "~/.config/Cursor/User", "~/.config/Code/User/globalStorage", "~/Library/Application Support/Cursor/User", "~/Library/Application Support/Code/User/globalStorage",
	"memory.pkl", "agent_memory.*", "conversation_history.*", "conversations.json", "chat_history.*",
)
