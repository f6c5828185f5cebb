package reach

// The table: programs whose arguments are programs, code, or things to be
// destroyed.

// how says when the arguments of a program leave it open what runs.
type how int

const (
	always how = iota // whatever stands before
	code              // until the file, the text or the module is named
	first             // until the first argument is named
	sub               // behind these subcommands, until what they run is named
	group             // behind these subcommands, whatever follows
)

type row struct {
	how   how
	names string
	subs  string
	does  string // the end of a sentence that begins with the program
}

const (
	runsCode    = "runs the code that its arguments give it"
	runsProgram = "starts the program that its arguments name"
	runsScript  = "runs whatever script of the project its arguments name"
	fetchesCode = "fetches the package that its arguments name and runs it"
	runsInside  = "runs any command in any container, with what is mounted there"
	destroys    = "destroys what its arguments name"
)

var table = []row{
	{how: code, does: runsCode, names: "sh bash dash zsh ksh mksh ash rbash yash oksh fish csh tcsh pwsh powershell cmd nu xonsh elvish"},
	{how: code, does: runsCode, names: "python python2 python3 py pypy pypy3 ipython node nodejs tsx ts-node perl ruby irb php lua luajit tclsh expect Rscript R julia groovy scala kotlin java jshell osascript elixir iex erl escript ghci runghc runhaskell guile racket sbcl clisp swipl"},
	{how: always, does: runsCode, names: "eval source . awk gawk mawk nawk bc gdb lldb"},
	{how: always, does: "runs the statements that its arguments or its input give it", names: "psql mysql mariadb sqlite3 mongosh mongo redis-cli cqlsh clickhouse-client duckdb sqlcmd snowsql usql mycli pgcli cockroach"},

	{how: always, does: runsProgram, names: "env sudo doas su runuser exec command builtin nohup nice ionice timeout gtimeout time stdbuf setsid chrt taskset prlimit numactl chroot unshare nsenter flock strace ltrace setarch fakeroot unbuffer caffeinate systemd-run systemd-inhibit pkexec gosu su-exec xvfb-run dbus-run-session busybox toybox watch script xargs parallel entr at batch tmux screen start-stop-daemon firejail bwrap proot"},
	{how: always, does: "runs any command on another machine", names: "ssh mosh rsh sshpass pdsh ansible ansible-playbook"},
	{how: always, does: "starts programs and deletes files where its options say so", names: "find gfind fd fdfind"},
	{how: always, does: "writes files and starts programs where its script says so", names: "sed gsed"},
	{how: always, does: "starts any program from inside", names: "vi vim nvim view ex ed emacs emacsclient"},

	{how: first, does: fetchesCode, names: "npx bunx pnpx uvx"},
	{how: first, does: "runs whatever target of the project its arguments name", names: "make gmake just task mage invoke rake ant gradle gradlew mvn mvnw ninja tox nox"},
	{how: sub, does: runsScript, names: "npm", subs: "run run-script exec x explore init create"},
	{how: sub, does: runsScript, names: "pnpm", subs: "run run-script exec dlx create"},
	{how: sub, does: runsScript, names: "yarn", subs: "run exec dlx node create"},
	{how: group, does: runsCode, names: "bun", subs: "test exec repl"},
	{how: sub, does: runsScript, names: "bun", subs: "run x create"},
	{how: group, does: runsCode, names: "deno", subs: "test bench eval repl jupyter"},
	{how: sub, does: runsCode, names: "deno", subs: "run task serve x install"},
	{how: sub, does: runsProgram, names: "uv poetry pipenv pdm rye hatch conda mamba micromamba", subs: "run"},
	{how: sub, does: fetchesCode, names: "pipx", subs: "run"},
	{how: sub, does: runsProgram, names: "bundle direnv aws-vault op doppler infisical", subs: "exec run"},
	{how: sub, does: runsProgram, names: "mise rtx asdf pyenv rbenv nodenv sops chamber devbox nix pixi", subs: "exec x run r exec-env exec-file shell develop"},
	{how: sub, does: runsCode, names: "go", subs: "run generate tool"},
	{how: group, does: runsCode, names: "cargo dotnet swift", subs: "run exec script"},
	{how: sub, does: runsScript, names: "nx turbo lerna rush wireit", subs: "run exec affected"},
	{how: group, does: "starts programs where its options and its configuration say so", names: "git", subs: "config bisect filter-branch submodule difftool mergetool"},

	{how: group, does: runsInside, names: "docker podman nerdctl", subs: "run exec create"},
	{how: group, does: runsInside, names: "docker-compose podman-compose", subs: "run exec"},
	{how: group, does: runsInside, names: "kubectl oc k", subs: "exec run debug"},
	{how: group, does: runsInside, names: "crictl ctr lxc incus distrobox toolbox limactl colima", subs: "exec run shell enter ssh"},
	{how: group, does: "runs any command on another machine", names: "vagrant minikube heroku fly flyctl multipass wsl", subs: "ssh exec run"},

	{how: always, does: destroys, names: "rm grm unlink shred srm rimraf dd truncate wipefs blkdiscard fdisk sfdisk sgdisk parted mkfs mkswap mke2fs newfs diskutil"},
}
