package main

// An empty program: started as it is, by assent exec, and through the MCP server, both
// with a server running.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// world is a home with a server, and the programs.
type world struct {
	dir, home string
	end       []func()
}

func executing(ctx context.Context, dir string) ([]*measure, func(), error) {
	w := &world{dir: dir, home: filepath.Join(dir, "home")}
	for _, step := range []func(context.Context) error{w.build, w.serve} {
		if err := step(ctx); err != nil {
			return nil, w.stop, err
		}
	}
	call, err := w.mcp(ctx)
	if err != nil {
		return nil, w.stop, err
	}
	var all []*measure
	for _, program := range []struct{ name, path string }{{"the system's true", trueIs()}, {"an empty Go program", w.path("empty")}} {
		base := &measure{name: program.name, do: func(ctx context.Context) error { return w.run(exec.CommandContext(ctx, program.path)) }}
		all = append(all, base, &measure{
			name: "assent exec of it, server running", after: base, aim: 10 * time.Millisecond, ratio: 25,
			do: func(ctx context.Context) error { return w.run(w.command(ctx, "exec", "--", program.path)) },
		})
	}
	all = append(all, &measure{name: "MCP tools/call exec of it, server running", after: all[len(all)-2], do: call})
	return all, w.stop, nil
}

// trueIs is where the program is that does nothing.
func trueIs() string {
	path, err := exec.LookPath("true")
	if err != nil {
		return "/bin/true"
	}
	return path
}

// run runs a program that has nothing to say.
func (w *world) run(cmd *exec.Cmd) error {
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd.Args, err, out)
	}
	return nil
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) stop() {
	for _, e := range w.end {
		e()
	}
}

func (w *world) build(ctx context.Context) error {
	for out, pkg := range map[string]string{"assent": "assent/cmd/assent", "empty": "assent/bench/hotpath/empty"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", w.path(out), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w: %s", pkg, err, text)
		}
	}
	return nil
}

func (w *world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.path("assent"), args...)
	cmd.Env = []string{"HOME=" + w.dir, "ASSENT_HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = w.dir
	return cmd
}

// spoken starts a program of assent's that goes on until it is ended, and returns its
// input and output.
func (w *world) spoken(ctx context.Context, args ...string) (io.Writer, *bufio.Reader, error) {
	cmd := w.command(ctx, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	w.end = append(w.end, func() {
		_ = in.Close()
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	return in, bufio.NewReader(out), nil
}

// owner is the owner's word that everything may be done: a standing grant, of which each
// run spends a use. Nobody has to answer, so the bench runs anywhere.
const owner = "approvals: {mode: off, wait: 0}\n"

func (w *world) serve(ctx context.Context) error {
	if err := os.Mkdir(w.home, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.home, "config.yaml"), []byte(owner), 0o600); err != nil {
		return err
	}
	_, out, err := w.spoken(ctx, "serve", "--json")
	if err == nil {
		_, err = out.ReadString('\n')
	}
	if err != nil {
		return fmt.Errorf("the server did not start: %w", err)
	}
	return nil
}

// mcp starts the MCP server, and returns what calls its tool.
func (w *world) mcp(ctx context.Context) (call func(context.Context) error, err error) {
	in, out, err := w.spoken(ctx, "mcp")
	if err != nil {
		return nil, err
	}
	id := 0
	ask := func(method string, params any) (result json.RawMessage, err error) {
		id++
		if err := json.NewEncoder(in).Encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
			return nil, err
		}
		line, err := out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var reply struct{ Result, Error json.RawMessage }
		if err := json.Unmarshal(line, &reply); err != nil || reply.Error != nil {
			return nil, fmt.Errorf("%s: %w: %s", method, err, line)
		}
		return reply.Result, nil
	}
	_, err = ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "bench", "version": "1"}})
	if err == nil {
		_, err = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return func(context.Context) error {
		raw, err := ask("tools/call", map[string]any{"name": "exec", "arguments": map[string]any{"argv": []string{w.path("empty")}}})
		if err != nil {
			return err
		}
		var said struct{ IsError bool }
		if err := json.Unmarshal(raw, &said); err != nil || said.IsError {
			return fmt.Errorf("it was not run: %w: %s", err, raw)
		}
		return nil
	}, err
}
