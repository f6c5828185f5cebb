package analyze

// Secrets: keys, tokens and passwords that are read.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var secrets = assent.Analyzer{
	Name:  "secrets",
	Doc:   "Says which keys, tokens and password files are read or replaced.",
	Codes: []string{"secret.read", "secret.write"},
	Run: func(c assent.Case) []assent.Finding {
		if full, changes, ok := toolPath(c); ok {
			if !changes && secret(full, c.Places) {
				return []assent.Finding{secretFinding(full, assent.Span{})}
			}
			return touching(c, "secrets", "secret.write", keySpots, "It changes %s, which holds secrets.")
		}
		out := touching(c, "secrets", "secret.write", keySpots, "It changes %s, which holds secrets.")
		each(c, func(cmd assent.Command) {
			shownBy(cmd, func(w assent.Word) {
				full, known := secretPath(cmd, w, c.Places)
				if known || slices.Contains(packers, cmd.Name) && w.Known && above(full, secretSpots, c.Places) {
					out = append(out, secretFinding(full, cmd.Span))
				}
			})
		})
		return out
	},
}

// secretSpots hold credentials.
var secretSpots = []spot{
	"~/.ssh", "~/.aws/credentials", "~/.aws/sso", "~/.aws/cli/cache", "~/.azure", "~/.config/gcloud", "~/.kube/config",
	"~/.docker/config.json", "~/.netrc", "~/_netrc", "~/.pgpass", "~/.my.cnf", "~/.npmrc", "~/.yarnrc.yml", "~/.pypirc",
	"~/.git-credentials", "~/.config/git/credentials", "~/.config/gh/hosts.yml", "~/.config/hub", "~/.gnupg", "~/.vault-token",
	"~/.cargo/credentials*", "~/.gem/credentials", "~/.terraform.d/credentials.tfrc.json", "~/.config/op", "~/.password-store",
	"~/.local/share/keyrings", "~/Library/Keychains", "~/.mozilla/firefox", "~/.config/google-chrome", "~/.config/chromium",
	"~/Library/Application Support/Google/Chrome", "~/.claude/.credentials.json", "~/.codex/auth.json", "~/.gemini/oauth_creds.json",
	"~/.hermes/.env", "~/.hermes/auth.json", "~/.oci", "~/.config/age", "~/.config/doctl", "~/.fly/config.yml", "~/.config/rclone", "~/.s3cfg", "~/.boto",
	"/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/master.passwd", "/etc/ssh/ssh_host_*_key", "/run/secrets", "/var/run/secrets", "/etc/kubernetes/admin.conf",
	"/proc/*/environ",
	"id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".env", ".env.*", ".netrc", ".pgpass", ".git-credentials", "*.kdbx", "*.p12", "*.pfx",
}

// keySpots hold credentials that nobody writes by hand.
var keySpots = []spot{"~/.ssh/id_*", "~/.ssh/config", "~/.ssh/authorized_keys", "~/.aws", "~/.azure", "~/.config/gcloud", "~/.config/gh", "~/.kube/config", "~/.docker/config.json", "~/.docker/token", "~/.netrc", "~/.pgpass", "~/.git-credentials", "~/.gnupg", "~/.npmrc", "~/.pypirc", "~/.vault-token", "~/.cargo/credentials*", "/etc/shadow", "/etc/gshadow"}

// packers take whole directories along.
var packers = []string{"tar", "zip", "7z", "cp", "rsync", "scp", "bsdtar", "gtar", "mv"}

// openSpots lie where secrets lie and are none.
var openSpots = []spot{"~/.ssh/known_hosts*", "~/.ssh/config", "~/.ssh/*.pub", "~/.ssh/authorized_keys", "*.pub",
	".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env.schema"}

func secret(full string, p assent.Places) bool {
	return anySpot(secretSpots, full, p) && !anySpot(openSpots, full, p)
}

func secretFinding(full string, span assent.Span) assent.Finding {
	return assent.Finding{By: "secrets", Code: "secret.read", Target: full, Note: "It reads " + full + ", which holds secrets.", Span: span}
}

// secretPath returns the secret file that a word names, if it does.
func secretPath(cmd assent.Command, w assent.Word, p assent.Places) (string, bool) {
	if !w.Known || w.Value == "" {
		return "", false
	}
	v := strings.TrimPrefix(w.Value, "@") // curl's file notation
	if _, after, ok := strings.Cut(v, "=@"); ok {
		v = after
	}
	full, _ := absolute(v, cmd.Dir, p)
	return full, secret(full, p)
}

// blind programs do not show what is in the files they are given.
var blind = []string{"ls", "ll", "stat", "test", "[", "chmod", "chown", "chgrp", "mkdir", "touch", "rm", "rmdir", "find", "fd", "du", "df", "file", "basename", "dirname", "realpath", "readlink", "ssh", "ssh-keygen", "ssh-add", "ssh-copy-id", "ssh-agent", "sftp", "source", ".", "tree", "wc", "git", "docker", "podman", "docker-compose", "sha256sum", "shasum", "md5sum", "lsattr", "chattr", "tee", "trash", "unlink", "sha1sum", "shred", "eza", "exa"}

// shownBy calls f for the words of a command that it may show the content of.
func shownBy(cmd assent.Command, f func(assent.Word)) {
	for _, r := range cmd.Redirects {
		if r.Op == "<" {
			f(r.Target)
		}
	}
	if talks(cmd) || slices.Contains(blind, cmd.Name) {
		return
	}
	args := cmd.Args
	switch {
	case cmd.Name == "cp" || cmd.Name == "mv" || cmd.Name == "ln" || cmd.Name == "install":
		ops := programs.Read(cmd).Operands
		args = ops[:max(0, len(ops)-1)]
	case cmd.Name == "scp" || cmd.Name == "rsync":
		args = programs.Read(cmd).Operands
	case slices.Contains(searchers, cmd.Name):
		args = programs.Read(cmd).Operands
		args = args[min(1, len(args)):]
	}
	for _, w := range args {
		if cmd.Name == "dd" {
			w.Value = strings.TrimPrefix(w.Value, "if=")
		}
		if strings.HasPrefix(w.Value, "-") && strings.Contains(w.Value, "=") {
			_, w.Value, _ = strings.Cut(w.Value, "=")
		}
		f(w)
	}
}
