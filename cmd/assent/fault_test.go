//go:build unix

package main

// What keeps assent from working: each one clear sentence, and a denial where the
// event gates, well below the agent's own limit.

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"assent/config"
)

// fault is one thing that is wrong with a home.
type fault struct {
	name string
	make func(*gate)
	says string        // in the denial and in what a person is told
	took time.Duration // the hook's bound; 0 = eight seconds, most of them for a busy machine
}

var faults = []fault{
	{"no HOME", func(g *gate) { g.env = g.env[1:] }, "set ASSENT_HOME or HOME to an absolute path", 0},
	{"relative ASSENT_HOME", func(g *gate) { g.env = append(g.env, "ASSENT_HOME=home") }, "set ASSENT_HOME or HOME to an absolute path", 0},
	{"open to others", func(g *gate) { g.try(os.Chmod(g.home, 0o755)) }, "is open to other users (mode 0755): run chmod 700", 0},
	{"a file", func(g *gate) { g.elsewhere("file"); g.try(os.WriteFile(g.home, nil, 0o600)) }, "is not a directory", 0},
	{"below a file", func(g *gate) {
		g.elsewhere("file/home")
		g.try(os.WriteFile(filepath.Dir(g.home), nil, 0o600))
	}, "not a directory", 0},
	{"a link to nothing", func(g *gate) { g.elsewhere("link"); g.try(os.Symlink(filepath.Join(g.dir, "gone"), g.home)) }, "is not a directory", 0},
	{"broken configuration", func(g *gate) { g.write("config.yaml", "approvals:\n  wiat: 3\n") }, `config.yaml:2: there is no key "approvals.wiat"; did you mean "approvals.wait"?`, 0},
	{"configuration is a pipe", func(g *gate) { g.fifo("config.yaml") }, "config.yaml is not a file", 0},
	{"lock is a directory", func(g *gate) { g.try(os.Mkdir(g.path("lock"), 0o700)) }, "cannot lock ", 0},
	{"database is a directory", func(g *gate) { g.try(os.Mkdir(g.path("assent.db"), 0o700)) }, "assent.db cannot be opened", 0},
	{"damaged", func(g *gate) { g.write("assent.db", strings.Repeat("not a database. ", 1000)) }, "assent.db is damaged and was left as it is", 0},
	{"newer", func(g *gate) { g.must("requests"); g.sql("PRAGMA user_version = 4711") }, "has version 4711", 0},
	{"another program's", func(g *gate) { g.sql("CREATE TABLE theirs (x)") }, "is a database of another program", 0},
	{"locked by another program", func(g *gate) { g.must("requests"); g.exclusive() }, "was busy for more than 2s", own},
	{"locked for ever", func(g *gate) { g.must("requests"); g.flock() }, "another process has kept ", own},
	{"locked from the start", (*gate).flock, "another process has kept ", own},
}

func TestAdversarial16EveryFaultIsOneSentenceAndADenial(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			f.make(g)
			g.broken(f.says, f.took)
		})
	}
}

// broken checks what is said where nothing can be decided: to an agent whose call
// gates, to one that only tells, and to a person.
func (g *gate) broken(says string, took time.Duration) {
	g.Helper()
	if took == 0 {
		took = 8 * time.Second
	}
	gating := g.hook("ls", "t1")
	observing := g.begin(strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"Stop"}`), "agent", "assent", "hook", "claude", "--event", "Stop")
	person := g.begin(nil, "assent", "revoke", "--all")
	g.denied(gating(), says, took)
	if s := observing(); s.out != "{}\n" || s.code != 0 || s.took > took {
		g.Errorf("an observer is in the way: %s", s)
	}
	s := person()
	if s.code == 0 || s.out != "" || !strings.HasPrefix(s.err, "assent: ") || !strings.Contains(s.err, says) || strings.Count(s.err, "\n") > 2 {
		g.Errorf("want one sentence that says %q, and perhaps a hint: %s", says, s)
	}
}

// elsewhere moves the home to another place in the test's directory.
func (g *gate) elsewhere(name string) {
	g.home = filepath.Join(g.dir, name)
	g.env = append(g.env, "ASSENT_HOME="+g.home)
}

func (g *gate) fifo(name string) {
	g.try(os.Remove(g.path(name)))
	g.try(syscall.Mkfifo(g.path(name), 0o600))
}

func (g *gate) database() *sql.DB {
	db, err := sql.Open("sqlite", g.path("assent.db"))
	g.try(err)
	db.SetMaxOpenConns(1)
	g.Cleanup(func() { _ = db.Close() })
	return db
}

func (g *gate) sql(statement string) {
	db := g.database()
	_, err := db.Exec(statement)
	g.try(err)
	g.try(db.Close())
}

// exclusive keeps the database to itself, as another program would, until free is
// called.
func (g *gate) exclusive() (free func()) {
	db := g.database()
	_, err := db.Exec("BEGIN EXCLUSIVE")
	g.try(err)
	return func() {
		_, err := db.Exec("ROLLBACK")
		g.try(err)
	}
}

// flock keeps assent's own lock.
func (g *gate) flock() {
	l := flock.New(g.path("lock"), flock.SetPermissions(0o600))
	g.try(l.Lock())
	g.Cleanup(func() { _ = l.Unlock() })
}

func TestTheHomeOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	if os.Getuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	g.try(os.Chown(g.home, 4711, 4711))
	g.broken("belongs to another user (uid 4711): set ASSENT_HOME to a directory of your own", 0)
}

// A socket's directory that somebody else has made is not believed: whoever
// listens there could say yes.
func TestTheSocketOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	if os.Getuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	g.elsewhere(strings.Repeat("x", 120))
	theirs := filepath.Dir(config.Home{Dir: g.home}.Socket())
	g.try(os.Mkdir(theirs, 0o700))
	t.Cleanup(func() { _ = os.RemoveAll(theirs) })
	g.try(os.Chown(theirs, 4711, 4711))
	g.broken(theirs+" belongs to another user (uid 4711)", 0)
}

func TestAHomeThatCannotBeWrittenIsADenial(t *testing.T) {
	t.Parallel()
	for name, fresh := range map[string]bool{"fresh": true, "in use": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			if os.Getuid() == 0 {
				g.become(4711)
			}
			if !fresh {
				g.must("requests")
			}
			g.try(filepath.WalkDir(g.home, func(path string, _ os.DirEntry, err error) error {
				return errorOr(err, func() error { return os.Chmod(path, 0o500) })
			}))
			t.Cleanup(func() { _ = os.Chmod(g.home, 0o700) })
			g.broken(g.home, 0)
		})
	}
}

func errorOr(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

// become runs everything as another user, who owns the test's directory.
func (g *gate) become(uid int) {
	g.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	g.try(filepath.WalkDir(g.dir, func(path string, _ os.DirEntry, err error) error {
		return errorOr(err, func() error { return os.Chown(path, uid, uid) })
	}))
}

// TestAReadOnlyDiskIsADenial has the home on a mount that is read-only, where this
// machine lets us mount.
func TestAReadOnlyDiskIsADenial(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	g.must("requests")
	if !g.mount("--bind", g.home) {
		t.Skip("nothing can be mounted here; TestAHomeThatCannotBeWrittenIsADenial stands in")
	}
	g.try(exec.Command("mount", "-o", "remount,ro,bind", g.home).Run())
	g.broken(g.home, 0)
}

// TestAdversarial16AFullDiskIsADenial fills the disk that the home is on, with a server running
// and without.
func TestAdversarial16AFullDiskIsADenial(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"server": "no space is left for ", "no server": "its free space"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t)
			if !g.mount("-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs") {
				t.Skip("nothing can be mounted here; TestAFileThatMayNotGrowIsADenial stands in")
			}
			if name == "server" {
				g.serve()
			}
			g.must("requests")
			g.fill()
			g.broken(says, 0)
		})
	}
}

// fill leaves no room on the disk of the home.
func (g *gate) fill() {
	f, err := os.Create(g.path("fill"))
	g.try(err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	g.try(f.Close())
}

// TestAFileThatMayNotGrowIsADenial is a full disk for those who cannot mount one:
// no file may grow beyond some blocks (EFBIG).
func TestAFileThatMayNotGrowIsADenial(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	g.must("requests")
	s := g.begin(payload("ls", "t1"), "agent", "sh", "-c", "ulimit -f 1; exec assent hook claude --event PreToolUse")()
	g.denied(s, "assent.db", 8*time.Second)
}

// mount mounts something on the home until the test's end, and reports whether
// that could be done.
func (g *gate) mount(args ...string) bool {
	if exec.Command("mount", append(args, g.home)...).Run() != nil {
		return false
	}
	g.Cleanup(func() {
		if err := exec.Command("umount", "-l", g.home).Run(); err != nil {
			g.Error(err)
		}
	})
	return true
}
