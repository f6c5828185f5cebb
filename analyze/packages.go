package analyze

// Packages that come from where nobody vouches for them, and files that say
// which code of others is installed.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var packages = assent.Analyzer{
	Name:  "packages",
	Doc:   "Says which packages are installed from where nobody vouches for them, or would be from then on.",
	Codes: []string{"pkg.foreign", "net.detour", "net.unverified", "code.trick"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "packages", "pkg.foreign", lockFiles, "It changes %s, which says what code of others is installed.", attribute, alias)
		each(c, func(cmd assent.Command) {
			code, note := foreign(cmd)
			if note == "" {
				code, note = configured(cmd)
			}
			if note == "" {
				code, note = weights(cmd)
			}
			if note != "" {
				out = append(out, assent.Finding{By: "packages", Code: code, Target: target(cmd), Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// lockFiles say which code of others is installed, by its fingerprints.
var lockFiles = at("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "bun.lock", "Cargo.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock", "Gemfile.lock", "composer.lock", "go.sum", "mix.lock", "Podfile.lock", "Package.resolved", "flake.lock", "pubspec.lock", "packages.lock.json", "gradle.lockfile", ".terraform.lock.hcl")

// installers are programs that install, and their words for it.
var installers = []struct{ programs, verbs string }{
	{"pip pip3 pipx uv", "install download tool run"}, {"npm pnpm yarn bun", "install i add dlx exec x ci"}, {"npx bunx uvx pnpx", ""}, {"gem", "install"}, {"cargo", "install add"}, {"go", "install get run"}, {"poetry pdm rye hatch", "add install"}, {"composer", "require global install"}, {"brew", "install tap"}, {"conda mamba micromamba", "install create"}, {"easy_install", ""}, {"luarocks cpan cpanm", "install"}, {"deno", "install run add"}, {"helm", "install upgrade repo plugin"}, {"code windsurf cursor codium", ""}, {"vsce", ""}, {"nix-env nix", "install run profile"}, {"snap", "install"}, {"dpkg rpm", ""},
}

// installer returns the program that installs, and its arguments, when a command
// installs something.
func installer(cmd assent.Command) (string, programs.Arguments, bool) {
	if strings.HasPrefix(cmd.Name, "python") {
		i := slices.IndexFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "pip" })
		if i < 1 || cmd.Args[i-1].Value != "-m" {
			return "", programs.Arguments{}, false
		}
		cmd.Name, cmd.Args = "pip", cmd.Args[i+1:]
	}
	a := programs.Read(cmd)
	name := cmd.Name
	for _, in := range installers {
		if !has(in.programs, name) {
			continue
		}
		verb := a.Word(0)
		if verb == "pip" || verb == "global" || verb == "plugin" || verb == "profile" { // uv pip install
			verb = a.Word(1)
		}
		return name, a, in.verbs == "" || has(in.verbs, verb)
	}
	return name, a, does(name, a, "pkg.install")
}

// foreign says that a package comes from where nobody vouches for it.
func foreign(cmd assent.Command) (code, note string) {
	name, a, ok := installer(cmd)
	if !ok {
		return "", ""
	}
	if a.Option("--trusted-host --custom-remote --allow-unauthenticated --no-gpg-check --nogpgcheck --force-yes --allow-untrusted") {
		return "pkg.foreign", "It installs without checking whom the package comes from."
	}
	for _, w := range slices.Concat(a.Operands, a.Values("install-extension find-links f e editable from with git server repository repo pin url")) {
		switch v := w.Value; {
		case elsewhereFrom(v):
			return "pkg.foreign", "It installs code straight from " + v + ", where nobody vouches for it."
		case strings.HasSuffix(v, ".vsix") || name == "dpkg" && strings.HasPrefix(v, "/tmp/"):
			return "pkg.foreign", "It installs the file " + v + ", which nobody vouches for."
		case misspelt(v):
			return "code.trick", "It installs " + v + ", which is a letter away from a well-known name."
		}
	}
	return "", ""
}

// weightFiles end the names of files in which models are kept.
var weightFiles = []string{".safetensors", ".gguf", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".onnx", ".h5", ".keras"}

// vouched are where those who make models publish them.
var vouched = []string{"huggingface.co", "pytorch.org", "tensorflow.org", "googleapis.com", "openaipublic.azureedge.net"}

// weights says that a model is fetched from where nobody vouches for it. Many kinds
// of such files run code when they are loaded.
func weights(cmd assent.Command) (code, note string) {
	if !slices.Contains(fetchers, cmd.Name) {
		return "", ""
	}
	for _, a := range addresses(cmd) {
		if a.host == "" || loopback(a.host) || slices.ContainsFunc(vouched, func(h string) bool { return a.host == h || strings.HasSuffix(a.host, "."+h) }) {
			continue
		}
		if slices.ContainsFunc(weightFiles, func(end string) bool { return strings.HasSuffix(a.path, end) }) {
			return "pkg.foreign", "It fetches a model from " + a.host + ", where nobody vouches for it."
		}
	}
	return "", ""
}

// elsewhereFrom reports whether a package is named by an address.
func elsewhereFrom(v string) bool {
	for _, start := range []string{"http://", "https://", "git+", "git://", "git@", "ssh://", "svn+", "hg+", "bzr+", "ftp://", "file:///tmp/", "github:", "gitlab:", "bitbucket:", "gist:"} {
		if strings.HasPrefix(v, start) {
			return true
		}
		if _, after, ok := strings.Cut(v, "@"); ok && strings.HasPrefix(after, start) {
			return true
		}
	}
	return false
}

// wellKnown are names of packages, and of those who publish them.
var wellKnown = []string{"anthropic", "anthropic-ai", "openai", "modelcontextprotocol", "microsoft", "google-cloud", "react", "react-dom", "lodash", "express", "axios", "webpack", "typescript", "eslint", "prettier", "next", "requests", "numpy", "pandas", "django", "flask", "urllib3", "boto3", "pytest", "setuptools", "cryptography", "tensorflow", "torch", "transformers", "langchain", "scikit-learn", "matplotlib", "beautifulsoup4", "colorama", "discord.py", "electron", "chalk", "commander", "cross-env", "dotenv", "jquery", "mongoose", "rails", "serde", "tokio"}

// misspelt reports whether a package's name, or that of its publisher, is one
// letter away from a well-known one.
func misspelt(v string) bool {
	v, _, _ = strings.Cut(strings.TrimPrefix(v, "@"), "/")
	v, _, _ = strings.Cut(v, "@")
	v = strings.ToLower(strings.TrimRight(v, "=<>~!0123456789."))
	if len(v) < 5 || slices.Contains(wellKnown, v) {
		return false
	}
	return slices.ContainsFunc(wellKnown, func(k string) bool { return len(k) > 5 && swapped(v, k) })
}

// swapped reports whether a is b with two neighbours the other way round, or
// with one letter doubled or left out of a double.
func swapped(a, b string) bool {
	switch len(a) - len(b) {
	case 0:
		for i := 0; i+1 < len(a); i++ {
			if a[i] != b[i] {
				return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
			}
		}
	case 1:
		return doubled(a, b)
	case -1:
		return doubled(b, a)
	}
	return false
}

func doubled(long, short string) bool {
	for i := 1; i < len(long); i++ {
		if long[i] == long[i-1] && long[:i]+long[i+1:] == short {
			return true
		}
	}
	return false
}

// configured says what a package manager's settings become: another source of
// packages, or no checks.
func configured(cmd assent.Command) (code, note string) {
	a := programs.Read(cmd)
	if cmd.Name == "curl" {
		for _, w := range a.Values("x proxy socks5 socks5-hostname preproxy") {
			if at, ok := parsed(likely(w), true); ok && !loopback(at.host) {
				return "net.detour", "It asks by way of " + at.host + "."
			}
		}
	}
	switch cmd.Name {
	case "npm", "pnpm", "yarn", "bun", "pip", "pip3", "poetry", "conda", "bundle", "composer", "uv":
		if a.Word(0) != "config" && a.Word(0) != "set" {
			return "", ""
		}
	case "go":
		if a.Word(0) != "env" || !a.Option("-w") {
			return "", ""
		}
	case "mvn", "mvnw", "gradle", "gradlew":
	default:
		return "", ""
	}
	for i, w := range cmd.Args {
		key, val, ok := strings.Cut(strings.TrimPrefix(w.Value, "-D"), "=")
		if !ok && i+1 < len(cmd.Args) {
			val = cmd.Args[i+1].Value
		}
		lower := strings.ToLower(key)
		switch {
		case (strings.HasSuffix(lower, "strict-ssl") || strings.HasSuffix(lower, "strictssl") || strings.HasSuffix(lower, "secure-http")) && val == "false", strings.HasSuffix(lower, "trusted-host"), strings.HasSuffix(lower, "ssl_verify") && strings.EqualFold(val, "false"), unverified(key, val) != "":
			return "net.unverified", "It sets " + key + " so that what comes from elsewhere is no longer checked."
		case strings.Contains(lower, "registry") || strings.Contains(lower, "index-url") || strings.Contains(lower, "proxy") || strings.Contains(lower, "repourl") || strings.Contains(lower, "repository"):
			if at, ok := parsed(val, false); ok && !loopback(at.host) && !usual(at.host) {
				return "net.detour", "It sets " + key + ", so that packages come from " + at.host + " from then on."
			}
		}
	}
	return "", ""
}
