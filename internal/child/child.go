// Package child runs child processes that nobody has to trust: with a deadline, in a
// process group of their own that is killed as a whole, and with bounded output.
//
// It never uses a shell, never holds up its caller for what a child left behind, and
// never passes an open descriptor on.
//
//	r, err := child.Run(ctx, child.Spec{Args: []string{"./guard.sh"}, Stdin: payload, Timeout: time.Minute})
//	if errors.Is(err, child.ErrNotFound) { … }
//	if r.TimedOut || r.Exit != 0 { … }
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Why a child could not be started. Other reasons come as the system gave them.
var (
	ErrNotFound      = errors.New("not found")
	ErrNotExecutable = errors.New("not executable")
)

// Grace is how long a child's output is waited for after the child itself ended:
// what it started may keep its descriptors open for ever.
const Grace = 50 * time.Millisecond

// DefaultMax is the bound of each output stream where the Spec has none.
const DefaultMax = 1 << 20

// Spec is what to run.
type Spec struct {
	Args    []string      // the program, found in PATH when it is a bare name, and its arguments
	Dir     string        // "" = that of this process
	Env     []string      // nil = that of this process
	Stdin   []byte        // for Run: all that the child can read
	Timeout time.Duration // 0 = as long as the context lasts
	MaxOut  int           // bytes of output that are kept; 0 = DefaultMax
	MaxErr  int
	OnLine  func(string) // for Start: takes each line of standard error; nil drops them
	Guard   *Guard       // kills the child if this process is killed; nil = nobody does
}

// Result is how a child ended.
type Result struct {
	Stdout, Stderr []byte
	Truncated      bool   // one of them was longer than its bound
	Exit           int    // -1 when a signal ended it
	Signal         string // that signal's name
	Took           time.Duration
	TimedOut       bool // the deadline passed, and it was killed
}

// Run runs a child to its end. An error means that it could not be started, or that
// the context was cancelled; how the child fared stands in the Result. It returns
// within twice Grace of the deadline, and within Grace of the child's exit. What the
// child started and left behind at its own exit is left alone. It may be called
// concurrently, but not from a goroutine that ends locked to its thread.
func Run(ctx context.Context, s Spec) (Result, error) {
	if s.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Timeout)
		defer cancel()
	}
	if err := ctx.Err(); err != nil {
		return Result{Exit: -1, TimedOut: errors.Is(err, context.DeadlineExceeded)}, cancelled(err)
	}
	out, errs := &bounded{max: orDefault(s.MaxOut)}, &bounded{max: orDefault(s.MaxErr)}
	cmd, err := command(s)
	if err != nil {
		return Result{Exit: -1}, err
	}
	cmd.Stdout, cmd.Stderr = out, errs
	from := time.Now()
	started, err := feed(cmd, s.Stdin)
	if err != nil {
		return Result{Exit: -1}, err
	}
	g, err := start(cmd, s.Guard)
	started()
	if err != nil {
		return Result{Exit: -1}, err
	}
	stop := context.AfterFunc(ctx, g.kill)
	_ = cmd.Wait() // the state has it all; what it could not read or write is the child's affair
	stop()
	killed := g.close()

	r := Result{Stdout: out.kept, Stderr: errs.kept, Truncated: out.over || errs.over, Took: time.Since(from)}
	r.Exit, r.Signal = ended(cmd.ProcessState)
	if !killed {
		return r, nil
	}
	r.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	return r, cancelled(ctx.Err())
}

// feed gives the child its input. What a pipe holds is written before the child starts,
// which spares a goroutine. The returned function is to be called after the start.
func feed(cmd *exec.Cmd, in []byte) (started func(), err error) {
	switch {
	case len(in) == 0:
		return func() {}, nil // reads nothing, and the end of it
	case len(in) > pipeRoom:
		cmd.Stdin = bytes.NewReader(in)
		return func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	_, err = w.Write(in)
	if err = errors.Join(err, w.Close()); err != nil {
		r.Close()
		return nil, fmt.Errorf("standard input: %w", err)
	}
	cmd.Stdin = r
	return func() { r.Close() }, nil
}

// cancelled is the error of a context that did not simply run out of time.
func cancelled(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// command prepares a child; Wait returns within Grace of its exit.
func command(s Spec) (*exec.Cmd, error) {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return nil, fmt.Errorf("no command: %w", ErrNotFound)
	}
	name, err := s.program()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(name, s.Args[1:]...)
	cmd.Args[0] = s.Args[0]
	cmd.Dir, cmd.Env, cmd.WaitDelay, cmd.SysProcAttr = s.Dir, s.Env, Grace, attributes()
	return cmd, nil
}

// program finds the program where the child's own PATH says: ours may be somebody
// else's. Without one of its own, ours counts.
func (s Spec) program() (string, error) {
	name := s.Args[0]
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") || runtime.GOOS == "windows" {
		return name, nil
	}
	path, own := "", false
	for _, kv := range s.Env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			path, own = v, true // the last one counts, as it does for the child
		}
	}
	if !own {
		return name, nil
	}
	for _, dir := range filepath.SplitList(path) {
		full := filepath.Join(dir, name)
		if info, err := os.Stat(full); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, ErrNotFound)
}

// start starts a child, which the guard watches from now on.
func start(cmd *exec.Cmd, guard *Guard) (*group, error) {
	if err := cmd.Start(); err != nil {
		return nil, spawnError(cmd, err)
	}
	g := adopt(cmd.Process)
	g.unwatch = guard.watch(cmd.Process.Pid)
	return g, nil
}

// spawnError gives what went wrong one of our names.
func spawnError(cmd *exec.Cmd, err error) error {
	name := cmd.Args[0]
	switch {
	case cmd.Dir != "" && !isDir(cmd.Dir):
		return fmt.Errorf("directory %s: %w", cmd.Dir, ErrNotFound)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s: %w: it has no #! line", name, ErrNotExecutable)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w", name, ErrNotExecutable)
	case errors.Is(err, fs.ErrNotExist) && exists(cmd):
		return fmt.Errorf("%s: the interpreter of its #! line: %w", name, ErrNotFound)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		return fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return fmt.Errorf("start %s: %w", name, err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(cmd *exec.Cmd) bool {
	path := cmd.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmd.Dir, path)
	}
	_, err := os.Stat(path)
	return err == nil
}

func ended(p *os.ProcessState) (exit int, signal string) {
	if p == nil {
		return -1, ""
	}
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -1, w.Signal().String()
	}
	return p.ExitCode(), ""
}
