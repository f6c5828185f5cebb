package sqlite

// What cannot be seen from outside: a full disk, and the plans of the queries
// that every call waits for.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent"
)

func openInner(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "assent.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAFullDiskIsNamedAndNothingHappened(t *testing.T) {
	t.Parallel()
	s := openInner(t)
	d := assent.Draft{Record: assent.Record{At: time.Unix(1, 0), Kind: assent.KindEvent}, Payload: bytes.Repeat([]byte("x"), 100_000)}
	if _, err := s.Append(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		if _, err := s.writer.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // not below what is in use
	for range 2 {
		_, err := s.Append(t.Context(), d)
		if err == nil || !strings.Contains(err.Error(), "no space is left") {
			t.Fatal(err)
		}
	}
	if h, err := s.Head(t.Context()); err != nil || h.N != 1 {
		t.Fatal(h, err)
	}
	limit(1 << 30)
	if rec, err := s.Append(t.Context(), d); err != nil || rec.N != 2 {
		t.Fatal(rec, err)
	}
}

func TestWhatTheSystemReportsIsExplained(t *testing.T) {
	t.Parallel()
	s := &Store{path: "/home/u/assent.db"}
	for want, err := range map[string]error{
		"no space is left":                    &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC},
		"does not exist":                      fs.ErrNotExist,
		"check who owns it":                   &os.PathError{Op: "open", Path: "x", Err: syscall.EROFS},
		"check who owns it and its":           fs.ErrPermission,
		assent.ErrNoSuchGrant.Error():         assent.ErrNoSuchGrant,
		"directory of /home/u/assent.db does": fs.ErrNotExist,
	} {
		got := s.explain(fmt.Errorf("inner: %w", err))
		if !errors.Is(got, err) || !strings.Contains(got.Error(), want) {
			t.Errorf("%v became %q, want %q in it", err, got, want)
		}
	}
}

// The queries that Ask, Spend, Append and the sweeper wait for look things up.
// None of them reads a table, nor sorts one, however much is in it. What a
// session holds is sorted when it ends.
func TestHotQueriesUseAnIndex(t *testing.T) {
	t.Parallel()
	s := openInner(t)
	named := regexp.MustCompile(`(?s)-- name: (\w+) :\w+\n(.*?);`)
	hot := map[string]bool{}
	for _, name := range []string{
		"Head", "Record", "Session", "PendingOf", "CountWaiting", "CountPending", "LastRequest", "Request", "Due", "ChangeRequest", "Vouching", "NewestChange", "RunningCalls", "Handle", "HandleByHash", "LastHandle",
		"LastGrant", "Grant", "ExactLive", "ExactBefore", "ClassLive", "ClassBefore", "ChangeGrant",
		"Call", "NewestOpenCall", "UpdateCall", "EndCall", "CloseCall", "CloseCalls", "CloseCallsWithin", "ForgetSessions", "SessionsWithin", "UnrevokedOf", "RequestsOf", "RequestsIn", "Lines", "KeyRecords",
	} {
		hot[name] = true
	}
	files, err := filepath.Glob("queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if hot[m[1]] {
				delete(hot, m[1])
				s.planned(t, m[1], regexp.MustCompile(`sqlc\.arg\((\w+)\)`).ReplaceAllString(m[2], ":$1"))
			}
		}
	}
	for name := range hot {
		t.Errorf("there is no query %s", name)
	}
}

func (s *Store) planned(t *testing.T, name, query string) {
	t.Helper()
	var args []any
	for range strings.Count(query, "?") + strings.Count(query, ":") {
		args = append(args, nil)
	}
	rows, err := s.writer.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+regexp.MustCompile(`:\w+`).ReplaceAllString(query, "?"), args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		table := strings.HasPrefix(detail, "SCAN") && !strings.Contains(detail, "INDEX") && !strings.Contains(detail, "CONSTANT") && !strings.Contains(detail, "subquery")
		if table && !strings.Contains(query, "ORDER BY n DESC LIMIT 1") || strings.Contains(detail, "TEMP B-TREE") && !strings.HasPrefix(name, "Class") && name != "UnrevokedOf" {
			t.Errorf("%s: %s", name, detail)
		}
	}
}
