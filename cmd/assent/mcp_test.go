//go:build unix

package main

// The MCP server as agents start it: the real program, and the reference client.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcp starts the server of a home by a command line, and greets it.
func (g *gate) mcp(line ...string) *spoken {
	g.Helper()
	cmd := g.command(line[0], line[1:]...)
	in, err := cmd.StdinPipe()
	g.try(err)
	out, err := cmd.StdoutPipe()
	g.try(err)
	g.try(cmd.Start())
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(g.Context(), &sdk.IOTransport{Reader: out, Writer: in}, nil)
	g.try(err)
	g.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &spoken{s, in, cmd}
}

// spoken is a server that runs, and a client that speaks to it.
type spoken struct {
	*sdk.ClientSession
	in  io.Closer
	cmd *exec.Cmd
}

// call calls a tool and returns what it said.
func (g *gate) call(s *spoken, tool string, arguments map[string]any) (text string, failed bool) {
	g.Helper()
	r, err := s.CallTool(g.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	g.try(err)
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

func withAndWithoutServer(t *testing.T, test func(*gate), file ...string) {
	t.Parallel()
	for name, serves := range map[string]bool{"server": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, file...)
			if serves {
				g.serve()
			}
			test(g)
		})
	}
}

// TestMCPOneYesIsOneCall, of each tool; and what is granted is listed until it is used.
func TestMCPOneYesIsOneCall(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		key := g.key()
		s := g.mcp("agent", "assent", "mcp")
		file := filepath.Join(g.dir, "f")
		g.try(os.WriteFile(file, []byte("content"), 0o600))
		for i, c := range []struct {
			tool      string
			arguments map[string]any
			says      string
		}{
			{"exec", map[string]any{"argv": []string{"/bin/sh", "-c", "echo $0 $1; cat", "a b"}, "stdin": "in", "dir": g.dir}, `"stdout":"a b\nin"`},
			{"read_file", map[string]any{"path": file}, `"content":"content"`},
			{"write_file", map[string]any{"path": file + "2", "content": "new"}, `"written":3`},
		} {
			name := "req_" + strconv.Itoa(2*i+1)
			if text, failed := g.call(s, c.tool, c.arguments); !failed || !strings.Contains(text, "assent approve "+name) {
				g.Fatalf("%s without a grant: %s", c.tool, text)
			}
			if text, failed := g.call(s, "ask_for", map[string]any{"tool": c.tool, "input": c.arguments, "why": "why"}); failed || !strings.Contains(text, `"request":"`+name+`"`) {
				g.Errorf("asking for %s: %s", c.tool, text)
			}
			g.must("approve", name, "--key", key)
			grant := "gr_" + strconv.Itoa(i+1)
			if d := g.described(s, c.tool); !strings.Contains(d, grant) {
				g.Errorf("%s is granted, and not listed: %s", c.tool, d)
			}
			if text, failed := g.call(s, "ask_for", map[string]any{"tool": c.tool, "input": c.arguments}); failed || !strings.Contains(text, `"grant":"`+grant+`"`) {
				g.Errorf("asking for %s that is granted: %s", c.tool, text)
			}
			if text, failed := g.call(s, c.tool, c.arguments); failed || !strings.Contains(text, c.says) {
				g.Errorf("%s: %s", c.tool, text)
			}
			if d := g.described(s, c.tool); strings.Contains(d, grant) {
				g.Errorf("%s was used, and is listed: %s", c.tool, d)
			}
			if text, failed := g.call(s, c.tool, c.arguments); !failed || !strings.Contains(text, "req_"+strconv.Itoa(2*i+2)) {
				g.Errorf("%s once more: %s", c.tool, text)
			}
		}
		if raw, err := os.ReadFile(file + "2"); err != nil || string(raw) != "new" {
			g.Errorf("%q, %v", raw, err)
		}
	}, "approvals: {wait: 0}", "rules: [{ask: {tool: [exec, read, write]}}]")
}

func (g *gate) described(s *spoken, tool string) string {
	g.Helper()
	list, err := s.ListTools(g.Context(), nil)
	g.try(err)
	for _, t := range list.Tools {
		if t.Name == tool {
			return t.Description
		}
	}
	return ""
}

// sleeper is a call whose program has a child of its own, both of which live until they
// are ended, and what tells their numbers.
func (g *gate) sleeper() (arguments map[string]any, pids func() []int) {
	file := filepath.Join(g.dir, "pids")
	script := "sleep 1000 & sleep 0.3; echo $$ $! > " + file + ".new && mv " + file + ".new " + file + "; wait"
	return map[string]any{"argv": []string{"/bin/sh", "-c", script}}, func() (list []int) {
		g.Helper()
		g.until("the program runs", func() bool { _, err := os.Stat(file); return err == nil })
		raw, err := os.ReadFile(file)
		g.try(err)
		for _, word := range strings.Fields(string(raw)) {
			n, err := strconv.Atoi(word)
			g.try(err)
			list = append(list, n)
		}
		return list
	}
}

func (g *gate) dead(pids []int) {
	g.Helper()
	g.until("all of them have ended", func() bool {
		for _, pid := range pids {
			if syscall.Kill(pid, 0) == nil {
				return false
			}
		}
		return true
	})
}

// TestMCPWhatRunsEnds with its call's cancellation, with the input, and when the server
// is killed: the program, and what it started.
func TestMCPWhatRunsEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(cancel func(), s *spoken){
		"cancelled": func(cancel func(), _ *spoken) { cancel() },
		"closed":    func(_ func(), s *spoken) { _ = s.in.Close() },
		"killed":    func(_ func(), s *spoken) { _ = s.cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, "approvals: {mode: off}")
			s := g.mcp("assent", "mcp")
			arguments, pids := g.sleeper()
			ctx, cancel := context.WithTimeout(g.Context(), time.Minute)
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "exec", Arguments: arguments})
				done <- err
			}()
			running := pids()
			end(cancel, s)
			if err := <-done; err == nil || errors.Is(err, context.DeadlineExceeded) {
				g.Errorf("the call: %v", err)
			}
			g.dead(running)
		})
	}
}

// TestMCPHoldsACall until a person answers.
func TestMCPHoldsACall(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		key := g.key()
		s := g.mcp("agent", "assent", "mcp")
		said := make(chan string, 1)
		go func() {
			text, _ := g.call(s, "exec", map[string]any{"argv": []string{"/bin/echo", "held"}, "wait_seconds": 60})
			said <- text
		}()
		g.await(1)
		g.must("approve", "1", "--key", key)
		if text := <-said; !strings.Contains(text, `"stdout":"held\n"`) {
			g.Errorf("a call that was approved while it waited: %s", text)
		}
	}, "approvals: {wait: 0}", "rules: [{ask: {tool: [exec, read, write]}}]")
}
