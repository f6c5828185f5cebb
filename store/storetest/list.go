package storetest

// Promises about calls, sessions and lists.

import (
	"context"
	"fmt"
	"testing"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

func finishes(k *kit) {
	open := func(session, id, command string) assent.Call {
		c := shell(command)
		c.Session = session
		call := callOf(c, id)
		_, err := k.Ask(k.Context(), k.request(c), call, wide, k.draft(assent.KindEvent))
		k.must(err)
		return call
	}
	calls := []assent.Call{open("s1", "a", "x"), open("s1", "b", "y"), open("s1", "c", "z"), open("s2", "a", "x")}
	check := func(want ...bool) {
		k.Helper()
		for i, c := range calls {
			got, err := k.Call(k.Context(), c.Session, c.ID, c.Digest)
			k.must(err)
			equal(k, fmt.Sprintf("call %d is open", i), got.Closed.IsZero(), want[i])
		}
	}
	check(true, true, true, true)
	k.must(k.Finish(k.Context(), "s1", "a", k.draft(assent.KindEvent)))
	check(false, true, true, true)
	first, err := k.Call(k.Context(), "s1", "a", calls[0].Digest)
	k.must(err)
	before := k.head()
	k.now = k.now.Add(time.Minute)
	k.must(k.Finish(k.Context(), "s1", "a", k.draft(assent.KindEvent)))
	k.must(k.Finish(k.Context(), "s1", "nobody", k.draft(assent.KindEvent)))
	k.wrote(before, 2)
	again, err := k.Call(k.Context(), "s1", "a", calls[0].Digest)
	k.must(err)
	equal(k, "closed once", again.Closed.Equal(first.Closed), true)
	k.must(k.Finish(k.Context(), "s1", "", k.draft(assent.KindEvent)))
	check(false, false, false, true)
}

func findsCalls(k *kit) {
	for _, id := range []string{"a", "b"} {
		_, err := k.Ask(k.Context(), k.request(shell("x")), callOf(shell("x"), id), wide, k.draft(assent.KindEvent))
		k.must(err)
	}
	find := func(session, id string, want string) {
		k.Helper()
		c, err := k.Call(k.Context(), session, id, shell("x").Digest())
		if want == "" {
			k.is(err, assent.ErrNotFound)
			return
		}
		k.must(err)
		equal(k, "call", c.ID, want)
		equal(k, "opened", c.Opened.Equal(start), true)
	}
	find("s1", "a", "a")
	find("s1", "", "b")
	find("s1", "c", "")
	find("s2", "", "")
	_, err := k.Call(k.Context(), "s1", "a", shell("y").Digest())
	k.is(err, assent.ErrNotFound)
	k.must(k.Finish(k.Context(), "s1", "b", k.draft(assent.KindEvent)))
	find("s1", "", "a")
	find("s1", "b", "b")
	_, err = k.Ask(k.Context(), k.request(shell("x")), callOf(shell("x"), "b"), wide, k.draft(assent.KindEvent))
	k.must(err)
	find("s1", "", "b") // opened anew
	k.must(k.Finish(k.Context(), "s1", "", k.draft(assent.KindEvent)))
	find("s1", "", "")
}

func sessions(k *kit) {
	pid, boot := 42, "boot"
	note := func(id string, started time.Time, dir string) {
		d := k.draft(assent.KindEvent)
		d.Session = &assent.Session{
			ID: id, Agent: "test", Principal: "uid:1", Dir: dir, Started: started, Ended: k.now,
			Process: assent.Process{PID: pid, Start: 7, Boot: boot, UID: 1, Group: 42, SID: 40, TTY: 3},
		}
		_, err := k.Append(k.Context(), d)
		k.must(err)
	}
	list := func(want ...string) []assent.Session {
		k.Helper()
		got, err := k.Sessions(k.Context())
		k.must(err)
		var ids []string
		for _, s := range got {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			k.Fatalf("sessions (-want +got):\n%s", diff)
		}
		return got
	}
	list()
	note("", k.now, "/")
	list()
	note("late", k.now.Add(time.Second), "/a")
	note("b", k.now, "/a")
	note("a", k.now, "/a")
	list("a", "b", "late")
	note("late", k.now.Add(time.Hour), "/b")
	late := list("a", "b", "late")[2]
	equal(k, "directory", late.Dir, "/b")
	equal(k, "started", late.Started.Equal(k.now.Add(time.Second)), true)
	equal(k, "process", late.Process, assent.Process{PID: 42, Start: 7, Boot: "boot", UID: 1, Group: 42, SID: 40, TTY: 3})
	_, err := k.EndSession(k.Context(), "late", k.now, k.draft(assent.KindEvent))
	k.must(err)
	_, err = k.EndSession(k.Context(), "nobody", k.now, k.draft(assent.KindEvent))
	k.must(err)
	late = list("a", "b", "late")[2] // who has asked once is remembered
	equal(k, "ended", late.Ended.Equal(k.now), true)
	note("late", k.now.Add(2*time.Hour), "/c") // resumed: it starts anew
	late = list("a", "b", "late")[2]
	equal(k, "started again", late.Started.Equal(k.now.Add(2*time.Hour)), true)
	equal(k, "runs again", late.Ended.IsZero(), true)

	pid = 43 // another process speaks for it: both are remembered
	note("late", k.now.Add(3*time.Hour), "/c")
	note("late/child", k.now.Add(4*time.Hour), "/c")
	all := list("a", "b", "late", "late", "late/child")
	equal(k, "the process before", all[2].Process.PID, 42)
	equal(k, "the process after", all[3].Process.PID, 43)
	_, err = k.EndSession(k.Context(), "late", k.now, k.draft(assent.KindEvent))
	k.must(err)
	for i, s := range list("a", "b", "late", "late", "late/child") {
		equal(k, "ended "+s.ID, !s.Ended.IsZero(), i > 1)
	}
	boot = "next boot"
	note("a", k.now.Add(5*time.Hour), "/a")
	list("a")
	boot = "" // not known
	note("b", k.now.Add(6*time.Hour), "/a")
	list("a", "b")
}

func lists(k *kit) {
	for i := range 12 {
		c := shell(fmt.Sprint(i))
		c.Session = []string{"even", "odd"}[i%2]
		k.ask(c)
	}
	for _, id := range []string{"req_3", "req_4"} {
		_, _, err := k.Settle(k.Context(), assent.Settlement{Request: id, State: assent.Denied, At: k.now}, k.answer(assent.Deny))
		k.must(err)
	}
	for _, c := range []struct {
		f    assent.RequestFilter
		want string
	}{
		{assent.RequestFilter{}, "[1 2 3 4 5 6 7 8 9 10 11 12]"},
		{assent.RequestFilter{After: "req_9"}, "[10 11 12]"},
		{assent.RequestFilter{After: "req_2", Limit: 2}, "[3 4]"},
		{assent.RequestFilter{After: "req_99"}, "[]"},
		{assent.RequestFilter{State: assent.Denied}, "[3 4]"},
		{assent.RequestFilter{State: assent.Pending, After: "req_1", Limit: 3}, "[2 5 6]"},
		{assent.RequestFilter{State: assent.Approved}, "[]"},
		{assent.RequestFilter{Session: "even"}, "[1 3 5 7 9 11]"},
		{assent.RequestFilter{Session: "even", State: assent.Pending, After: "req_5"}, "[7 9 11]"},
		{assent.RequestFilter{Session: "nobody"}, "[]"},
	} {
		got, err := k.Requests(k.Context(), c.f)
		k.must(err)
		ids := []int{}
		for _, r := range got {
			var n int
			fmt.Sscanf(r.ID, "req_%d", &n)
			ids = append(ids, n)
		}
		equal(k, fmt.Sprintf("%+v", c.f), fmt.Sprint(ids), c.want)
	}
	_, err := k.Requests(k.Context(), assent.RequestFilter{After: "yesterday"})
	k.is(err, assent.ErrInvalid)
	for i := range 100 {
		k.ask(shell(fmt.Sprint("more", i)))
	}
	got, err := k.Requests(k.Context(), assent.RequestFilter{})
	k.must(err)
	equal(k, "without a limit", len(got), 100)
}

func listsGrants(k *kit) {
	for i := range 11 {
		scope := exact(shell(fmt.Sprint(i)), 1)
		if i%2 == 0 {
			scope.Session = "even"
		}
		k.grant(scope, func(g *assent.Grant) { g.Until = g.From.Add(time.Duration(i+1) * time.Minute) })
	}
	_, err := k.Revoke(k.Context(), assent.Selection{ID: "gr_10"}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	for _, c := range []struct {
		f    assent.GrantFilter
		want string
	}{
		{assent.GrantFilter{}, "[1 2 3 4 5 6 7 8 9 10 11]"},
		{assent.GrantFilter{Session: "even"}, "[1 3 5 7 9 11]"},
		{assent.GrantFilter{Live: true, Now: k.now.Add(8 * time.Minute)}, "[9 11]"},
		{assent.GrantFilter{Live: true, Now: k.now.Add(8 * time.Minute), Session: "odd"}, "[]"},
	} {
		got, err := k.Grants(k.Context(), c.f)
		k.must(err)
		ids := []int{}
		for _, g := range got {
			var n int
			fmt.Sscanf(g.ID, "gr_%d", &n)
			ids = append(ids, n)
		}
		equal(k, fmt.Sprintf("%+v", c.f), fmt.Sprint(ids), c.want)
	}
}

func closed(t *testing.T, open Open) {
	k := newKit(t, open(t))
	k.must(k.Close())
	if _, err := k.Append(k.Context(), k.draft(assent.KindEvent)); err == nil {
		t.Fatal("Append after Close")
	}
	if _, err := k.Head(k.Context()); err == nil {
		t.Fatal("Head after Close")
	}
}

func keys(k *kit) {
	for i, kind := range []string{assent.KindEvent, assent.KindKey, assent.KindAnswer, assent.KindKey} {
		d := k.draft(kind)
		d.Record.Note = fmt.Sprint(i + 1)
		_, err := k.Append(k.Context(), d)
		k.must(err)
	}
	got, err := k.Keys(k.Context())
	k.must(err)
	equal(k, "keys", len(got), 2)
	if diff := cmp.Diff([]assent.Record{k.since(1)[0], k.since(3)[0]}, got); diff != "" {
		k.Fatalf("keys (-written +listed):\n%s", diff)
	}
}

// listsUsed lists a grant, its child and a handle while uses are taken of them.
func listsUsed(k *kit) {
	root := k.grant(class("/w", 1000))
	leaf := k.grant(class("/w", 1000), func(g *assent.Grant) { g.Parent = root.ID })
	ctx := context.WithoutCancel(k.Context())
	c := removes("/w/a")
	k.together(4, func(i int) {
		for n := range 50 {
			if i < 2 {
				call := callOf(c, fmt.Sprint(i, "-", n))
				call.From = []string{root.ID, leaf.ID}[i]
				if _, err := k.Spend(ctx, c, call, k.now, "", k.draft(assent.KindEvent)); err != nil {
					k.Error(err)
				}
				continue
			}
			live, err := k.Grants(ctx, assent.GrantFilter{Live: true, Now: k.now})
			if err != nil || len(live) != 2 {
				k.Errorf("live: %d, %v", len(live), err)
			}
		}
	})
}
