package main

// The processes under measurement, and the home that they work in.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

type bench struct {
	dir    string
	server *exec.Cmd
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// start builds the programs, starts a server, and has the empty program allowed in one
// directory by a rule and granted in another.
func (b *bench) start(ctx context.Context) error {
	for out, pkg := range map[string]string{"assent": "assent/cmd/assent", "empty": "assent/bench/hotpath/empty"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.path(out), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w: %s", pkg, err, text)
		}
	}
	if err := os.Link(b.path("empty"), b.path("ruled")); err != nil {
		return err
	}
	if err := os.Mkdir(b.path("home"), 0o700); err != nil {
		return err
	}
	config := "approvals: {wait: 0}\nlisten: off\nrules:\n  - allow: {program: " + strconv.Quote(b.path("ruled")) + "}\n"
	if err := os.WriteFile(b.path("home/config.yaml"), []byte(config), 0o600); err != nil {
		return err
	}
	return b.serve(ctx)
}

func (b *bench) serve(ctx context.Context) error {
	if text, err := b.assent(ctx, "keys", "create").CombinedOutput(); err != nil {
		return fmt.Errorf("keys create: %w: %s", err, text)
	}
	b.server = b.assent(ctx, "serve", "--json")
	out, err := b.server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.server.Start(); err != nil {
		return err
	}
	if _, err := out.Read(make([]byte, 4096)); err != nil {
		return fmt.Errorf("the server did not start: %w", err)
	}
	return b.grant(ctx)
}

var request = regexp.MustCompile(`req_[0-9]+`)

// grant asks for the empty program, and gives it a standing grant.
func (b *bench) grant(ctx context.Context) error {
	text, _ := b.assent(ctx, "exec", "--ask", "--", b.path("empty")).CombinedOutput() // it is refused, and names its request
	id := request.Find(text)
	if id == nil {
		return fmt.Errorf("exec --ask: %s", text)
	}
	yes := b.assent(ctx, "approve", string(id), "--always", "--key", b.path("home/me.key"))
	if text, err := yes.CombinedOutput(); err != nil {
		return fmt.Errorf("approve: %w: %s", err, text)
	}
	return nil
}

func (b *bench) stop() {
	if b.server != nil {
		_ = b.server.Process.Signal(os.Interrupt)
		_ = b.server.Wait()
	}
}

func (b *bench) assent(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.path("assent"), args...)
	cmd.Dir = b.dir
	cmd.Env = []string{"HOME=" + b.dir, "ASSENT_HOME=" + b.path("home"), "PATH=" + os.Getenv("PATH")}
	return cmd
}

func (b *bench) bare(ctx context.Context) error {
	return exec.CommandContext(ctx, b.path("empty")).Run()
}

func (b *bench) byRule(ctx context.Context) error { return b.run(ctx, "ruled") }

func (b *bench) byGrant(ctx context.Context) error { return b.run(ctx, "empty") }

func (b *bench) run(ctx context.Context, name string) error {
	if text, err := b.assent(ctx, "exec", "--", b.path(name)).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}
