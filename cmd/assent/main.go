// Command assent decides what AI agents may do. Each file is one subcommand:
// flags and printing, nothing else.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"assent/config"
	"assent/serve"
	"assent/surface/terminal"
)

func main() {
	ctx, stop := context.Background(), func() {}
	if !isHook(os.Args[1:]) { // which is ended by its agent, and need not hear of it
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	}
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// isHook reports whether an agent waits for the answer of this process. Such a
// process does nothing that it need not: no other command is even built. Help is
// for people, who ask for nothing else: an agent would take it for no opinion.
func isHook(args []string) bool {
	return len(args) > 0 && args[0] == "hook" && !(len(args) == 2 && isHelp(args[1]))
}

func isHelp(arg string) bool { return arg == "-h" || arg == "--help" }

// run is the whole program; it returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer, env func(string) string) int {
	a := &app{args: args, in: in, out: out, err: errw, env: env, now: time.Now}
	if isHook(args) {
		return finish(errw, a.hook(ctx, args[1:]))
	}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	ran, err := root.ExecuteContextC(ctx)
	return finish(errw, seeHelp(ran, err))
}

// app is what every command works with.
type app struct {
	args     []string // of the command line
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	now      func() time.Time
	json     bool

	asked bool        // the doctor has asked the server what it goes by
	rules serve.Rules // what it said; zero: nothing
}

func (a *app) root() *cobra.Command {
	root := group(&cobra.Command{
		Use:           "assent",
		Short:         "assent decides what AI agents may do",
		Long:          "assent decides what AI agents may do: it judges their actions, asks you about the risky ones, and keeps a log that cannot be edited unnoticed.",
		SilenceUsage:  true,
		SilenceErrors: true,
	})
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%w", err) })
	a.versionFlag(root)
	if len(a.args) > 0 && a.args[0] == "exec" { // a program waits for its start: nothing else is built
		root.AddCommand(a.execCmd())
		root.SetHelpCommand(helpCmd())
		return root
	}
	root.AddCommand(
		a.serveCmd(), a.initCmd(), a.uninitCmd(), a.doctorCmd(), a.demoCmd(),
		a.requestsCmd(), a.showCmd(), a.approveCmd(), a.denyCmd(),
		a.grantsCmd(), a.revokeCmd(), a.keysCmd(),
		a.checkCmd(), a.rulesCmd(), a.hooksCmd(), a.approvalsCmd(), a.analyzersCmd(), a.logCmd(), a.execCmd(), a.mcpCmd(), a.versionCmd(), a.hookCmd(), a.reapCmd(),
	)
	root.SetHelpCommand(helpCmd())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if !c.Runnable() {
			group(c)
		}
		wrapArgs(c)
	}
	return root
}

// dial finds this user's assent: its server, or the store itself.
func (a *app) dial(ctx context.Context) (config.Assent, error) {
	h, err := config.Locate(a.env)
	if err != nil {
		return nil, err
	}
	return config.Dial(ctx, h, a.now)
}

// printJSON writes one value as one line of JSON, in which nothing that a terminal
// would obey stands as itself.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.out.Write(terminal.JSON(b.Bytes()))
	return err
}
