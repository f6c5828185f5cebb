//go:build unix

package main

// The commands as people and agents type them: testdata/script/*.txtar, each in a
// home of its own.

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // for the command sql

	"assent/config"
	"assent/internal/peer"
)

func TestScript(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for name, value := range map[string]string{
				"HOME": home, "ASSENT_HOME": filepath.Join(home, ".assent"), "A": filepath.Join(home, ".assent"),
				"BIN": bin, "GORACE": "atexit_sleep_ms=0", "PATH": bin + ":" + os.Getenv("PATH"), "KEY": filepath.Join(home, ".assent", "me.key"),
			} {
				e.Setenv(name, value)
			}
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "until": until, "served": served, "terminate": terminate, "home": makeHome, "flip": flip, "sql": runSQL,
		},
	})
}

// notUnderAnAgent skips tests in which a person answers, where this very test is
// run by an agent.
func notUnderAnAgent(t *testing.T) {
	if how := peer.Lead(peer.Self(), nil); how != "" {
		t.Skip("nobody can answer here, for this test itself runs under an agent: " + how)
	}
}

// exits CODE PROGRAM ARGS… runs a program that ends with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	got := 0
	if errors.As(err, &ended) {
		got = ended.ExitCode()
	} else if err != nil {
		ts.Check(err)
	}
	if (got == want) == neg {
		ts.Fatalf("exit %d, want %d", got, want)
	}
}

// until PROGRAM ARGS… runs a program again and again until it ends well.
func until(ts *testscript.TestScript, neg bool, args []string) {
	poll(ts, strings.Join(args, " "), func() bool { return (ts.Exec(args[0], args[1:]...) == nil) != neg })
}

func poll(ts *testscript.TestScript, what string, done func() bool) {
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("in vain: %s", what)
		}
	}
}

// served waits until a server answers.
func served(ts *testscript.TestScript, neg bool, _ []string) {
	c := config.Home{Dir: ts.Getenv("ASSENT_HOME")}.Client()
	poll(ts, "a server", func() bool {
		_, err := c.Health(context.Background())
		return (err == nil) != neg
	})
}

// terminate ends the first background program as a service manager does.
func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.BackgroundCmds()[0].Process.Signal(syscall.SIGTERM))
}

// home TEXT… makes assent's home, with a configuration of these lines.
func makeHome(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.Getenv("ASSENT_HOME")
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(strings.Join(args, "\n")+"\n"), 0o600))
}

// flip FILE TEXT changes one bit of each place in a file that holds the text: a database
// keeps more than one, of which one counts.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	raw := []byte(ts.ReadFile(args[0]))
	flipped := []byte(args[1])
	flipped[0] ^= 1
	changed := bytes.ReplaceAll(raw, []byte(args[1]), flipped)
	if bytes.Equal(changed, raw) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), changed, 0o600))
}

// sql FILE STATEMENT… changes a database behind assent's back.
func runSQL(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	for _, statement := range args[1:] {
		_, err := db.Exec(statement)
		ts.Check(err)
	}
}
