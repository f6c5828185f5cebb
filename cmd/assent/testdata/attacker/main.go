// Command attacker does what an agent can do beside its tools: it leaves its session,
// its parents and its terminal, and it speaks to assent's doors by itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	code, err := 0, error(nil)
	switch verb, rest := os.Args[1], os.Args[2:]; verb {
	case "setsid": // PROGRAM…, in a session of its own
		code, err = run(rest, nil)
	case "pty": // PROGRAM…, in a session on a terminal of its own
		code, err = onTerminal(rest)
	case "orphan": // OUT VERB PROGRAM…, by a process whose parents are gone
		err = orphan(rest)
	case "orphaned":
		code, err = orphaned(rest)
	case "post": // SOCKET-OR-URL PATH BODY TOKEN
		err = post(rest[0], rest[1], rest[2], rest[3])
	case "reply": // SOCKET REPLY, to whatever is asked there
		err = reply(rest[0], rest[1])
	case "seize": // LOCK NOTE REPLY SOCKET…, as whoever holds the lock
		err = seize(rest[0], rest[1], rest[2], rest[3:])
	default:
		err = errors.New("what is " + verb)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "attacker:", err)
		code = 127
	}
	os.Exit(code)
}

// run runs a program in a session of its own, on a terminal if there is one.
func run(argv []string, tty *os.File) (int, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if tty != nil {
		cmd.ExtraFiles = []*os.File{tty}
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 3
	}
	err := cmd.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return ended.ExitCode(), nil
	}
	return 0, err
}

func onTerminal(argv []string) (int, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return 0, err
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)); err != nil {
		return 0, err
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return 0, err
	}
	defer slave.Close()
	return run(argv, slave)
}

// orphan starts this program once more, in a session of its own, and ends: what it
// started is nobody's child.
func orphan(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out, err := os.Create(args[0])
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{"orphaned", strconv.Itoa(os.Getpid())}, args...)...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd.Start()
}

// orphaned runs the program once its parent is gone, and notes how it ended.
func orphaned(args []string) (int, error) {
	signal.Ignore(syscall.SIGHUP)
	for strconv.Itoa(os.Getppid()) == args[0] {
		time.Sleep(time.Millisecond)
	}
	do := onTerminal
	if args[2] == "setsid" {
		do = func(argv []string) (int, error) { return run(argv, nil) }
	}
	code, err := do(args[3:])
	return code, errors.Join(err, os.WriteFile(args[1]+".ended", []byte(strconv.Itoa(code)), 0o600))
}

// post sends a body to a door, and prints what it answers.
func post(at, path, body, token string) error {
	client, url := http.DefaultClient, at
	if !strings.HasPrefix(at, "http") {
		url, client = "http://assent", &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", at)
		}}}
	}
	req, err := http.NewRequest("POST", url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(raw))
	return err
}

// reply answers in the server's place, and prints what it hears.
func reply(path, with string) error {
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	return answer(l, with)
}

func answer(l net.Listener, with string) error {
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		fmt.Println(r.Method, r.URL.Path, string(raw))
		_, _ = io.WriteString(w, with)
	}))
}

// seize puts a lock of its own in the place of the server's, notes that it holds it,
// and answers.
func seize(lock, note, with string, at []string) error {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return err
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return err
	}
	start := strings.Fields(string(stat))[21]
	said := fmt.Sprintf(`{"process":{"pid":%d,"start":%s,"boot":%q,"uid":%d},"since":"2026-01-01T00:00:00Z"}`, os.Getpid(), start, strings.TrimSpace(string(boot)), os.Getuid())
	if err := os.Remove(lock); err != nil {
		return err
	}
	f, err := os.Create(lock)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	failed := make(chan error)
	for _, path := range at {
		_ = os.Remove(path)
		l, err := net.Listen("unix", path)
		if err != nil {
			return err
		}
		go func() { failed <- answer(l, with) }()
	}
	if err := os.WriteFile(note+".new", []byte(said), 0o600); err != nil {
		return err
	}
	if err := os.Rename(note+".new", note); err != nil {
		return err
	}
	return <-failed
}
