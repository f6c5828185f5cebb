//go:build unix

package main

// Where many processes race for one use: an agent that starts them all at once, each of
// them assent exec, and what they are told and what they do.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent"
	"assent/config"
)

// racers is how many processes race for one use.
const racers = 64

// start is the agent. It has told of a call, so the session is its own; each racer is
// its child, stands at the gate until that opens, and then is assent exec. What they
// would run leaves a line in a file of the round, by itself.
const start = `
assent hook claude --event PreToolUse <call >/dev/null || exit 1
echo ready
while read -r what round; do
	case $what in
	ask)
		assent exec --json --ask --wait 0 -- sh -c "echo ran >>ran/$round" 2>told/$round
		echo asked ;;
	race)
		i=0
		while [ $i -lt $1 ]; do
			sh -c 'exec 3<gate; echo "$$"; read -r _ <&3; exec 3<&-
				exec assent exec --json -- sh -c "echo ran >>ran/$0" 2>"told/$0.$1"' $round $i &
			i=$((i + 1))
		done
		wait
		echo raced ;;
	esac
done
`

// arena is a home, and the agent whose processes race in it.
type arena struct {
	*gate
	key  string
	work string // where the agent works
	rng  *rand.Rand
	log  assent.Store
	read uint64 // records that were looked at

	say  io.Writer
	hear *bufio.Scanner
}

func newArena(t *testing.T) *arena {
	t.Helper()
	notUnderAnAgent(t)
	a := &arena{gate: newGate(t, "approvals: {wait: 0}")}
	seed := setting(t, "ASSENT_RACE_SEED", rand.Uint64())
	t.Logf("ASSENT_RACE_SEED=%d", seed)
	a.rng = rand.New(rand.NewPCG(seed, 0))
	a.key, a.work = a.gate.key(), filepath.Join(a.dir, "work")
	for _, dir := range []string{a.work, filepath.Join(a.work, "ran"), filepath.Join(a.work, "told")} {
		a.try(os.Mkdir(dir, 0o700))
	}
	call, err := io.ReadAll(payload("ls", "t1"))
	a.try(err)
	a.try(os.WriteFile(filepath.Join(a.work, "call"), call, 0o600))
	a.try(syscall.Mkfifo(filepath.Join(a.work, "gate"), 0o600))
	return a
}

// setting is a number that a variable asks for, if it is set.
func setting(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// enter starts the agent.
func (a *arena) enter() {
	a.Helper()
	cmd := exec.Command(filepath.Join(bin, "agent"), "sh", "-c", start, "agent", strconv.Itoa(racers))
	cmd.Env, cmd.Dir, cmd.Stderr = a.env, a.work, os.Stderr
	in, err := cmd.StdinPipe()
	a.try(err)
	out, err := cmd.StdoutPipe()
	a.try(err)
	a.try(cmd.Start())
	a.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // with all that it started
		_ = cmd.Wait()
	})
	a.say, a.hear = in, bufio.NewScanner(out)
	a.hears("ready")
	a.log, err = config.OpenLog(a.Context(), config.Home{Dir: a.home})
	a.try(err)
	a.Cleanup(func() { _ = a.log.Close() })
}

// hears waits for the agent's next word.
func (a *arena) hears(word string) {
	a.Helper()
	if !a.hear.Scan() || a.hear.Text() != word {
		a.Fatalf("the agent says %q, not %q: %v", a.hear.Text(), word, a.hear.Err())
	}
}

// once asks for the use of a round, and gives a yes for it: one use of one grant.
func (a *arena) once(round int) (grant string) {
	a.Helper()
	_, err := fmt.Fprintln(a.say, "ask", round)
	a.try(err)
	a.hears("asked")
	asked, ok := a.told(strconv.Itoa(round))
	if !ok || asked.Request == "" {
		a.Fatalf("round %d: nobody was asked: %+v", round, asked)
	}
	a.must("approve", strings.TrimPrefix(asked.Request, "req_"), "--key", a.key)
	r, err := a.log.Request(a.Context(), asked.Request)
	if a.try(err); r.Grant == "" {
		a.Fatalf("round %d: %s is %s", round, r.ID, r.State)
	}
	a.records()
	return r.Grant
}

// stand has the racers of a round stand at the gate, and returns their processes, what
// opens the gate, and what waits for the last of them.
func (a *arena) stand(round int) (pids []int, open, end func()) {
	a.Helper()
	gate, err := os.OpenFile(filepath.Join(a.work, "gate"), os.O_RDWR, 0) // both: so it waits for nobody
	a.try(err)
	_, err = fmt.Fprintln(a.say, "race", round)
	a.try(err)
	for range racers {
		if !a.hear.Scan() {
			a.Fatal("the agent is gone")
		}
		pid, err := strconv.Atoi(a.hear.Text())
		a.try(err)
		pids = append(pids, pid)
	}
	return pids, func() { a.try(gate.Close()) }, func() { a.Helper(); a.hears("raced") }
}

// execTold is what assent exec says of itself at its end.
type execTold struct {
	Decision assent.Decision
	Request  string
	Started  bool
	Call     string
	Grant    string
	Error    string
	Code     int
}

// told is what one racer was told; not ok: it ended before it could say so.
func (a *arena) told(name string) (e execTold, ok bool) {
	a.Helper()
	raw, err := os.ReadFile(filepath.Join(a.work, "told", name))
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	a.try(err)
	return e, json.Unmarshal(raw, &e) == nil
}

// ran counts the executions of a round.
func (a *arena) ran(round int) int {
	a.Helper()
	raw, err := os.ReadFile(filepath.Join(a.work, "ran", strconv.Itoa(round)))
	if !errors.Is(err, fs.ErrNotExist) {
		a.try(err)
	}
	return strings.Count(string(raw), "\n")
}

// records are those that were not looked at yet.
func (a *arena) records() (out []assent.Record) {
	a.Helper()
	for {
		lines, err := a.log.Lines(a.Context(), a.read, 1000)
		a.try(err)
		if len(lines) == 0 {
			return out
		}
		for _, l := range lines {
			var rec assent.Record
			a.try(json.Unmarshal(l.Leaf, &rec))
			out, a.read = append(out, rec), l.N
		}
	}
}

// between is a random length of time.
func (a *arena) between(from, to time.Duration) time.Duration {
	return from + time.Duration(a.rng.Int64N(int64(max(to-from, 1))))
}
