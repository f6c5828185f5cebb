package main

// An agent that writes into the database, while a server has it open and while none
// has: what it writes does not count, and the log's verification names the place.

import (
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/internal/peer"
	"assent/roster"
)

// database opens the file that the agent writes to.
func (a *rogue) database() *sql.DB {
	a.Helper()
	db, err := sql.Open("sqlite", "file:"+a.path("assent.db")+"?_pragma=busy_timeout(10000)")
	a.try(err)
	a.Cleanup(func() { _ = db.Close() })
	return db
}

// forges runs a statement, which changes something.
func (a *rogue) forges(statement string, values ...any) {
	a.Helper()
	r, err := a.database().ExecContext(a.Context(), statement, values...)
	a.try(err)
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		a.Fatalf("%s changes nothing: %v", statement, err)
	}
}

// chains appends a record as assent would, with another's signature if there is one.
func (a *rogue) chains(rec assent.Record) (n uint64) {
	a.Helper()
	db := a.database()
	a.try(db.QueryRowContext(a.Context(), "SELECT n, hash FROM records ORDER BY n DESC LIMIT 1").Scan(&rec.N, &rec.Prev))
	rec.N, rec.At = rec.N+1, time.Now()
	leaf, err := rec.Leaf()
	a.try(err)
	a.forges("INSERT INTO records (n, leaf, hash, kind, session) VALUES (?, ?, ?, ?, '')", int64(rec.N), leaf, assent.LeafHash(leaf), rec.Kind)
	return rec.N
}

// given has a person say yes once, which the agent uses: gr_1 is spent, and its next
// call is req_2.
func (a *rogue) given() (key string) {
	a.Helper()
	key = a.key()
	a.must("approve", "1", "--key", key)
	if decision, tell := a.asks(); decision != "allow" {
		a.Fatal(decision, tell)
	}
	a.stopped()
	return key
}

func TestAdversarial04ByForgedRows(t *testing.T) {
	for name, x := range map[string]struct {
		forge func(*rogue)
		place string
	}{
		"a use set back": {func(a *rogue) { a.forges("UPDATE grants SET used = 0") }, "grant gr_1: its row is not what assent wrote"},
		"a later end":    {func(a *rogue) { a.forges("UPDATE grants SET used = 0, until = until + 1000000000000") }, "grant gr_1: its row is not what assent wrote"},
		"no mark":        {func(a *rogue) { a.forges("UPDATE grants SET used = 0, mark = NULL") }, "grant gr_1: its row has no mark"},
		"more uses":      {func(a *rogue) { a.forges(replace("grants", `"uses":1`, `"uses":99`)) }, "grant gr_1: its row is not what assent wrote"},
		"a call as its own": {func(a *rogue) {
			a.forges(fmt.Sprintf("UPDATE calls SET id = 'c%d', closed = '' WHERE grant_id = 'gr_1'", a.calls+1))
		}, ": its row is not what assent wrote"},
		"a grant with a chained record": {func(a *rogue) { a.copies(nil) }, `it is of the kind "answer", and this home's key did not sign it`},
		"and with another's signature":  {func(a *rogue) { a.copies(a.signature()) }, "its signature is not that of this home's key"},
		"a request's yes": {func(a *rogue) {
			a.forges("UPDATE requests SET state = 'approved', settled = '2026-01-01T00:00:00Z', grant_id = 'gr_1' WHERE n = 2")
		}, "request req_2: its row is not what assent wrote"},
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				a.given()
				x.forge(a)
				a.broken(x.place) // before it is written over
				a.notLet()
			})
		})
	}
}

// notLet checks that the agent's call is denied, in whatever words.
func (a *rogue) notLet() {
	a.Helper()
	if s := a.hooked(); !strings.Contains(s.out, `{"decision":"deny"`) || s.code != 0 {
		a.Errorf("let through: %s", s)
	}
}

func replace(table, old, new string) string {
	return fmt.Sprintf("UPDATE %s SET body = CAST(replace(CAST(body AS TEXT), '%s', '%s') AS BLOB) WHERE instr(CAST(body AS TEXT), '%s') > 0", table, old, new, old)
}

// copies puts in a grant like the first, unused, with a record that gives it.
func (a *rogue) copies(sig []byte) {
	a.Helper()
	var l struct{ Record assent.Record }
	for _, line := range strings.Split(strings.TrimSpace(a.must("log", "--json")), "\n") {
		if a.try(json.Unmarshal([]byte(line), &l)); l.Record.Kind == assent.KindAnswer {
			break
		}
	}
	l.Record.Grant, l.Record.Sig = "gr_2", sig
	n := a.chains(l.Record)
	a.forges(`INSERT INTO grants (n, parent, record, digest, tool, principal, session, width, until, uses, body, used, last_used, revoked, revoked_by, taken, changed, mark)
		SELECT 2, parent, ?, digest, tool, principal, session, width, until, uses, body, 0, '', '', '', 0, ?, mark FROM grants WHERE n = 1`, int64(n), int64(n))
	a.forges("INSERT INTO changes VALUES (2, ?)", int64(n))
}

// signature is that of the person's yes.
func (a *rogue) signature() []byte {
	a.Helper()
	_, rest, _ := strings.Cut(a.must("log", "--json"), `"sig":"`)
	text, _, _ := strings.Cut(rest, `"`)
	sig, err := base64.StdEncoding.DecodeString(text)
	a.try(err)
	return sig
}

func TestAdversarial04ByEmptyingARevocation(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		a.must("approve", "1", "--session", "--key", key)
		a.must("revoke", "gr_1", "--key", key)
		a.forges("UPDATE grants SET revoked = '', revoked_by = ''")
		a.notLet()
		if out := a.must("grants", "--all"); !strings.Contains(out, "gr_1  void") {
			t.Error(out)
		}
		a.broken("grant gr_1: its row is not what assent wrote")
		if s := a.assent("approve", "2", "--key", key); s.code != 0 { // the agent's own call is asked anew, and a person's yes is heard
			t.Error(s)
		}
	})
}

// What was asked is widened before the person looks: then nobody can say yes to it.
func TestAdversarial04ByWideningWhatIsAsked(t *testing.T) {
	for name, statement := range map[string]string{
		"the offers":  replace("requests", `"offers":[{"scope":{"digest"`, `"offers":[{"scope":{"tool":"*"},"text":"this"},{"scope":{"digest"`),
		"the session": replace("requests", `"session":"s1"`, `"session":"s2"`),
		"the command": replace("requests", "git push --force origin main", "git push origin main"),
		"the digest":  "UPDATE requests SET digest = '" + hex.EncodeToString(make([]byte, sha256.Size)) + "'",
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				key := a.key()
				a.forges(statement)
				s := a.assent("approve", "1", "--key", key)
				if s.code == 0 || !strings.Contains(s.err, "req_1 is not what assent wrote there") {
					t.Error(s)
				}
				if out := a.must("grants", "--all"); out != "no grants\n" {
					t.Error(out)
				}
				a.broken("request req_1: its row is not what assent wrote")
			})
		})
	}
}

// A key of its own, with a record that makes it count, and used where nothing leads to
// the agent any more.
func TestAdversarial04ByAKeyOfItsOwn(t *testing.T) {
	for name, recorded := range map[string]bool{"in approvers": false, "with a chained record": true} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				a.key()
				public, err := roster.Create(a.path("approvers"), "mine", a.dir+"/mine.key", nil)
				a.try(err)
				if recorded {
					data, err := json.Marshal(assent.Enrollment{Name: "mine", Key: roster.Fingerprint(public), Public: public, At: time.Now()})
					a.try(err)
					a.chains(assent.Record{Kind: assent.KindKey, By: "key:" + roster.Fingerprint(public), Note: "mine", Data: data})
				}
				a.refused(a.does("assent approve 1 --key mine.key"), exitForbidden, never)
				s := a.orphan("pty", "assent approve 1 --key mine.key")
				a.refused(s, exitForbidden, `approver key "mine" is not vouched for`)
				if out := a.must("grants", "--all"); out != "no grants\n" {
					t.Error(out)
				}
				if recorded {
					a.broken(`it is of the kind "key", and this home's key did not sign it`)
					return
				}
				a.still()
				a.recorded(`approver key "mine" is not vouched for`, `approver key "mine" is not vouched for`)
			})
		})
	}
}

// Which process an agent is stands in the database, and a server remembers it. Where it
// was forgotten, or another put in its place, nobody but the holder of a key shows that it
// is not this one.
func TestAdversarial04ByForgettingTheAgent(t *testing.T) {
	for name, x := range map[string]struct{ statement, named string }{
		"deleted": {statement: "DELETE FROM sessions"},
		"another in its place": {
			"UPDATE sessions SET pid = 4194303, body = CAST(json_set(CAST(body AS TEXT), '$.process.pid', 4194303) AS BLOB)",
			`session "s1" of process 4194303: its row is not what assent wrote`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				a.forges(x.statement)
				sentence := never
				if a.health() != nil {
					sentence = "which process asks is not known, so it may be this one"
				}
				a.refused(a.does("attacker pty assent approve 1"), exitForbidden, sentence)
				if x.named != "" {
					a.broken(x.named)
				}
				a.still()
			})
		})
	}
}

// A helper that nothing leads from to the agent any more puts itself before it in the
// database, as the first that has spoken for its session: it holds nothing of it.
func TestAdversarial04ByBeingThereFirst(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		if s := a.does("assent exec --ask -- touch made"); s.code != exitAsk {
			t.Fatal(s)
		}
		a.must("approve", "2", "--session", "--key", key)
		out := filepath.Join(a.dir, "helper")
		pid := a.helper(out, "assent exec -- touch made")
		a.first(pid)
		a.try(os.WriteFile(out+".go", nil, 0o600))
		a.refused(a.ended(out), exitAsk, "no grant covers it")
		if _, err := os.Stat(filepath.Join(a.dir, "made")); err == nil {
			t.Error("it ran")
		}
		a.broken(fmt.Sprintf(`session "s1" of process %d: its row is not what assent wrote`, pid))
		if s := a.does("assent exec -- touch made"); s.code != 0 {
			t.Error("the agent has lost what it was granted", s)
		}
	})
}

// helper leaves a process that is nobody's child, and that runs a line once there is a file
// out.go. It returns its number.
func (a *rogue) helper(out, line string) (pid int) {
	a.Helper()
	text := fmt.Sprintf("echo $$ >%[1]s.new && mv %[1]s.new %[1]s.pid\nuntil [ -e %[1]s.go ]; do sleep 0.01; done\n%[2]s\n", out, line)
	a.try(os.WriteFile(out+".sh", []byte(text), 0o600))
	if s := a.does("attacker orphan " + out + " setsid sh " + out + ".sh"); s.code != 0 {
		a.Fatal(s)
	}
	a.until("the helper", func() bool {
		raw, err := os.ReadFile(out + ".pid")
		_, bad := fmt.Sscan(string(raw), &pid)
		return err == nil && bad == nil
	})
	return pid
}

// first puts a process in the database as one that has spoken for s1 before anybody did.
func (a *rogue) first(pid int) {
	a.Helper()
	p, err := peer.Inspect(pid)
	a.try(err)
	process, err := json.Marshal(p)
	a.try(err)
	a.forges(`INSERT INTO sessions (id, boot, pid, start, started, ended, body, mark)
		SELECT id, ?, ?, ?, 1, '', CAST(json_set(CAST(body AS TEXT), '$.process', json(?), '$.started', '1970-01-01T00:00:00Z') AS BLOB), mark FROM sessions WHERE id = 's1'`,
		p.Boot, p.PID, int64(p.Start), string(process))
}
