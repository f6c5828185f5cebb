//go:build unix

package e2e

// Driving assent's own program: one home, its server, and the person who answers.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Gate is assent in one home directory, seen from outside.
type Gate struct {
	Program string // the assent under test
	Home    string // HOME; assent's own files are under .assent
	Key     string // an approver key's file, for Answer
}

// Said is what one command printed, and how it ended.
type Said struct {
	Out, Err string
	Code     int
}

// Run runs one command to its end, in a session of its own without a terminal.
func (g Gate) Run(ctx context.Context, args ...string) (Said, error) {
	cmd := g.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	s := Said{Out: out.String(), Err: errs.String(), Code: cmd.ProcessState.ExitCode()}
	var ended *exec.ExitError
	if errors.As(err, &ended) && s.Code >= 0 {
		err = nil
	}
	return s, err
}

func (g Gate) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.Program, args...)
	cmd.Dir = g.Home
	cmd.Env = []string{
		"HOME=" + g.Home, "CLAUDE_CONFIG_DIR=" + filepath.Join(g.Home, ".claude"), "PATH=/usr/bin:/bin", "TMPDIR=" + g.Home,
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// Request is a pending request, as far as a test looks at it.
type Request struct {
	ID   string `json:"id"`
	Case struct {
		Input json.RawMessage `json:"input"`
	} `json:"case"`
}

// Pending lists what waits for a person.
func (g Gate) Pending(ctx context.Context) ([]Request, error) {
	said, err := g.Run(ctx, "requests", "--json")
	if err != nil || said.Code != 0 {
		return nil, fmt.Errorf("requests: %v, exit %d: %s", err, said.Code, said.Err)
	}
	var list []Request
	return list, json.Unmarshal([]byte(said.Out), &list)
}

// Await waits until a request is pending whose input holds the text.
func (g Gate) Await(ctx context.Context, text string) (Request, error) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		list, err := g.Pending(ctx)
		for _, r := range list {
			if strings.Contains(string(r.Case.Input), text) {
				return r, nil
			}
		}
		select {
		case <-ctx.Done():
			return Request{}, fmt.Errorf("no request for %q: %w (%v)", text, ctx.Err(), err)
		case <-tick.C:
		}
	}
}

// Answer answers a request with the key: "approve" or "deny".
func (g Gate) Answer(ctx context.Context, verb, id string, args ...string) error {
	said, err := g.Run(ctx, append([]string{verb, id, "--key", g.Key}, args...)...)
	if err != nil || said.Code != 0 {
		return fmt.Errorf("%s %s: %v, exit %d: %s%s", verb, id, err, said.Code, said.Out, said.Err)
	}
	return nil
}

// Server is a running "assent serve".
type Server struct {
	cmd    *exec.Cmd
	ended  chan struct{}
	errors *bytes.Buffer
}

// Serve starts the server and returns once it says that it runs.
func (g Gate) Serve(ctx context.Context) (*Server, error) {
	s := &Server{cmd: g.command(ctx, "serve"), ended: make(chan struct{}), errors: &bytes.Buffer{}}
	s.cmd.Stderr = s.errors
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	running := make(chan bool, 1)
	go func() {
		defer close(s.ended)
		lines := bufio.NewScanner(out)
		running <- lines.Scan()
		for lines.Scan() {
		}
		_ = s.cmd.Wait()
	}()
	if !<-running {
		<-s.ended
		return nil, fmt.Errorf("serve did not start: %s", s.errors.String())
	}
	return s, nil
}

// Kill ends the server as kill -9 does, and waits for its end.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// Stop ends the server as Ctrl-C does, and waits for its end.
func (s *Server) Stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGINT)
	<-s.ended
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("serve ended with %d: %s", code, s.errors.String())
	}
	return nil
}
