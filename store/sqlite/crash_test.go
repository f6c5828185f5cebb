package sqlite_test

// Other processes: they die at any moment, and they write at the same time.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/store/sqlite"

	"github.com/gofrs/flock"
)

// child is the other process. "spend" spends and appends until it is killed, and
// says what has been acknowledged, and so does "advise" of what an approver does;
// "append" appends ten records under a lock.
func child(job, path, name string) int {
	ctx := context.Background()
	if job == "advise" {
		fmt.Println("failed", approver(ctx, path, name))
		return 1
	}
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

// approver asks, claims, says something and gives a grant, over and over.
func approver(ctx context.Context, path, name string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	for i := 0; err == nil; i++ {
		c, call := command("x", name+strconv.Itoa(i))
		c.Session, call.Session = call.ID, call.ID
		var r assent.Request
		r, err = s.Ask(ctx, assent.Request{Kind: assent.KindApproval, Case: c, Digest: c.Digest(), Expires: now}, call, assent.Bounds{Session: 1e6, All: 1e6}, event("ask"))
		a := assent.Advice{By: assent.Identity{Surface: "hook", ID: name}, At: now}
		for _, a.Done = range []bool{false, true} {
			if err == nil {
				_, err = s.Advise(ctx, r.ID, a, advice(fmt.Sprint(a.Done)))
				fmt.Println("advised", r.ID)
			}
		}
		if err == nil {
			var g assent.Grant
			g, err = s.Give(ctx, assent.Grant{Width: assent.Owner, Scope: assent.Scope{Tool: assent.AnyTool, Uses: 1}, From: now, Until: now.Add(time.Hour)}, yes("given"))
			fmt.Println("given", g.ID)
		}
	}
	return err
}

func advice(note string) assent.Draft {
	d := event(note)
	d.Record.Kind = assent.KindAdvice
	return d
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

func TestKillLeavesAClaimThatNobodyTakesOver(t *testing.T) {
	t.Parallel()
	path := file(t)
	for round := range 6 {
		cmd, lines := start(t, "advise", path, fmt.Sprint("round ", round))
		last := map[string]string{}
		for n := 0; n < 9+round && lines.Scan(); n++ {
			what, id, _ := strings.Cut(lines.Text(), " ")
			if last[what] = id; what == "failed" {
				t.Fatal(lines.Text())
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		checkAdvice(t, path, last)
	}
}

// checkAdvice compares what is in the file with its records and with what was
// acknowledged last, and tries to take over every claim that is left.
func checkAdvice(t *testing.T, path string, last map[string]string) {
	t.Helper()
	s := open(t, path, sqlite.Options{})
	defer s.Close()
	lines, err := s.Lines(t.Context(), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]int{}
	for _, l := range lines {
		var rec assent.Record
		if err := json.Unmarshal(l.Leaf, &rec); err != nil {
			t.Fatal(err)
		}
		if rec.Kind != assent.KindEvent {
			written[rec.Kind+" "+rec.Request+rec.Grant+" "+rec.Note]++
		}
	}
	requests, err := s.Requests(t.Context(), assent.RequestFilter{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range requests {
		if r.Advice == nil {
			continue
		}
		seen[r.ID] = true
		written["advice "+r.ID+" false"]--
		if r.Advice.Done {
			written["advice "+r.ID+" true"]--
			continue
		}
		a := assent.Advice{By: assent.Identity{Surface: "hook", ID: "the next"}, At: now}
		for _, a.Done = range []bool{false, true} {
			if now, err := s.Advise(t.Context(), r.ID, a, advice("mine")); !errors.Is(err, assent.ErrSettled) || now.Advice.By != r.Advice.By {
				t.Fatalf("the claim of %s was taken over: %+v, %v", r.ID, now.Advice, err)
			}
		}
	}
	grants, err := s.Grants(t.Context(), assent.GrantFilter{Live: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range grants {
		seen[g.ID] = true
		written["answer "+g.ID+" given"]--
	}
	for what, n := range written {
		if n != 0 {
			t.Errorf("%s: %d records too many", what, n)
		}
	}
	if !seen[last["advised"]] || !seen[last["given"]] {
		t.Errorf("%v was acknowledged, and is gone", last)
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
