package peer

// Speaks: for which sessions a process speaks. What leads to an agent is looked for far
// and wide; what gives authority is descent alone, and the nearest.

import (
	"cmp"
	"slices"

	"assent"
)

// Speaks returns the ids of the sessions for which the process speaks, those that
// started last first. A session that has not ended belongs to the first of the living
// processes that have spoken for it: whoever names the id of another's has nothing of
// it. The process speaks for what belongs to it, or else to the nearest of its parents
// that any session belongs to: an agent that another one started begins with nothing.
// What is doubtful makes nobody speak for anything.
//
// A terminal, a process group or a variable that it shares with an agent counts for
// nothing here. sessions are as a store lists them, oldest first. It may be called
// concurrently.
func Speaks(p assent.Process, sessions []assent.Session) []string {
	return here().speaks(p, sessions)
}

func (w world) speaks(p assent.Process, sessions []assent.Session) []string {
	e, ok := w.living(p)
	if !ok {
		return nil
	}
	owner := w.owners(sessions)
	if ids := owned(e.Process, sessions, owner); len(ids) > 0 {
		return ids
	}
	for up := range w.above(e) {
		if ids := owned(up, sessions, owner); len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// owners are the first of the living processes that have spoken for each session which
// has not ended. One look at each process is enough, however many sessions it names.
func (w world) owners(sessions []assent.Session) map[string]assent.Process {
	first, lives := map[string]assent.Process{}, map[assent.Process]bool{}
	for _, s := range sessions {
		if _, taken := first[s.ID]; taken || s.ID == "" || !holds(s) {
			continue
		}
		alive, known := lives[s.Process]
		if !known {
			_, alive = w.living(s.Process)
			lives[s.Process] = alive
		}
		if alive {
			first[s.ID] = s.Process
		}
	}
	return first
}

// owned are the sessions that belong to a living process.
func owned(p assent.Process, sessions []assent.Session, owner map[string]assent.Process) []string {
	var mine []assent.Session
	for _, s := range sessions {
		if holds(s) && same(s.Process, p) && same(owner[s.ID], p) {
			mine = append(mine, s)
		}
	}
	slices.SortStableFunc(mine, func(a, b assent.Session) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.ID, b.ID))
	})
	var ids []string
	for _, s := range mine {
		ids = append(ids, s.ID)
	}
	return ids
}

// holds reports whether a session can belong to the process that is noted for it: it has
// not ended, and it is no row that somebody else wrote.
func holds(s assent.Session) bool { return s.Ended.IsZero() && !s.Doubtful }

// same reports whether two name one process. One that was noted without a boot is of
// any.
func same(a, b assent.Process) bool {
	return a.PID == b.PID && a.Start == b.Start && (a.Boot == b.Boot || a.Boot == "")
}

// Holder is a process as one that holds grants: with the sessions that it speaks for, or
// where there are none, with its Root. It may be called concurrently.
func Holder(p assent.Process, sessions []assent.Session) *assent.Peer {
	out := &assent.Peer{Process: p, Sessions: Speaks(p, sessions)}
	if len(out.Sessions) == 0 {
		root := here().root(p)
		out.Root = &root
	}
	return out
}

// root is the outermost leader of a session with a terminal that p is or descends from:
// the shell of the person, whatever runs in it. Where there is none, it is the last below
// whoever looks after the whole machine.
func (w world) root(p assent.Process) assent.Process {
	e, ok := w.living(p)
	if !ok {
		return p
	}
	line := append([]assent.Process{e.Process}, w.ancestors(e)...)
	for _, up := range slices.Backward(line) {
		if interactive(up) {
			return up
		}
	}
	for i := range line {
		if i+1 == len(line) || keeper(line[i+1:]) {
			return line[i]
		}
	}
	return p
}

// Within reports whether the process is the living root, or descends from it. It may be
// called concurrently.
func Within(p, root assent.Process) bool { return here().within(p, root) }

func (w world) within(p, root assent.Process) bool {
	e, ok := w.living(p)
	top, lives := w.living(root)
	if !ok || !lives {
		return false
	}
	if same(top.Process, e.Process) {
		return true
	}
	for up := range w.above(e) {
		if same(top.Process, up) {
			return true
		}
	}
	return false
}
