//go:build unix

package main

// What every test here needs: the program as it is built for people, and an agent
// that runs it.

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"assent/internal/child"
	"assent/internal/peer"
)

// bin holds the programs under test: assent, and this test program as "agent".
var bin string

func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "agent":
		os.Exit(playAgent(os.Args[1:]))
	case "agent-itself":
		os.Exit(beAgent(os.Args[1:]))
	case "doors":
		os.Exit(tryDoors())
	case "impostor":
		os.Exit(listenAs(os.Args[1]))
	}
	if self, err := os.Executable(); err == nil && peer.Self().TTY != 0 {
		os.Exit(runApart(self, os.Args[1:])) // whoever has a terminal could answer without a key
	}
	os.Exit(build(m))
}

func build(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "assent-cmd-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	if err := errors.Join(os.Chmod(bin, 0o755), buildAssent(), copySelf()); err != nil { // some tests run as another user
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil { // most of them wait for processes
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func buildAssent() error {
	cmd := exec.Command("go", "build", "-o", filepath.Join(bin, "assent"), ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// copySelf makes this test program the agent.
func copySelf() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	agent := filepath.Join(bin, "agent")
	return errors.Join(os.WriteFile(agent, raw, 0o755), os.Link(agent, agent+"-itself"), os.Link(agent, filepath.Join(bin, "doors")), os.Link(agent, filepath.Join(bin, "impostor")))
}

// playAgent starts the agent itself, in a session of its own: what shares one
// with an agent could not answer it.
func playAgent(args []string) int {
	return runApart(filepath.Join(filepath.Dir(os.Args[0]), "agent-itself"), args)
}

// runApart runs a program in a session of its own. When it is told to end, so is
// everything that the program started.
func runApart(name string, args []string) int {
	cmd := passing(name, args...)
	cmd.SysProcAttr = child.Apart()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return failed(err)
	}
	go func() {
		<-ended
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}()
	return code(cmd, cmd.Wait())
}

// beAgent runs what an agent runs, as its child.
func beAgent(args []string) int {
	cmd := passing(args[0], args[1:]...)
	return code(cmd, cmd.Run())
}

// passing is a command with this program's input and output.
func passing(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

func code(cmd *exec.Cmd, err error) int {
	if cmd.ProcessState == nil {
		return failed(err)
	}
	return cmd.ProcessState.ExitCode()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "agent:", err)
	return 127
}
