//go:build unix

package main

// One home under test, driven from outside.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent"
	"assent/config"
)

// gate is a home of its own, and the environment of the programs that use it.
type gate struct {
	*testing.T
	dir  string // the test's own
	home string // assent's
	env  []string
	as   *syscall.Credential // nil = as this test
}

func newGate(t *testing.T, file ...string) *gate {
	t.Helper()
	dir, err := os.MkdirTemp("", "gate-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	g := &gate{T: t, dir: dir, home: filepath.Join(dir, ".assent")}
	g.env = []string{"HOME=" + dir, "PATH=" + bin + ":" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	g.try(os.Mkdir(g.home, 0o700))
	g.write("config.yaml", strings.Join(file, "\n"))
	return g
}

// try ends the test on an error.
func (g *gate) try(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *gate) path(name string) string { return filepath.Join(g.home, name) }

func (g *gate) write(name, text string) {
	g.Helper()
	g.try(os.WriteFile(g.path(name), []byte(text), 0o600))
}

// said is what one program printed, how it ended, and after how long.
type said struct {
	out, err string
	code     int
	took     time.Duration
}

func (s said) String() string {
	return fmt.Sprintf("exit %d after %s\n%s%s", s.code, s.took.Round(time.Millisecond), s.out, s.err)
}

// command is a program in the home's environment, ended after a minute.
func (g *gate) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	g.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = g.env, g.dir, time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // with what an agent started
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: g.as}
	return cmd
}

// begin starts a program and returns what waits for its end.
func (g *gate) begin(in io.Reader, name string, args ...string) (end func() said) {
	g.Helper()
	cmd := g.command(name, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &errs
	start := time.Now()
	g.try(cmd.Start())
	return func() said {
		_ = cmd.Wait()
		return said{out.String(), errs.String(), cmd.ProcessState.ExitCode(), time.Since(start)}
	}
}

// assent runs one command of assent's to its end.
func (g *gate) assent(args ...string) said {
	g.Helper()
	return g.begin(nil, "assent", args...)()
}

// must runs one command of assent's that has to end well.
func (g *gate) must(args ...string) string {
	g.Helper()
	s := g.assent(args...)
	if s.code != 0 {
		g.Fatalf("assent %s: %s", strings.Join(args, " "), s)
	}
	return s.out
}

// payload is what Claude Code tells its hook of one command.
func payload(command, call string) io.Reader {
	raw, err := json.Marshal(map[string]any{
		"session_id": "s1", "cwd": "/w", "hook_event_name": "PreToolUse", "permission_mode": "default",
		"tool_name": "Bash", "tool_input": map[string]string{"command": command}, "tool_use_id": call,
	})
	if err != nil {
		panic(err)
	}
	return bytes.NewReader(raw)
}

// hook begins the hook of one command, as an agent does.
func (g *gate) hook(command, call string) (end func() said) {
	g.Helper()
	return g.begin(payload(command, call), "agent", "assent", "hook", "claude", "--event", "PreToolUse")
}

// told is what the agent was told: a decision, and why.
func (g *gate) told(s said) (decision, reason string) {
	g.Helper()
	var a struct {
		Hook struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(s.out), &a); err != nil || s.code != 0 || strings.Count(s.out, "\n") != 1 {
		g.Fatalf("%v: %s", err, s)
	}
	return a.Hook.Decision, a.Hook.Reason
}

// denied checks that the call was denied for a reason and within a time, in one
// sentence.
func (g *gate) denied(s said, why string, within time.Duration) {
	g.Helper()
	if decision, reason := g.told(s); decision != "deny" || !strings.Contains(reason, why) || s.took > within {
		g.Errorf("want a denial that says %q within %s: %s", why, within, s)
	}
}

// server is a running assent serve.
type server struct {
	*exec.Cmd
	ended chan struct{}
}

// serve starts a server and returns once it answers. What it complains of goes
// into serve.err.
func (g *gate) serve() *server {
	g.Helper()
	s := &server{Cmd: g.command("assent", "serve"), ended: make(chan struct{})}
	errs, err := os.Create(g.path("serve.err"))
	g.try(err)
	defer errs.Close()
	s.Stderr = errs
	g.try(s.Start())
	go func() {
		defer close(s.ended)
		_ = s.Wait()
	}()
	g.Cleanup(s.kill)
	g.until("a server", func() bool { return g.health() == nil })
	return s
}

func (g *gate) health() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := config.Home{Dir: g.home}.Client().Health(ctx)
	return err
}

// kill ends the server as kill -9 does.
func (s *server) kill() {
	_ = s.Process.Kill()
	<-s.ended
}

// until waits for a condition.
func (g *gate) until(what string, met func() bool) {
	g.Helper()
	for end := time.Now().Add(30 * time.Second); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			g.Fatalf("in vain: %s", what)
		}
	}
}

// await waits until n requests are pending.
func (g *gate) await(n int) {
	g.Helper()
	g.until(fmt.Sprintf("%d pending requests", n), func() bool { return len(g.pending()) == n })
}

func (g *gate) pending() (list []assent.Request) {
	g.Helper()
	g.try(json.Unmarshal([]byte(g.must("requests", "--json")), &list))
	return list
}

// key makes an approver key and returns its file.
func (g *gate) key() string {
	g.Helper()
	g.must("keys", "create")
	return g.path("me.key")
}
