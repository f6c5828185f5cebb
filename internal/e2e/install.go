// Package e2e runs the real agents, in versions that are written down, against
// assent and a scripted model, without a network.
//
// It installs an agent from npm into a folder of its own and gives it an
// environment of its own. It never touches the agents, settings or keys of
// whoever runs the tests.
//
//	program, err := e2e.Install(ctx, e2e.Claude, os.Getenv)
//	agent := e2e.Agent{Program: program, Home: home, Project: dir, Model: srv.URL}
//	result, err := agent.Run(ctx, "please\n!sh echo hi\n!say finished")
//	fmt.Println(result.Session, result.Denials)
package e2e

// Installing an agent: an exact version, once, into a cache.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrMissing says that an agent is not there and could not be installed. The
// text says what is missing.
var ErrMissing = errors.New("the agent is not there")

// Package is an agent as npm has it.
type Package struct {
	Name, Version string
	Program       string // within node_modules
}

// Claude is Claude Code in the version whose protocol harness/claude speaks.
var Claude = Package{
	Name: "@anthropic-ai/claude-code", Version: "2.1.332",
	Program: filepath.Join("@anthropic-ai", "claude-code-"+platform(), exe("claude")),
}

// platform is this machine as npm packages name it.
func platform() string {
	goos := map[string]string{"windows": "win32"}
	arch := map[string]string{"amd64": "x64"}
	name := func(m map[string]string, s string) string {
		if v, ok := m[s]; ok {
			return v
		}
		return s
	}
	return name(goos, runtime.GOOS) + "-" + name(arch, runtime.GOARCH)
}

func exe(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// Install returns the agent's program, after installing it into
// $ASSENT_TEST_CACHE (or assent-test in the user's cache folder) if it is not
// there yet. ErrMissing when it cannot be had.
func Install(ctx context.Context, p Package, env func(string) string) (string, error) {
	cache := env("ASSENT_TEST_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: no cache folder (%v); set ASSENT_TEST_CACHE", ErrMissing, err)
		}
		cache = filepath.Join(dir, "assent-test")
	}
	name := strings.NewReplacer("@", "", "/", "-").Replace(p.Name) + "-" + p.Version
	dir := filepath.Join(cache, name)
	program := filepath.Join(dir, "node_modules", p.Program)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := download(ctx, p, cache, dir); err != nil {
		return "", err
	}
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("%w: %s@%s has no program for %s", ErrMissing, p.Name, p.Version, platform())
	}
	return program, nil
}

// download installs into a folder beside, which takes its place in one step: two
// test programs may do this at the same time.
func download(ctx context.Context, p Package, cache, dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("%w: npm, which installs %s@%s, is not on PATH", ErrMissing, p.Name, p.Version)
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return fmt.Errorf("%w: %v", ErrMissing, err)
	}
	tmp, err := os.MkdirTemp(cache, "install-")
	if err != nil {
		return fmt.Errorf("%w: %v", ErrMissing, err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", tmp, "--no-save", "--no-audit", "--no-fund",
		"--ignore-scripts", p.Name+"@"+p.Version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: npm install %s@%s: %v\n%s", ErrMissing, p.Name, p.Version, err, out)
	}
	if err := os.Rename(tmp, dir); err != nil && !exists(dir) {
		return fmt.Errorf("%w: %v", ErrMissing, err)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
