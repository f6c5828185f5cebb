package main

// The processes under measurement, and the homes they work in.

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

type bench struct{ dir string }

func (b *bench) build(ctx context.Context) error {
	for out, pkg := range map[string]string{"assent": "assent/cmd/assent", "empty": "assent/bench/hotpath/empty"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(b.dir, out), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w: %s", pkg, err, text)
		}
	}
	return nil
}

// home is one assent home, with or without a server.
type home struct {
	name, dir string
	server    *exec.Cmd
}

func (b *bench) homes(ctx context.Context) (served, alone *home, err error) {
	served, alone = &home{name: "server", dir: filepath.Join(b.dir, "served")}, &home{name: "no server", dir: filepath.Join(b.dir, "alone")}
	served.server = b.command(ctx, served, "serve", "--json")
	out, err := served.server.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := served.server.Start(); err != nil {
		return nil, nil, err
	}
	line := make([]byte, 4096)
	if _, err := out.Read(line); err != nil {
		return nil, nil, fmt.Errorf("the server did not start: %w", err)
	}
	return served, alone, nil
}

func (h *home) stop() {
	_ = h.server.Process.Signal(os.Interrupt)
	_ = h.server.Wait()
}

// rss is the server's resident memory in bytes; 0 where it cannot be told.
func (h *home) rss() int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.server.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

func (b *bench) command(ctx context.Context, h *home, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(b.dir, "assent"), args...)
	cmd.Env = []string{"HOME=" + b.dir, "ASSENT_HOME=" + h.dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

func (b *bench) empty(ctx context.Context) error {
	return exec.CommandContext(ctx, filepath.Join(b.dir, "empty")).Run()
}

func (b *bench) checkCmd(ctx context.Context, h *home) error {
	return b.command(ctx, h, "check", "--", "git status --short").Run()
}

const payload = `{"session_id":"11111111-2222-4333-8444-%012d","transcript_path":"/tmp/t.jsonl","cwd":"/tmp","permission_mode":"default",` +
	`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status --short"},"tool_use_id":"toolu_%d"}`

// hook runs the hook of one harmless tool call.
func (b *bench) hook(ctx context.Context, h *home) error { return b.hookOf(ctx, h, 1) }

func (b *bench) hookOf(ctx context.Context, h *home, session int) error {
	cmd := b.command(ctx, h, "hook", "claude", "--event", "PreToolUse")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(payload, session, session))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, errs.String())
	}
	if bytes.Contains(out.Bytes(), []byte(`"deny"`)) || errs.Len() > 0 {
		return fmt.Errorf("it answered %s%s", out.String(), errs.String())
	}
	return nil
}

type crowdTook struct{ all, slowest time.Duration }

// crowd runs many hooks at once, each of a session of its own.
func (b *bench) crowd(ctx context.Context, h *home, n int) (crowdTook, error) {
	var wg sync.WaitGroup
	errs, took := make([]error, n), make([]time.Duration, n)
	start := time.Now()
	for i := range n {
		wg.Go(func() {
			from := time.Now()
			errs[i] = b.hookOf(ctx, h, i+2)
			took[i] = time.Since(from)
		})
	}
	wg.Wait()
	c := crowdTook{all: time.Since(start)}
	for _, d := range took {
		c.slowest = max(c.slowest, d)
	}
	failed, first := 0, error(nil)
	for _, err := range errs {
		if err != nil {
			failed++
			first = cmp.Or(first, err)
		}
	}
	if failed > 0 {
		return c, fmt.Errorf("%d of %d failed, such as: %w", failed, n, first)
	}
	return c, nil
}
