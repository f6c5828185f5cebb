package peer

// Lead: how a process leads to an agent, by its line of parents, what it shares
// with the agent, or what it inherited.

import (
	"fmt"
	"iter"
	"slices"

	"assent"
)

// maxLine bounds a walk over parents.
const maxLine = 512

// world is what the kernel answers; tests build worlds of their own.
type world struct {
	look    func(pid int) (entry, error)
	environ func(pid int) []string
	boot    string
}

func here() world { return world{look, environ, bootID()} }

// Lead says how the process leads to an agent, or returns "". It does when it
// or one of its parents is the living process of a session, when it shares that
// process's kernel session, process group or terminal, or when it or a parent
// carries a variable that agents set for their children (Markers).
//
// What has shed all of these is not found. A process that is gone leads nowhere,
// and so proves nothing: ask Lives first. It may be called concurrently.
func Lead(p assent.Process, agents []assent.Session) string {
	return here().lead(p, agents)
}

func (w world) lead(p assent.Process, agents []assent.Session) string {
	e, ok := w.living(p)
	if !ok {
		return ""
	}
	line := append([]assent.Process{e.Process}, w.ancestors(e)...)
	if how := w.related(line, agents); how != "" {
		return how
	}
	return w.marked(line)
}

// kinship is lead without markers.
func (w world) kinship(p assent.Process, agents []assent.Session) string {
	e, ok := w.living(p)
	if !ok || len(agents) == 0 {
		return ""
	}
	return w.related(append([]assent.Process{e.Process}, w.ancestors(e)...), agents)
}

// related says how a process with its parents is kin of the process of a session.
func (w world) related(line []assent.Process, agents []assent.Session) string {
	looked := make(map[assent.Process]bool, len(agents))
	for _, a := range agents {
		if looked[a.Process] {
			continue // by another of its sessions
		}
		looked[a.Process] = true
		agent, ok := w.living(a.Process)
		if !ok {
			continue
		}
		if how := kin(line, agent.Process); how != "" {
			return fmt.Sprintf("%s %s, process %d", how, name(a), agent.PID)
		}
	}
	return ""
}

// Stand is a process as one that answers: how it leads to an agent, and how to whoever
// had people asked without one (the sessions of assent.AgentBroker), and its Line. It may
// be called concurrently.
func Stand(p assent.Process, sessions []assent.Session) *assent.Peer {
	asker := func(s assent.Session) bool { return s.Agent == assent.AgentBroker }
	var askers, agents []assent.Session
	for _, s := range sessions {
		if asker(s) {
			askers = append(askers, s)
		} else {
			agents = append(agents, s)
		}
	}
	w := here()
	return &assent.Peer{Process: p, Agent: w.lead(p, agents), Asker: w.kinship(p, askers), Line: Line(p)}
}

func name(s assent.Session) string {
	if s.Agent == "" {
		return "an agent"
	}
	return s.Agent
}

// living returns the process as it is now, if it is still the same one.
func (w world) living(p assent.Process) (entry, bool) {
	if p.PID <= 0 || p.Boot != "" && p.Boot != w.boot {
		return entry{}, false
	}
	e, err := w.look(p.PID)
	return e, err == nil && e.Start == p.Start
}

// kin says how the first of line is related to the agent. Zero is no session, no
// group and no terminal, and is shared by nobody.
func kin(line []assent.Process, agent assent.Process) string {
	p := line[0]
	for i, q := range line {
		if q.PID != agent.PID || q.Start != agent.Start {
			continue
		}
		if i == 0 {
			return "the process of"
		}
		return "child of"
	}
	switch {
	case p.SID != 0 && p.SID == agent.SID:
		return "in the same session as"
	case p.Group != 0 && p.Group == agent.Group:
		return "in the process group of"
	case p.TTY != 0 && p.TTY == agent.TTY:
		return "on the terminal of"
	}
	return ""
}

// ancestors are the processes above e, nearest first.
func (w world) ancestors(e entry) []assent.Process { return slices.Collect(w.above(e)) }

// above walks up from e, as far as it is asked to. A parent that is younger than
// its child is another process with a reused number: the child has a new parent
// by now, and is asked again.
func (w world) above(e entry) iter.Seq[assent.Process] {
	return func(yield func(assent.Process) bool) {
		for tries, n := 0, 0; e.parent > 0 && n < maxLine; {
			up, err := w.look(e.parent)
			if err == nil && up.Start <= e.Start && up.PID != e.PID {
				if !yield(up.Process) {
					return
				}
				e, tries, n = up, 0, n+1
				continue
			}
			again, err := w.look(e.PID)
			if tries++; err != nil || again.Start != e.Start || tries > 3 {
				return
			}
			e = again
		}
	}
}

// AgentProcess returns the process of the agent whose hook the given process
// is. It is the one with the number hintPID (what the agent told its hook) if
// that is the hook itself or among its ancestors, else the parent; where that is a
// shell in the agent's session, it is whoever started it, for many agents start their
// hooks through one that ends with them. Who is a person's shell or looks after the whole machine is no
// agent: below it, the shell is; and if there is nothing below it, there is none.
func AgentProcess(hook assent.Process, hintPID int) (assent.Process, bool) {
	return here().agentProcess(hook, hintPID)
}

func (w world) agentProcess(hook assent.Process, hintPID int) (assent.Process, bool) {
	e, ok := w.living(hook)
	if !ok {
		return assent.Process{}, false
	}
	if e.PID == hintPID {
		return e.Process, true
	}
	var line []assent.Process
	for p := range w.above(e) {
		if p.PID == hintPID {
			return p, true
		}
		if line = append(line, p); hintPID == 0 && len(line) > 1 && !w.wraps(line[len(line)-2]) {
			break // what is further up does not matter
		}
	}
	for len(line) > 1 && w.wraps(line[0]) && !interactive(line[1]) && !keeper(line[1:]) {
		line = line[1:]
	}
	if len(line) == 0 || interactive(line[0]) || keeper(line) {
		return assent.Process{}, false
	}
	return line[0], true
}

// shells are programs that agents start hooks through, and that end with them.
var shells = []string{"sh", "bash", "dash", "zsh", "ash", "ksh", "fish", "busybox"}

// wraps reports whether a process is a shell in the session of whoever started it.
func (w world) wraps(p assent.Process) bool {
	e, err := w.look(p.PID)
	return err == nil && e.Start == p.Start && p.PID != p.SID && slices.Contains(shells, e.name)
}

// interactive reports whether p leads a session on a terminal, as a person's
// shell does.
func interactive(p assent.Process) bool { return p.PID == p.SID && p.TTY != 0 }

// keeper reports whether the first of line is the first process of the machine,
// or a session leader without a terminal right under it: a user's service
// manager, a terminal multiplexer. Half of what runs descends from those, also
// the person's own terminals.
func keeper(line []assent.Process) bool {
	p := line[0]
	return p.PID == 1 || p.PID == p.SID && p.TTY == 0 && len(line) > 1 && line[1].PID == 1
}
