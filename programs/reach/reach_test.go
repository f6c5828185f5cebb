package reach_test

// What is open and what is not, and where subcommands end.

import (
	"strings"
	"testing"

	"assent/programs/reach"
)

func TestOpenEnds(t *testing.T) {
	t.Parallel()
	for line, open := range map[string]bool{
		"": true, "zsh": true, "bash -c": true, "bash deploy.sh": false, "python3.12": true, "python manage.py": false, "python -m": true, "python -m pytest": false,
		"python -W": true, "/usr/bin/env": true, "sudo": true, "sudo -u root": true, "timeout 5": true, "xargs": true, "eval": true,
		"npx": true, "npx prettier": false, "npx --yes": true, "npm": true, "npm run": true, "npm run --silent": true, "npm run build": false, "npm ci": false, "npm test": false,
		"pnpm dlx": true, "yarn build": false, "bun": true, "bun test": true, "bun run": true, "bun run build": false, "deno run": true, "deno run main.ts": false, "deno fmt": false,
		"make": true, "make lint": false, "go": true, "go run": true, "go vet": false, "go run ./cmd/x": false, "cargo": true, "cargo build": false,
		"docker": true, "docker run": true, "docker run alpine": true, "docker ps": false, "docker compose": true, "docker compose exec": true, "docker compose logs": false, "docker container exec": true,
		"kubectl get": false, "kubectl exec": true, "git": true, "git status": false, "git config": true, "git -C": true,
		"ssh host": true, "find .": true, "awk": true, "psql shop": true, "rm": true, "rm build": true, "dd": true,
		"ls": false, "cat": false, "grep": false, "prog": false, "java -version": true, "node --version": false,
	} {
		if why := reach.Open(strings.Fields(line)...); (why != "") != open {
			t.Errorf("%q: open is %v, because it %q", line, !open, why)
		}
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "", "tool": "tool", "tool of mine": "tool", "cat notes.md": "cat",
		"git": "git", "git fetch origin": "git fetch", "git -C web fetch": "git", "git remote add origin x": "git remote add",
		"npm install left-pad": "npm install", "npm run build -- --watch": "npm run build", "yarn run e2e fast": "yarn run e2e",
		"gh pr view 7": "gh pr view", "gcloud compute instances list": "gcloud compute instances", "docker image ls -a": "docker image ls", "docker ps": "docker ps",
		"kubectl rollout status deploy/web": "kubectl rollout status", "kubectl get pods": "kubectl get", "rtk ls -la": "rtk ls", "rtk kubectl get pods": "rtk kubectl get",
		"python3.12 manage.py migrate": "python3.12 manage.py", "make all": "make all", "loginctl list-sessions": "loginctl list-sessions", "terraform state list x": "terraform state list",
	} {
		words := strings.Fields(line)
		if got := strings.Join(words[:reach.Prefix(words...)], " "); got != want {
			t.Errorf("%q: %q, not %q", line, got, want)
		}
	}
}

func TestWhatIsInterpreted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"bash": true, "/bin/sh": true, "python3": true, "python3.13": true, "node": true, "git": false, "sudo": false, "": false} {
		if reach.Interprets(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if name, why := reach.Fitting(func(p string) bool { return strings.HasPrefix(p, "bas") }); name != "bash" || why == "" {
		t.Errorf("%q, %q", name, why)
	}
	if name, _ := reach.Fitting(func(string) bool { return false }); name != "" {
		t.Error(name)
	}
}

// FuzzPrefix: no words make it panic, and it names some of them, at most all.
func FuzzPrefix(f *testing.F) {
	f.Add("rtk rtk npm run")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		if n := reach.Prefix(words...); n > len(words) || n == 0 && len(words) > 0 {
			t.Fatalf("%d of %q", n, words)
		}
		reach.Open(words...)
	})
}
