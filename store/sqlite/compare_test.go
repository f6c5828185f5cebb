package sqlite_test

// What verbs cost beside others, in one run: the ratios count, the times are the
// machine's.

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"assent"
	"assent/store/sqlite"
)

// BenchmarkSpendAgainstBareCommit spends, and beside each use commits one small row to
// another file with the same settings.
func BenchmarkSpendAgainstBareCommit(b *testing.B) {
	for name, o := range map[string]sqlite.Options{"plain": {}, "witness": {Witness: witness}} {
		b.Run(name, func(b *testing.B) {
			s := open(b, file(b), o)
			give(b, s, "x", 1<<40)
			bare := bareFile(b)
			i := 0
			c := stopwatches{b: b}
			for b.Loop() {
				i++
				c.time("bare", func() error {
					_, err := bare.ExecContext(b.Context(), "INSERT INTO rows (body) VALUES (?)", "a small row")
					return err
				})
				matter, call := command("x", fmt.Sprint(i))
				c.time("spend", func() error {
					_, err := s.Spend(b.Context(), matter, call, now, "", event("spend"))
					return err
				})
			}
			c.report("spend", "bare")
		})
	}
}

// bareFile is a database that syncs as the store does.
func bareFile(b *testing.B) *sql.DB {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file(b))+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	execute(b, db, "CREATE TABLE rows (n INTEGER PRIMARY KEY, body TEXT)")
	return db
}

// BenchmarkRevokeRoot revokes a grant with few descendants, and beside it one with many.
func BenchmarkRevokeRoot(b *testing.B) {
	few, many := family(b, 10), family(b, 10_000)
	c := stopwatches{b: b}
	for b.Loop() {
		for name, f := range map[string]*descendants{"few": few, "many": many} {
			c.time(name, f.revoke)
			f.restore(b)
		}
	}
	c.report("many", "few")
}

// descendants is a store with a root and what came out of it.
type descendants struct {
	*sqlite.Store
	db *sql.DB
	b  *testing.B
}

func family(b *testing.B, n int) *descendants {
	path := file(b)
	f := &descendants{open(b, path, sqlite.Options{Witness: witness}), raw(b, path), b}
	f.db.SetMaxOpenConns(1)
	root := give(b, f, "x", 1<<40)
	_, err := f.Give(b.Context(), assent.Grant{Parent: root.ID, Width: assent.Once, Scope: root.Scope, From: now, Until: now.Add(time.Hour)}, yes("child"))
	if err != nil {
		b.Fatal(err)
	}
	execute(b, f.db, `WITH RECURSIVE more (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM more WHERE n <= ?)
		INSERT INTO grants SELECT more.n, parent, record, digest, tool, principal, session, width, until, uses, body, 0, '', '', '', 0, changed, mark
		FROM more, grants g WHERE g.n = 2`, n)
	execute(b, f.db, "CREATE TABLE kept AS SELECT * FROM grants WHERE n = 1")
	return f
}

func (f *descendants) revoke() error {
	gone, err := f.Revoke(f.b.Context(), assent.Selection{ID: "gr_1"}, "ann", now, kind(assent.KindRevoke))
	if err == nil && len(gone) != 1 {
		err = fmt.Errorf("revoked %d", len(gone))
	}
	return err
}

// restore puts the root back as it was, as nobody but a vandal could.
func (f *descendants) restore(b *testing.B) {
	execute(b, f.db, "INSERT OR REPLACE INTO grants SELECT * FROM kept")
	execute(b, f.db, "DELETE FROM changes WHERE grant_n = 1 AND record > (SELECT changed FROM kept)")
}

// stopwatches time things side by side.
type stopwatches struct {
	b     *testing.B
	total map[string]time.Duration
}

func (c *stopwatches) time(name string, do func() error) {
	if c.total == nil {
		c.total = map[string]time.Duration{}
	}
	start := time.Now()
	err := do()
	c.total[name] += time.Since(start)
	if err != nil {
		c.b.Fatal(name, err)
	}
}

// report prints how long each took, and the ratio of two.
func (c *stopwatches) report(over, under string) {
	for name, d := range c.total {
		c.b.ReportMetric(float64(d.Microseconds())/float64(c.b.N), "µs/"+name)
	}
	c.b.ReportMetric(float64(c.total[over])/float64(c.total[under]), over+"/"+under)
	c.b.ReportMetric(0, "ns/op")
}
