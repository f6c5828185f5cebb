package peer

// Real sockets and real processes.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assent"
)

// TestMain lets the test binary play other processes.
func TestMain(m *testing.M) {
	switch os.Getenv("PEER_TEST_ROLE") {
	case "connect": // connects, says so, and stays until its input ends
		c, err := net.Dial("unix", os.Getenv("PEER_TEST_SOCKET"))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("connected")
		io.Copy(io.Discard, os.Stdin)
		c.Close()
		os.Exit(0)
	case "agent": // starts a child of its own session and names it
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PEER_TEST_ROLE=child")
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			os.Exit(1)
		}
		cmd.Wait()
		os.Exit(0)
	case "child":
		fmt.Println(os.Getpid())
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start runs the test binary in a role and returns the first line it prints.
func start(t *testing.T, env ...string) (cmd *exec.Cmd, line string, end func()) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0"), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	done := false
	end = func() {
		if !done {
			done = true
			in.Close()
			cmd.Wait()
		}
	}
	t.Cleanup(end)
	return cmd, strings.TrimSpace(line), end
}

func accept(t *testing.T) (path string, next func() *net.UnixConn) {
	t.Helper()
	dir, err := os.MkdirTemp("", "peer") // short: a socket's path has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path = filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return path, func() *net.UnixConn {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c.(*net.UnixConn)
	}
}

func TestOfNamesTheProcessThatConnected(t *testing.T) {
	t.Parallel()
	path, next := accept(t)
	cmd, _, _ := start(t, "PEER_TEST_ROLE=connect", "PEER_TEST_SOCKET="+path)
	p, err := Of(next())
	if err != nil {
		t.Fatal(err)
	}
	if p.PID != cmd.Process.Pid || p.UID != os.Getuid() || p.Start == 0 || p.Boot != BootID() || !Lives(p) {
		t.Fatalf("%+v, want process %d", p, cmd.Process.Pid)
	}
	line := Ancestors(p.PID)
	if len(line) == 0 || line[0].PID != os.Getpid() || line[0].Start != Self().Start {
		t.Fatalf("ancestors %+v, want %d first", line, os.Getpid())
	}
}

func TestOfPeerThatIsGoneTellsNothingButItsUser(t *testing.T) {
	t.Parallel()
	path, next := accept(t)
	_, _, end := start(t, "PEER_TEST_ROLE=connect", "PEER_TEST_SOCKET="+path)
	conn := next()
	p, err := Of(conn)
	if err != nil {
		t.Fatal(err)
	}
	end()
	if Lives(p) {
		t.Fatal("a process that ended lives")
	}
	gone, err := Of(conn)
	if !errors.Is(err, assent.ErrNotFound) || gone != (assent.Process{UID: os.Getuid()}) {
		t.Fatalf("%+v, %v", gone, err)
	}
}

// unmarked is the real world without this test run's own environment, which may
// be an agent's.
func unmarked() world {
	w := here()
	w.environ = func(int) []string { return nil }
	return w
}

func TestLeadFollowsRealProcesses(t *testing.T) {
	t.Parallel()
	cmd, line, _ := start(t, "PEER_TEST_ROLE=agent")
	var pid int
	fmt.Sscan(line, &pid)
	child, err := Inspect(pid)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := Inspect(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if child.SID == agent.SID || child.SID != child.PID {
		t.Fatalf("child %+v of agent %+v has no session of its own", child, agent)
	}
	want := fmt.Sprintf("child of claude, process %d", agent.PID)
	if how := unmarked().lead(child, session(agent)); how != want {
		t.Fatalf("%q, want %q", how, want)
	}
	cmd.Process.Kill()
	cmd.Process.Wait()
	if how := unmarked().lead(child, session(agent)); how != "" {
		t.Fatalf("the agent is dead: %q", how)
	}
}

func TestLeadReadsTheEnvironmentOfRealProcesses(t *testing.T) {
	t.Parallel()
	cmd, _, _ := start(t, "PEER_TEST_ROLE=child", "PADDING="+strings.Repeat("x", 100_000), "AI_AGENT=robot")
	p, err := Inspect(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	w := here()
	w.environ = func(pid int) []string {
		if pid == p.PID {
			return environ(pid)
		}
		return nil
	}
	want := fmt.Sprintf("process %d carries AI_AGENT, which an agent sets for its children", p.PID)
	if how := w.lead(p, nil); how != want {
		t.Fatalf("%q, want %q", how, want)
	}
}

func TestLineNamesAProcessAndItsParents(t *testing.T) {
	t.Parallel()
	cmd, _, end := start(t, "PEER_TEST_ROLE=child")
	p, err := Inspect(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("%d %s", p.PID, exe), fmt.Sprintf("%d %s", os.Getpid(), exe)}
	if line := Line(p); len(line) < 2 || len(line) > maxTold || line[0] != want[0] || line[1] != want[1] {
		t.Errorf("%q, want %q first", line, want)
	}
	end()
	if line := Line(p); line != nil {
		t.Errorf("of one that is gone: %q", line)
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	tail := " 10 11 12 34816 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0\n"
	for _, name := range []string{"sh", "a b", ") S 1 1 1 (", "((", "\n"} {
		e, ok := parseStat([]byte("77 (" + name + ") S" + tail))
		want := entry{parent: 10, name: name, Process: assent.Process{PID: 77, Start: 4242, Group: 11, SID: 12, TTY: 34816}}
		if !ok || e != want {
			t.Errorf("%q: %+v %v", name, e, ok)
		}
	}
	for _, bad := range []string{"", "77", "77 (sh", "77 (sh) S", "77 (sh) Z" + tail, "x (sh) S" + tail, "77 (sh) S a" + tail, "(sh) S" + tail} {
		if e, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q read as %+v", bad, e)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("77 (a) b) S 10 11 12 34816 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if e, ok := parseStat(raw); ok && !strings.Contains(string(raw), fmt.Sprint(e.Start)) {
			t.Fatalf("%q has no start %d", raw, e.Start)
		}
	})
}

func TestInspectNobody(t *testing.T) {
	t.Parallel()
	for _, pid := range []int{-1, 0, 1 << 30} {
		if p, err := Inspect(pid); !errors.Is(err, assent.ErrNotFound) {
			t.Errorf("process %d: %+v, %v", pid, p, err)
		}
	}
}

func BenchmarkInspect(b *testing.B) {
	for b.Loop() {
		Self()
	}
}

func BenchmarkLead(b *testing.B) {
	agents := session(assent.Process{PID: 1, Start: 1})
	self := Self()
	for b.Loop() {
		Lead(self, agents)
	}
}

func TestOursIsWhoeverRunsThisProgram(t *testing.T) {
	t.Parallel()
	cmd, _, end := start(t, "PEER_TEST_ROLE=child")
	its, err := Inspect(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if !Ours(its) || !Ours(Self()) || !Within(its, Self()) || Within(Self(), its) {
		t.Error("a child that runs this program is not ours")
	}
	its.Start++
	if Ours(its) {
		t.Error("a process whose number was given away is ours")
	}
	its.Start--
	end()
	if Ours(its) || Within(its, Self()) {
		t.Error("one that has ended is ours")
	}
	sh := exec.Command("sleep", "60")
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = sh.Process.Kill()
		_ = sh.Wait()
	}()
	p, err := Inspect(sh.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if Ours(p) {
		t.Error("another program is ours")
	}
}
