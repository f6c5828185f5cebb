package analyze

// What variables mean: which have other code run, which lead elsewhere, which switch
// checks off.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

// starters are variables whose value is code, a library or a file that other
// programs run first, whatever it is.
var starters = []string{"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_FORCE_FLAT_NAMESPACE", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS0", "PERL5OPT", "PERL5DB", "PYTHONSTARTUP", "PYTHONBREAKPOINT", "PYTHONINSPECT", "GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "SSH_ASKPASS", "SUDO_ASKPASS", "LESSOPEN", "LESSCLOSE", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "MANPAGER", "CHROME_WRAPPER", "NPM_CONFIG_SCRIPT_SHELL", "npm_config_script_shell", "NPM_CONFIG_NODE_OPTIONS", "CORECLR_PROFILER_PATH", "DOTNET_STARTUP_HOOKS", "PHPRC", "PHP_INI_SCAN_DIR", "VIMINIT", "EXINIT", "GTK_MODULES", "QT_PLUGIN_PATH", "GCONV_PATH", "LOCPATH", "NLSPATH", "GETCONF_DIR", "HOSTALIASES", "BASH_LOADABLES_PATH", "RIPGREP_CONFIG_PATH", "KUBECTL_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS", "MAKEFILES"}

// flags are variables with options, and the parts of them that load other code.
var flags = []struct{ name, parts string }{
	{"RUBYOPT", "-r -I"}, {"NODE_OPTIONS", "--require -r --import --loader --experimental-loader --inspect --openssl-config"},
	{"JAVA_TOOL_OPTIONS", "-javaagent -agentlib -agentpath -Xbootclasspath -XX:OnError -XX:OnOutOfMemoryError"}, {"_JAVA_OPTIONS", "-javaagent -agentlib -agentpath -Xbootclasspath"}, {"JDK_JAVA_OPTIONS", "-javaagent -agentlib -agentpath @"}, {"JAVA_OPTS", "-javaagent -agentpath"}, {"MAVEN_OPTS", "-javaagent -agentpath"}, {"GRADLE_OPTS", "-javaagent -agentpath"}, {"CATALINA_OPTS", "-javaagent -agentpath"},
	{"CFLAGS", "-fplugin -specs -wrapper -B/"}, {"CXXFLAGS", "-fplugin -specs -wrapper -B/"}, {"CPPFLAGS", "-fplugin -specs"}, {"LDFLAGS", "-Wl,-plugin -Wl,--dynamic-linker -fuse-ld=/"}, {"CC", "-fplugin -specs -wrapper"}, {"CXX", "-fplugin -specs -wrapper"}, {"RUSTFLAGS", "-Clinker=/ linker=/ -Zcodegen-backend"},
	{"GOFLAGS", "-toolexec -exec -overlay -vettool"}, {"GOTOOLCHAIN", "/ . ~"}, {"MANOPT", "-P --pager -H --html -C --config-file"}, {"FZF_DEFAULT_OPTS", "--preview --bind --listen --with-shell"}, {"TF_CLI_ARGS", "-chdir -plugin-dir -from-module -backend -auto-approve -destroy -var -lock"}, {"TAR_OPTIONS", "--checkpoint-action --to-command --use-compress-program -I --rsh-command --create --extract --file --info-script -F --absolute-names -P"}, {"RSYNC_RSH", ""}, {"GREP_OPTIONS", "--file -f"}, {"LESS", "+!"}, {"MAKEFLAGS", "--eval SHELL= -f --file --makefile"}, {"BUNDLE_GEMFILE", "/tmp /dev/shm"}, {"PYTEST_ADDOPTS", "-p --rootdir"}, {"PYTEST_PLUGINS", ""},
}

// searchPaths are variables with places in which programs look for their parts.
var searchPaths = []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "PYTHONPATH", "PYTHONHOME", "NODE_PATH", "PERL5LIB", "RUBYLIB", "CLASSPATH", "GEM_PATH", "GEM_HOME", "LUA_PATH", "LUA_CPATH", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "ZDOTDIR", "GIT_DIR", "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "CC", "CXX", "LD", "AR", "AS", "RUSTC", "CARGO", "PYTHON", "SHELL", "MAKE", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "PAGER", "GIT_PAGER", "BROWSER", "JAVA_HOME", "GOROOT", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_HOME", "INPUTRC", "TERMINFO", "CDPATH", "KRB5_CONFIG", "MYSQL_HOME", "PIP_CONFIG_FILE", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_PREFIX"}

// configs are variables with a place where programs find settings that can have
// them start others.
var configs = []string{"HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "KUBECONFIG", "HELM_PLUGINS", "PSQLRC", "DOCKER_CONFIG"}

// unsettled reports whether one of the places in a value is not known, depends on
// where programs are started, or is one where every user may write.
func unsettled(w assent.Word, p assent.Places) bool {
	for part := range strings.SplitSeq(likely(w), ":") {
		full, known := absolute(part, "", p)
		switch {
		case part == "" || harmless(full) || known && assent.Under(full, home(p)):
		case !known && full != "~" && !strings.HasPrefix(full, "~/"), strings.Contains(full, "*"), temporary(full), slices.Contains(tempTrees, full):
			return true
		}
	}
	return false
}

// gitPlain are sections of git's settings, and settings, that start nothing.
var gitPlain = []string{"user", "author", "committer", "color", "advice", "safe", "pull", "push", "commit", "rebase", "fetch", "log", "branch", "gc", "maintenance", "init.defaultbranch", "core.autocrlf", "core.quotepath", "core.longpaths", "core.filemode"}

// gitStarts reports whether a setting of git, given by a variable, can be one
// that has another program started.
func gitStarts(name string, w assent.Word) bool {
	if !strings.HasPrefix(name, "GIT_CONFIG_KEY_") {
		return false
	}
	key := strings.ToLower(w.Value)
	section, _, _ := strings.Cut(key, ".")
	return !w.Known || !slices.Contains(gitPlain, section) && !slices.Contains(gitPlain, key)
}

// commanders are variables whose value is a command of the user's choice: plain
// programs are, a command line is more than that.
var commanders = []string{"EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "PAGER", "GIT_PAGER", "BROWSER", "SHELL", "MAKESHELL", "FCEDIT", "SYSTEMD_PAGER", "AWS_PAGER", "GH_PAGER", "DELTA_PAGER", "BAT_PAGER", "PSQL_PAGER", "GH_BROWSER"}

func loads(name, value string) bool {
	for _, f := range flags {
		if f.name != name && (f.name != "TF_CLI_ARGS" || !strings.HasPrefix(name, "TF_CLI_ARGS_")) {
			continue
		}
		for field := range strings.FieldsSeq(value) {
			for part := range strings.SplitSeq(f.parts, " ") {
				if strings.HasPrefix(field, part) {
					return true
				}
			}
		}
	}
	return false
}

// commandLine reports whether a value is more than the name of a program and
// its options.
func commandLine(v string) bool {
	return strings.ContainsAny(v, ";|&$`<>(") || strings.Contains(v, " -c ") || strings.Contains(v, " -e ")
}

// elsewhereIn reports whether one of the places of a search path is one where
// every user may write, or depends on where programs are started.
func elsewhereIn(name, value string, p assent.Places) bool {
	for part := range strings.SplitSeq(value, ":") {
		switch full, known := absolute(part, "", p); {
		case known && (temporary(full) || slices.Contains(tempTrees, full)) && !assent.Under(full, "/tmp/TMPDIR"):
			return true
		case name == "PATH" && (part == "." || part == ".." || part == "" && strings.Contains(value, "::")):
			return true
		case name == "LD_LIBRARY_PATH" && part != "" && part != "*" && !path.IsAbs(part) && part[0] != '~' && part[0] != '*':
			return true
		}
	}
	return false
}

// forgets says how a variable keeps the shell from noting what was done.
func forgets(name, value string, known bool) string {
	off := false
	switch name {
	case "HISTFILE":
		off = known && (value == "" || harmless(value)) || strings.HasPrefix(value, "/tmp/")
	case "HISTSIZE", "HISTFILESIZE", "SAVEHIST":
		off = value == "0"
	case "HISTIGNORE":
		off = strings.Contains(value, "*")
	case "BASH_XTRACEFD":
		if value != "" && value != "1" && value != "2" {
			return "It has the shell write every command, with its values, to another place."
		}
	}
	if off {
		return "It sets " + name + " so that the shell does not note what was done."
	}
	return ""
}

// checks are variables that switch the checking of what comes from elsewhere
// off, and the values with which they do.
var checks = []struct{ name, values string }{
	{"GIT_SSL_NO_VERIFY", "1 true"}, {"NODE_TLS_REJECT_UNAUTHORIZED", "0"}, {"PYTHONHTTPSVERIFY", "0"}, {"DOCKER_CONTENT_TRUST", "0"}, {"DOCKER_TLS_VERIFY", "0"}, {"GONOSUMCHECK", "*"}, {"GONOSUMDB", "*"}, {"GOSUMDB", "off"}, {"GOINSECURE", "*"}, {"GOFLAGS", "-insecure"}, {"NPM_CONFIG_STRICT_SSL", "false"}, {"npm_config_strict_ssl", "false"}, {"YARN_ENABLE_STRICT_SSL", "false"}, {"PIP_TRUSTED_HOST", "*"}, {"COSIGN_SKIP_TLOG", "1 true"}, {"COSIGN_INSECURE_SKIP_TLOG_VERIFY", "1 true"}, {"HOMEBREW_NO_VERIFY_ATTESTATIONS", "1"}, {"AWS_CA_BUNDLE", ""}, {"REQUESTS_CA_BUNDLE", ""}, {"CURL_CA_BUNDLE", ""}, {"SSL_VERIFY", "0 false"}, {"VAULT_SKIP_VERIFY", "1 true"}, {"KUBERNETES_SKIP_TLS_VERIFY", "true"}, {"HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "true"}, {"TF_SKIP_PROVIDER_VERIFY", "1 true"}, {"SIGSTORE_NO_VERIFY", "1"}, {"OPENSSL_VERIFY", "0"}, {"CARGO_HTTP_CHECK_REVOKE", "false"}, {"NUGET_CERT_REVOCATION_MODE", "offline"},
}

func unverified(name, value string) string {
	for _, c := range checks {
		if c.name != name {
			continue
		}
		for v := range strings.SplitSeq(c.values, " ") {
			if v == value || v == "*" && value != "" {
				return "It sets " + name + " so that what comes from elsewhere is no longer checked."
			}
		}
	}
	return ""
}

// detours are variables that name a machine through which programs talk.
var detours = []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "RSYNC_PROXY", "GOPROXY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_PROXY", "NPM_CONFIG_HTTPS_PROXY", "YARN_REGISTRY", "CARGO_REGISTRIES_CRATES_IO_INDEX", "GEM_SOURCE", "HOMEBREW_BOTTLE_DOMAIN", "HF_ENDPOINT", "DOCKER_HOST", "CONTAINER_HOST", "KUBERNETES_MASTER", "AWS_ENDPOINT_URL", "VAULT_ADDR", "OPENAI_API_BASE", "OPENAI_API_HOST", "ANTHROPIC_API_URL", "ANTHROPIC_BEDROCK_BASE_URL", "AZURE_OPENAI_ENDPOINT", "GOOGLE_GEMINI_BASE_URL"}

// ordinary are the names, and their endings, of those whose machines these
// variables name when nobody sets them.
var ordinary = []struct{ name, ending string }{
	{"golang", "org"}, {"npmjs", "org"}, {"npmjs", "com"}, {"yarnpkg", "com"}, {"pypi", "org"}, {"crates", "io"}, {"rubygems", "org"},
	{"openai", "com"}, {"anthropic", "com"}, {"googleapis", "com"}, {"mistral", "ai"}, {"huggingface", "co"},
}

// usual reports whether a host belongs to one of them.
func usual(host string) bool {
	rest, ending := cutLast(host)
	_, name := cutLast(rest)
	for _, o := range ordinary {
		if o.name == name && o.ending == ending {
			return true
		}
	}
	return false
}

// cutLast splits a name at its last dot.
func cutLast(name string) (before, after string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(0, i)], name[i+1:]
}

// detour is the machine through which a variable leads what programs send; none
// when it is this machine, or the usual one.
func detour(name string, w assent.Word) string {
	up := strings.ToUpper(name)
	model := strings.HasSuffix(up, "_BASE_URL") && modelMaker(up)
	if !model && !slices.Contains(detours, up) {
		return ""
	}
	v := likely(w)
	if v == "direct" || v == "off" || strings.HasPrefix(v, "unix:") {
		return ""
	}
	v, _, _ = strings.Cut(v, ",")
	a, ok := parsed(v, true)
	switch {
	case !ok:
		return w.Text
	case loopback(a.host) && !model || usual(a.host):
		return ""
	}
	return a.host
}

// modelMaker reports whether a variable speaks of those who run models.
func modelMaker(name string) bool {
	return slices.ContainsFunc([]string{"ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE", "MISTRAL", "DEEPSEEK", "GROQ", "OPENROUTER", "LITELLM", "CLAUDE", "CODEX", "XAI", "COHERE", "TOGETHER", "QWEN", "MOONSHOT"}, func(m string) bool { return strings.Contains(name, m) })
}
