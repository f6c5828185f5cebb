package sqlite_test

// Other processes: they die at any moment, and they write at the same time.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"assent"
	"assent/store/sqlite"

	"github.com/gofrs/flock"
)

// child is the other process. "spend" spends and appends until it is killed, and
// says what has been acknowledged; "append" appends ten records under a lock.
func child(job, path, name string) int {
	ctx := context.Background()
	var o sqlite.Options
	if job == "append" {
		o.Lock = func(context.Context) (func(), error) {
			f := flock.New(path + ".lock")
			return func() { f.Unlock() }, f.Lock()
		}
	}
	s, err := sqlite.Open(ctx, path, o)
	for i := 0; err == nil && (job == "spend" || i < 10); i++ {
		var rec assent.Record
		if rec, err = s.Append(ctx, event(name)); err != nil {
			break
		}
		fmt.Println("appended", rec.N)
		if job == "spend" {
			c, call := command("x", name+strconv.Itoa(i))
			var g assent.Grant
			if g, err = s.Spend(ctx, c, call, now, "", event("spend")); err == nil {
				fmt.Println("spent", g.Used)
			}
		}
	}
	if job == "append" && err == nil {
		err = s.Close()
	}
	if err != nil {
		fmt.Println("failed", err)
		return 1
	}
	return 0
}

func start(t *testing.T, job, path, name string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], path, name)
	cmd.Env = append(os.Environ(), "ASSENT_TEST_CHILD="+job)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestKillLosesNothingAndSpendsNothingTwice(t *testing.T) {
	t.Parallel()
	path := file(t)
	s := open(t, path, sqlite.Options{})
	give(t, s, "x", 1_000_000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var appended, spent uint64
	for round := range 5 {
		cmd, lines := start(t, "spend", path, fmt.Sprint("round ", round))
		for n := 0; n < 20+7*round && lines.Scan(); n++ {
			what, number, _ := strings.Cut(lines.Text(), " ")
			value, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				t.Fatal(lines.Text())
			}
			if what == "appended" {
				appended = value
			} else {
				spent = value
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		check(t, path, appended, spent)
	}
}

// check opens the file and compares it with what was acknowledged.
func check(t *testing.T, path string, appended, spent uint64) {
	t.Helper()
	s := open(t, path, sqlite.Options{})
	defer s.Close()
	lines, err := s.Lines(t.Context(), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	prev, spends := assent.NoPrev, 0
	for i, l := range lines {
		if l.N != uint64(i+1) || l.Hash != assent.LeafHash(l.Leaf) || !strings.Contains(string(l.Leaf), prev) {
			t.Fatalf("record %d does not follow", l.N)
		}
		prev = l.Hash
		if strings.Contains(string(l.Leaf), `"note":"spend"`) {
			spends++
		}
	}
	grants, err := s.Grants(t.Context(), assent.GrantFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if uint64(len(lines)) < appended || uint64(grants[0].Used) < spent || grants[0].Used != spends {
		t.Fatalf("%d records, %d uses, %d records of uses; acknowledged: record %d, use %d", len(lines), grants[0].Used, spends, appended, spent)
	}
}

func TestManyProcessesAppendOneChain(t *testing.T) {
	t.Parallel()
	path := file(t)
	var running []*exec.Cmd
	for i := range 6 {
		cmd, lines := start(t, "append", path, fmt.Sprint("process ", i))
		go func() {
			for lines.Scan() {
			}
		}()
		running = append(running, cmd)
	}
	var failed error
	for _, cmd := range running {
		failed = errors.Join(failed, cmd.Wait())
	}
	if failed != nil {
		t.Fatal(failed)
	}
	s := open(t, path, sqlite.Options{})
	if h, err := s.Head(t.Context()); err != nil || h.N != 60 {
		t.Fatal(h, err)
	}
}
