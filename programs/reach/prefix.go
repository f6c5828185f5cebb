package reach

// Where the subcommand of a command ends.

import "strings"

// Prefix returns how many of the words of a command, the program first, name what
// kind of thing it does: one for touch, two for git checkout, three for npm run
// dev. Options are no part of it, and nothing after them is.
func Prefix(words ...string) int {
	if len(words) == 0 {
		return 0
	}
	name := plain(words[0])
	if has(passing, name) && len(words) > 1 && !has(levels[2], name+"/"+words[1]) {
		return 1 + Prefix(words[1:]...)
	}
	want := depth(name, words[1:])
	n := 1
	for n < want && n < len(words) && !option(words[n]) {
		n++
	}
	return n
}

// depth is how many words name what a program does.
func depth(name string, args []string) int {
	switch {
	case len(args) > 0 && has(levels[2], name+"/"+args[0]), has(levels[1], name):
		return 3
	case has(levels[0], name), Interprets(name), strings.HasSuffix(name, "ctl"):
		return 2
	}
	return 1
}

// passing are programs that give the rest of their words to another program, and
// change only how its output looks.
const passing = "rtk"

// levels are programs with a subcommand; programs whose subcommand has a
// subcommand of its own; and subcommands of other programs that have one.
var levels = [3]string{
	"git hg svn jj npm pnpm yarn bun deno npx bunx pnpx uvx pip pip3 pipx uv poetry pipenv pdm hatch conda mamba gem bundle composer cargo rustup go dotnet swift mvn gradle make gmake just task rake nx turbo lerna ng hugo cmake bazel " +
		"docker podman nerdctl docker-compose kubectl oc helm kustomize skaffold minikube kind k3d eksctl crictl terraform tofu terragrunt pulumi cdk sam serverless sls sst consul vault nomad packer ansible-galaxy " +
		"brew apt apt-get dnf yum zypper apk pacman snap flatpak port systemctl journalctl service launchctl ufw tmux ip nmcli openssl gpg nvm pyenv rbenv nodenv volta asdf mise " +
		"fly flyctl heroku vercel netlify firebase wrangler railway supabase stripe sentry-cli cf mc wp django-admin rails artisan psql mysql mongosh redis-cli rtk",
	"aws az gcloud gh glab doctl oci linode-cli hcloud ibmcloud sfdx sf",
	"npm/run npm/run-script npm/exec npm/x npm/init npm/create npm/view npm/config npm/cache pnpm/run pnpm/exec pnpm/dlx yarn/run yarn/exec yarn/dlx bun/run bun/x bun/pm deno/task uv/run uv/pip uv/tool poetry/run pipx/run bundle/exec cargo/add cargo/run go/mod go/tool go/work composer/run " +
		"git/remote git/stash git/config git/worktree git/submodule git/bisect git/notes git/lfs git/flow " +
		"docker/compose docker/container docker/image docker/volume docker/network docker/builder docker/buildx docker/system docker/context docker/stack docker/service docker/swarm docker/secret podman/container podman/image podman/volume podman/network podman/pod podman/system podman/compose " +
		"kubectl/rollout kubectl/config kubectl/auth kubectl/kustomize kubectl/create kubectl/set oc/adm helm/repo helm/plugin helm/dependency terraform/workspace terraform/state pulumi/stack pulumi/config consul/kv consul/acl consul/services vault/kv vault/auth vault/secrets vault/token vault/policy eksctl/create eksctl/get eksctl/delete kind/create kind/get kind/delete " +
		"ip/addr ip/address ip/link ip/route ip/netns ip/rule openssl/req openssl/x509 openssl/s_client brew/services brew/bundle rustup/target rustup/toolchain fly/secrets heroku/config rtk/telemetry rails/db supabase/db firebase/functions snap/set mc/admin",
}

// everyday are subcommands that only look, or change nothing but their own project,
// so that it can be changed back; what they do besides has a fact of its own.
var everyday = []struct{ names, subs string }{
	{"git", "status log diff show blame fetch add commit stash branch tag switch checkout merge mv"},
	{"npm", "ci install ls outdated view test"}, {"pnpm yarn", "install list outdated why test"}, {"bun", "install outdated"},
	{"cargo", "build check test clippy fmt doc tree"}, {"go", "build test vet list fmt doc env"}, {"dotnet", "build test restore list"},
	{"docker podman", "ps images logs inspect build pull"}, {"kubectl oc", "get describe logs top explain"}, {"helm", "list status get template lint"},
	{"terraform tofu", "init validate plan fmt show output"}, {"pip pip3", "list show freeze check"}, {"uv", "sync lock tree"}, {"poetry", "install check show lock"},
	{"systemctl", "status is-active list-units show cat"}, {"brew", "list info search outdated"}, {"apt", "list show search"},
}

// Everyday returns the everyday subcommands of a program, each with its name.
func Everyday(program string) []string {
	name := plain(program)
	for _, e := range everyday {
		if !has(e.names, name) {
			continue
		}
		var out []string
		for sub := range strings.FieldsSeq(e.subs) {
			out = append(out, name+" "+sub)
		}
		return out
	}
	return nil
}
