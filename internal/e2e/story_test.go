//go:build unix

package e2e

// The gate, end to end, with the real Claude Code: what runs is looked up in the
// file system, what the model knows in what it was sent.

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assent"
)

// TestApproveOnce: an allowed call runs; a dangerous one is held and runs once
// after a yes from another process; the same call again is asked again, and a
// no reaches the model with its reason. The log of it is whole, and a byte
// changed in it is found.
func TestApproveOnce(t *testing.T) {
	t.Parallel()
	g := newGated(t, "")
	server := g.serve()
	command, ran := g.danger("build")
	end := g.begin("please\n!sh echo 1 > allowed\n!sh " + command + "\n!sh " + command + "\n!say finished")

	first := g.await("git reset --hard build")
	if !g.has("allowed") || ran() != 0 {
		t.Fatalf("allowed ran: %v; held ran %d times", g.has("allowed"), ran())
	}
	g.answer("approve", first, "--once")
	second := g.await("git reset --hard build")
	if second == first || ran() != 1 {
		t.Fatalf("%s after %s; it ran %d times", second, first, ran())
	}
	g.answer("deny", second, "-m", "Once is enough.")
	r := end()
	if ran() != 1 || r.Text != "finished" || g.pending() != 0 {
		t.Errorf("it ran %d times; %+v", ran(), r)
	}
	if !strings.Contains(g.heard(), "Once is enough.") {
		t.Errorf("the model does not know why: %q", g.model.Results())
	}
	g.whole()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	g.whole()
	g.flip()
}

// flip changes one byte of a record in the database's file, and expects that the
// record is named.
func (g *gated) flip() {
	g.Helper()
	number, leaf := g.shellRecord()
	bad := bytes.Replace(leaf, []byte(`"tool":"shell"`), []byte(`"tool":"shelm"`), 1)
	files, err := filepath.Glob(filepath.Join(g.agent.Home, ".assent", "assent.db*"))
	if err != nil || bytes.Equal(bad, leaf) {
		g.Fatal(err, string(leaf))
	}
	changed := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			g.Fatal(err)
		}
		changed += bytes.Count(raw, leaf) // a write-ahead log may hold older copies too
		if err := os.WriteFile(file, bytes.ReplaceAll(raw, leaf, bad), 0o600); err != nil {
			g.Fatal(err)
		}
	}
	if changed == 0 {
		g.Fatalf("the record is not in %q as it was printed", files)
	}
	said, err := g.gate.Run(g.Context(), "log", "verify")
	if err != nil || said.Code != 1 || !strings.Contains(said.Out+said.Err, strconv.FormatUint(number, 10)) {
		g.Errorf("a changed record %d: %v, exit %d: %s%s", number, err, said.Code, said.Out, said.Err)
	}
}

// shellRecord is the first record of a shell call, and its bytes.
func (g *gated) shellRecord() (uint64, []byte) {
	g.Helper()
	for line := range strings.Lines(g.must("log", "--json")) {
		var kept struct{ Record json.RawMessage }
		var rec assent.Record
		if err := errors.Join(json.Unmarshal([]byte(line), &kept), json.Unmarshal(kept.Record, &rec)); err != nil {
			g.Fatal(err)
		}
		if rec.Tool == assent.ToolShell {
			return rec.N, kept.Record
		}
	}
	g.Fatal("no record of a shell call")
	return 0, nil
}

// TestKilledServer: a held call whose server dies is denied and does not run;
// the request survives, can be approved, and then lets the same call run once in
// the resumed session.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	g := newGated(t, "")
	server := g.serve()
	command, ran := g.danger("build")
	end := g.begin("please\n!sh " + command + "\n!say finished")
	id := g.await("git reset --hard build")
	server.Kill()
	r := end()
	if ran() != 0 || r.Text != "finished" {
		t.Fatalf("it ran %d times; %+v", ran(), r)
	}

	g.serve()
	if again := g.await("git reset --hard build"); again != id {
		t.Fatalf("%s became %s", id, again)
	}
	g.answer("approve", id)
	g.run("please\n!sh "+command+"\n!say finished again", "--resume", r.Session)
	if ran() != 1 || g.pending() != 0 {
		t.Fatalf("it ran %d times, %d requests wait", ran(), g.pending())
	}
	end = g.begin("please\n!sh "+command+"\n!say finished", "--resume", r.Session)
	g.answer("deny", g.await("git reset --hard build"))
	if end(); ran() != 1 {
		t.Errorf("one yes let it run %d times", ran())
	}
	g.whole()
}

// TestWithoutServer: the hook works by itself, and so do the commands.
func TestWithoutServer(t *testing.T) {
	t.Parallel()
	g := newGated(t, "")
	command, ran := g.danger("build")
	end := g.begin("please\n!sh echo 1 > allowed\n!sh " + command + "\n!say finished")
	id := g.await("git reset --hard build")
	if !g.has("allowed") || ran() != 0 {
		t.Fatalf("allowed ran: %v; held ran %d times", g.has("allowed"), ran())
	}
	g.answer("approve", id)
	if end(); ran() != 1 {
		t.Errorf("it ran %d times", ran())
	}
	g.whole()
}

// TestParallelCalls: two calls of one reply are asked about one by one.
func TestParallelCalls(t *testing.T) {
	t.Parallel()
	g := newGated(t, "")
	g.serve()
	one, ranOne := g.danger("one")
	two, ranTwo := g.danger("two")
	end := g.begin("please\n!sh " + one + "\n+sh " + two + "\n!say finished")
	g.answer("approve", g.await("git reset --hard one"))
	g.answer("deny", g.await("git reset --hard two"), "-m", "Keep two.")
	end()
	if ranOne() != 1 || ranTwo() != 0 {
		t.Errorf("one ran %d times, two %d times", ranOne(), ranTwo())
	}
	if !strings.Contains(g.heard(), "Keep two.") {
		t.Error("the model does not know why")
	}
	g.whole()
}

// TestNobodyAnswers: what waits too long is denied with the request's name, and
// passes once when it is approved later.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	g := newGated(t, "approvals:\n  wait: 1\n")
	g.serve()
	command, ran := g.danger("build")
	r := g.run("please\n!sh " + command + "\n!say finished")
	id := g.await("git reset --hard build")
	if ran() != 0 || !strings.Contains(g.heard(), id) {
		t.Fatalf("it ran %d times; the model was told %q", ran(), g.model.Results())
	}
	g.answer("approve", id)
	for range 2 {
		g.run("please\n!sh "+command+"\n!say finished", "--resume", r.Session)
	}
	if ran() != 1 {
		t.Errorf("it ran %d times", ran())
	}
	g.whole()
}
