package sqlite_test

// Whoever writes into the file whose session is whose makes nobody a holder, and is found.

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"assent"
	"assent/audit"
	"assent/store/sqlite"
	"assent/store/storetest"
)

// noted says that a process speaks for a session, some seconds from now.
func noted(t testing.TB, s assent.Store, id string, pid, after int) error {
	t.Helper()
	d := event("note")
	d.Record.At = now.Add(time.Duration(after) * time.Second)
	d.Session = &assent.Session{ID: id, Agent: "claude", Process: assent.Process{PID: pid, Start: 5, Boot: "b"}, Started: d.Record.At}
	_, err := s.Append(t.Context(), d)
	return err
}

// spoken is a scene in which the process 1 speaks for s1, 2 has spoken for s2, which has
// ended, and 3 is in s3.
func spoken(t *testing.T) scene {
	t.Helper()
	path := file(t)
	s := scene{open(t, path, sqlite.Options{Witness: witness}), t, raw(t, path)}
	s.db.SetMaxOpenConns(1)
	for n := range 3 {
		s.must(noted(t, s, fmt.Sprint("s", n+1), n+1, 10+n))
	}
	_, err := s.EndSession(t.Context(), "s2", now.Add(time.Hour), event("end"))
	s.must(err)
	_, err = audit.Reconcile(t.Context(), s.Store, witness)
	s.must(err)
	return s
}

// doubted are the sessions that are doubtful, each as "id/pid", and how many are not.
func doubted(t testing.TB, s assent.Store) (doubtful []string, sure int) {
	t.Helper()
	list, err := s.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if !v.Doubtful {
			sure++
			continue
		}
		doubtful = append(doubtful, fmt.Sprintf("%s/%d", v.ID, v.Process.PID))
	}
	return doubtful, sure
}

// earlier puts in a row in which the process 9 has spoken for s1 before anybody else.
func earlier(mark string) string {
	return `INSERT INTO sessions SELECT id, boot, 9, start, started - 5000000000, '', CAST(replace(replace(CAST(body AS TEXT), '"pid":1', '"pid":9'), '12:00:10', '12:00:05') AS BLOB), ` +
		mark + ` FROM sessions WHERE id = 's1'`
}

func TestASessionThatSomebodyElseWroteIsDoubtfulAndNamed(t *testing.T) {
	t.Parallel()
	of := func(id, set string) string { return fmt.Sprintf(`UPDATE sessions SET %s WHERE id = '%s'`, set, id) }
	replaced := func(old, new string) string {
		return fmt.Sprintf(`body = CAST(replace(CAST(body AS TEXT), '%s', '%s') AS BLOB)`, old, new)
	}
	for name, x := range map[string]struct {
		forge, doubtful, named string
		sure                   int
	}{
		"an earlier row put in":        {earlier("NULL"), "s1/9", `session "s1" of process 9: its row has no mark`, 3},
		"with the mark of another":     {earlier("mark"), "s1/9", `session "s1" of process 9: its row is not`, 3},
		"with a mark of its own":       {earlier("randomblob(32)"), "s1/9", `session "s1" of process 9: its row is not`, 3},
		"another process":              {of("s1", "pid = 9, "+replaced(`"pid":1`, `"pid":9`)), "s1/9", `session "s1" of process 9: its row is not`, 2},
		"another process, for looks":   {of("s1", "pid = 9"), "s1/1", `session "s1" of process 9: its row is not`, 2},
		"another process, in the body": {of("s1", replaced(`"pid":1`, `"pid":9`)), "s1/9", `session "s1" of process 1: its row is not`, 2},
		"another start":                {of("s1", "start = 6"), "s1/1", `session "s1" of process 1: its row is not`, 2},
		"another boot":                 {of("s1", "boot = ''"), "s1/1", `session "s1" of process 1: its row is not`, 2},
		"another session":              {of("s3", "id = 's1', "+replaced(`"id":"s3"`, `"id":"s1"`)), "s1/3", `session "s1" of process 3: its row is not`, 2},
		"an earlier beginning":         {of("s3", "started = 1"), "s3/3", `session "s3" of process 3: its row is not`, 2},
		"an end taken back":            {of("s2", "ended = ''"), "s2/2", `session "s2" of process 2: its row is not`, 2},
		"an end":                       {of("s1", "ended = '2026-03-01T12:00:00Z'"), "s1/1", `session "s1" of process 1: its row is not`, 2},
		"no mark":                      {of("s1", "mark = NULL"), "s1/1", `session "s1" of process 1: its row has no mark`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := spoken(t)
			s.do(x.forge)
			if got, sure := doubted(t, s); fmt.Sprint(got) != "["+x.doubtful+"]" || sure != x.sure {
				t.Errorf("doubtful are %v, and %d are not; want %s and %d", got, sure, x.doubtful, x.sure)
			}
			s.named(x.named)
			if got, _ := doubted(t, open(t, s.path(), sqlite.Options{})); got != nil {
				t.Errorf("without a witness %v are doubtful", got)
			}
		})
	}
}

// Who notes a session, or ends it, takes nothing over of what somebody else wrote of it.
func TestAForgedSessionIsNotMadeGood(t *testing.T) {
	t.Parallel()
	s := spoken(t)
	s.do(earlier("mark"))
	_, err := s.EndSession(t.Context(), "s1", now.Add(time.Hour), event("end"))
	s.must(err)
	if got, sure := doubted(t, s); fmt.Sprint(got) != "[s1/9]" || sure != 3 {
		t.Fatalf("once it has ended, %v are doubtful, and %d are not", got, sure)
	}
	s.named(`session "s1" of process 9`)

	s = spoken(t)
	s.do(earlier("mark"))
	s.must(noted(t, s, "s1", 9, 60))
	list, err := s.Sessions(t.Context())
	s.must(err)
	if last := list[len(list)-1]; len(list) != 4 || last.Process.PID != 9 || last.Doubtful || !last.Started.Equal(now.Add(time.Minute)) {
		t.Fatalf("it is not the last that spoke: %+v", list)
	}
}

// What is noted again goes on from where it started, with the mark that it had.
func TestANotedSessionStaysSure(t *testing.T) {
	t.Parallel()
	s := spoken(t)
	s.must(noted(t, s, "s1", 1, 60))
	s.must(noted(t, s, "s2", 2, 61)) // it had ended
	list, err := s.Sessions(t.Context())
	s.must(err)
	if got, sure := doubted(t, s); got != nil || sure != 3 || list[0].ID != "s1" || !list[0].Started.Equal(now.Add(10*time.Second)) || list[2].ID != "s2" || !list[2].Ended.IsZero() {
		t.Fatalf("%v: %+v", got, list)
	}
	_, err = audit.Reconcile(t.Context(), s.Store, witness)
	s.must(err)
}

// Under another key all are doubtful, until they are noted under it; without the key that
// is not to be told, and none is noted.
func TestSessionsUnderAnotherKeyAreDoubtful(t *testing.T) {
	t.Parallel()
	s := spoken(t)
	m := open(t, s.path(), sqlite.Options{Witness: mute{}})
	if list, err := m.Sessions(t.Context()); !errors.Is(err, errMute) {
		t.Error(list, err)
	}
	if err := noted(t, m, "s4", 4, 60); !errors.Is(err, errMute) {
		t.Error(err)
	}
	stranger := open(t, s.path(), sqlite.Options{Witness: storetest.NewWitness()})
	if got, sure := doubted(t, stranger); len(got) != 3 || sure != 0 {
		t.Error(got, sure)
	}
	s.must(noted(t, stranger, "s1", 1, 60))
	if got, sure := doubted(t, stranger); len(got) != 2 || sure != 1 {
		t.Error(got, sure)
	}
}

func BenchmarkSessions(b *testing.B) {
	for name, o := range map[string]sqlite.Options{"plain": {}, "marked": {Witness: witness}} {
		b.Run(name, func(b *testing.B) {
			s := open(b, file(b), o)
			for n := range 1000 {
				if err := noted(b, s, fmt.Sprint("s", n), n+1, n); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if list, err := s.Sessions(b.Context()); err != nil || len(list) != 1000 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}

func BenchmarkNoted(b *testing.B) {
	for name, o := range map[string]sqlite.Options{"plain": {}, "marked": {Witness: witness}} {
		b.Run(name, func(b *testing.B) {
			s := open(b, file(b), o)
			for b.Loop() {
				if err := noted(b, s, "s1", 1, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
