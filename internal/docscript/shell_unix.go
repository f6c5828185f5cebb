//go:build unix

package docscript

// The shell that a page is typed into.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// mark ends the output of each command.
const mark = "--docscript-end--"

// look is how often the output of a background command is looked at.
const look = 20 * time.Millisecond

// Shell is one bash that keeps its directory and variables from step to step.
// It is for one goroutine.
type Shell struct {
	home  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	files []*os.File
	jobs  []*exec.Cmd // in the background
}

// Start starts a shell in the directory home, with this environment and nothing
// else. It ends with Close, and with ctx.
func Start(ctx context.Context, home string, env []string) (*Shell, error) {
	script, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	out, printed, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	cmd := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "/dev/fd/3")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = home, env, printed, printed
	cmd.ExtraFiles = []*os.File{script}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	s := &Shell{home: home, cmd: cmd, in: in, out: bufio.NewReader(out), files: []*os.File{script, printed, out}}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	_ = script.Close()
	_ = printed.Close()
	return s, nil
}

// Close ends the shell and all that was started in it.
func (s *Shell) Close() {
	for _, c := range append(s.jobs, s.cmd) {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	}
	_ = s.in.Close()
	for _, f := range s.files {
		_ = f.Close()
	}
}

// Do types one step's command and returns the lines it prints, with the home
// directory written as ~. A background command runs as in another terminal, in
// the home directory, and is watched until it has printed what the step wants,
// or ctx is done.
func (s *Shell) Do(ctx context.Context, step Step) ([]string, error) {
	if step.Background {
		return s.background(ctx, step)
	}
	// The status goes on to the next command, so that a page can print $?.
	script := step.Command + "\ndocscript_status=$?\necho; echo " + mark + "\n(exit $docscript_status)\n"
	if _, err := io.WriteString(s.in, script); err != nil {
		return nil, fmt.Errorf("the shell has ended: %w", err)
	}
	var b strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return s.lines(b.String() + line), fmt.Errorf("the shell has ended: %w", err)
		}
		if line == mark+"\n" {
			return s.lines(strings.TrimSuffix(b.String(), "\n")), nil
		}
		b.WriteString(line)
	}
}

// background starts a command as if in another terminal: in a kernel session of
// its own, with the same home and environment.
func (s *Shell) background(ctx context.Context, step Step) ([]string, error) {
	file, err := os.Create(filepath.Join(s.home, fmt.Sprintf(".background-%d", len(s.jobs)+1)))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	job := exec.Command("bash", "--noprofile", "--norc", "-c", step.Command+"\nexit $?") // two commands: bash stays the parent
	job.Dir, job.Env, job.Stdout, job.Stderr = s.home, s.cmd.Env, file, file
	job.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := job.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", step.Command, err)
	}
	s.jobs = append(s.jobs, job)
	return s.watch(ctx, file.Name(), step.Want), nil
}

// watch returns what is printed into a file, as soon as it is what is wanted.
func (s *Shell) watch(ctx context.Context, file string, want []string) []string {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		raw, _ := os.ReadFile(file)
		got := s.lines(string(raw))
		if Match(want, got) {
			return got
		}
		select {
		case <-ctx.Done():
			return got
		case <-tick.C:
		}
	}
}

func (s *Shell) lines(out string) []string {
	out = strings.TrimRight(strings.ReplaceAll(out, s.home, "~"), "\n")
	if out == "" {
		return nil
	}
	return strings.Split(out, "\n")
}
