package sqlite_test

// What Open does with every sort of file.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assent"
	"assent/store/sqlite"
)

func TestAFreshFileIsForTheUserAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "odd ?#%41 name.db")
	s := open(t, path, sqlite.Options{})
	if _, err := s.Append(t.Context(), event("one")); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, f := range found { // the log and its index as well
		if !strings.HasPrefix(f, path) {
			t.Errorf("made %s", f)
		}
		if info, err := os.Stat(f); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
}

func TestWhatWasWrittenIsThereAfterwards(t *testing.T) {
	t.Parallel()
	path := file(t)
	first := open(t, path, sqlite.Options{})
	g := give(t, first, "x", 2)
	second := open(t, path, sqlite.Options{}) // another process, so to speak
	c, call := command("x", "1")
	if _, err := second.Spend(t.Context(), c, call, now, "", event("spend")); err != nil {
		t.Fatal(err)
	}
	grants, err := first.Grants(t.Context(), assent.GrantFilter{})
	if err != nil || len(grants) != 1 || grants[0].ID != g.ID || grants[0].Used != 1 {
		t.Fatal(grants, err)
	}
	if rec, err := first.Append(t.Context(), event("more")); err != nil || rec.N != 4 {
		t.Fatal(rec, err)
	}
}

// untouched opens the file, wants the error, and checks that nothing changed.
func untouched(t *testing.T, path string, want error) error {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
	after, readErr := os.ReadFile(path)
	if readErr != nil || !bytes.Equal(before, after) {
		t.Fatal("the file was changed", readErr)
	}
	return err
}

func TestANewerFileIsRefusedWithBothNumbers(t *testing.T) {
	t.Parallel()
	path := file(t)
	open(t, path, sqlite.Options{}).Close()
	db := raw(t, path)
	execute(t, db, "PRAGMA user_version = 4711")
	db.Close()
	err := untouched(t, path, assent.ErrNewer)
	if !strings.Contains(err.Error(), "4711") || !strings.Contains(err.Error(), fmt.Sprintf("knows %d;", sqlite.Version)) {
		t.Fatalf("%v", err)
	}
}

func TestADamagedFileIsReportedAndLeftAlone(t *testing.T) {
	t.Parallel()
	write := func(content []byte) string {
		path := file(t)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	untouched(t, write([]byte("short")), assent.ErrDamaged)
	untouched(t, write(bytes.Repeat([]byte("not a database. "), 1000)), assent.ErrDamaged)

	path := file(t)
	open(t, path, sqlite.Options{}).Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	untouched(t, write(whole[:5000]), assent.ErrDamaged) // cut off
	header := bytes.Clone(whole)
	copy(header[100:], bytes.Repeat([]byte{0xff}, 50)) // the first page's tree
	untouched(t, write(header), assent.ErrDamaged)
}

func TestTheFileOfAnotherProgramIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, made := range []string{"CREATE TABLE theirs (x)", "PRAGMA application_id = 7", "PRAGMA user_version = 7"} {
		path := file(t)
		db := raw(t, path)
		execute(t, db, made)
		db.Close()
		untouched(t, path, assent.ErrDamaged)
	}
}

func TestADamagedPageIsReportedByTheVerb(t *testing.T) {
	t.Parallel()
	path := file(t)
	s := open(t, path, sqlite.Options{})
	for range 50 {
		d := event("x")
		d.Payload = bytes.Repeat([]byte("payload"), 500)
		if _, err := s.Append(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(whole) - 10*4096; i < len(whole); i++ {
		whole[i] ^= 0x5a
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, sqlite.Options{})
	if _, err := s.Lines(t.Context(), 0, 100); !errors.Is(err, assent.ErrDamaged) {
		t.Fatalf("Lines: %v", err)
	}
}

func TestAnInterruptedStartIsFinished(t *testing.T) {
	t.Parallel()
	empty := file(t)
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, empty, sqlite.Options{})

	half := file(t)
	db := raw(t, half)
	execute(t, db, `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`)
	execute(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)")
	db.Close()
	if _, err := open(t, half, sqlite.Options{}).Append(t.Context(), event("x")); err != nil {
		t.Fatal(err)
	}
}

func TestManyOpenAFreshFileAtOnce(t *testing.T) {
	t.Parallel()
	path, lock := file(t), make(chan struct{}, 1)
	o := sqlite.Options{Lock: mutex(lock)}
	failed := make(chan error)
	for range 8 {
		go func() {
			s, err := sqlite.Open(t.Context(), path, o)
			if err == nil {
				_, err = s.Append(t.Context(), event("x"))
				err = errors.Join(err, s.Close())
			}
			failed <- err
		}()
	}
	for range 8 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if h, err := open(t, path, o).Head(t.Context()); err != nil || h.N != 8 {
		t.Fatal(h, err)
	}
}

// old makes a file of the first schema, with what the queries put into it.
func old(t *testing.T, queries ...string) string {
	t.Helper()
	path := file(t)
	first, err := os.ReadFile("migrations/00001_first.sql")
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, path)
	execute(t, db, string(first))
	execute(t, db, `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`)
	execute(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1)")
	for _, q := range queries {
		execute(t, db, q)
	}
	db.Close()
	return path
}

func TestAnOlderFileKeepsItsSessions(t *testing.T) {
	t.Parallel()
	s := open(t, old(t, `INSERT INTO sessions VALUES ('s1', 7, '', CAST('{"id":"s1","agent":"claude","principal":"uid:1","process":{"pid":42,"start":9,"boot":"b","uid":1},"started":"2026-03-01T12:00:00Z"}' AS BLOB))`), sqlite.Options{})
	list, err := s.Sessions(t.Context())
	if want := (assent.Process{PID: 42, Start: 9, Boot: "b", UID: 1}); err != nil || len(list) != 1 || list[0].Process != want {
		t.Fatal(list, err)
	}
	d := event("again")
	d.Session = &list[0]
	if _, err := s.Append(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Sessions(t.Context()); err != nil || len(again) != 1 { // it is the same process
		t.Fatal(again, err)
	}
}

func TestAnOlderFileKeepsItsRequests(t *testing.T) {
	t.Parallel()
	s := open(t, old(t,
		`INSERT INTO requests VALUES (1, 'approval', 'uid:1', 's1', 'd', 1, CAST('{"kind":"approval"}' AS BLOB), 'denied', '2026-03-01T12:00:00Z', '', 1),
			(2, 'approval', 'uid:1', 's1', 'd', 1, CAST('{"kind":"approval"}' AS BLOB), 'pending', '', '', 1)`,
		`INSERT INTO answers (request, settles, body) VALUES (1, 1, CAST('{"note":"no"}' AS BLOB))`), sqlite.Options{})
	list, err := s.Requests(t.Context(), assent.RequestFilter{})
	if err != nil || len(list) != 2 || list[0].Advice != nil || list[0].Answer == nil || list[0].Answer.Note != "no" || list[1].State != assent.Pending {
		t.Fatal(list, err)
	}
	if r, err := s.Advise(t.Context(), "req_2", assent.Advice{At: now}, event("ask")); err != nil || r.Advice == nil {
		t.Fatal(r, err)
	}
}

func TestAMissingDirectoryIsNamed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none", "assent.db")
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "make it") {
		t.Fatal(err)
	}
	_, err = sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{}) // a directory is no file
	if err == nil {
		t.Fatal("opened a directory")
	}
}

func TestAReadOnlyHomeIsNamed(t *testing.T) {
	t.Parallel()
	dir := "/sys" // where not even the superuser makes files
	if os.Getuid() != 0 {
		dir = t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	_, err := sqlite.Open(t.Context(), filepath.Join(dir, "assent.db"), sqlite.Options{})
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "cannot be written") {
		t.Fatal(err)
	}
}
