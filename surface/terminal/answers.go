package terminal

// The answers a person can give, as commands to type; and what stands instead
// on a card that is not whole.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assent"
)

// answers adds what can be typed, or how the request was settled.
func (p *page) answers(r assent.Request) {
	if r.State != assent.Pending {
		p.title("Settled")
		p.say(plain, "  ", Outcome(r, p.o))
		return
	}
	if unanswerable(r) != "" {
		return
	}
	p.title("Your answer")
	p.choice("yes, to this call once", "assent approve "+r.ID)
	for i, o := range r.Offers {
		p.offer(r.ID, i+1, o)
	}
	p.deny(r.ID)
}

func (p *page) deny(id string) { p.choice("no", "assent deny "+id+` -m "why not"`) }

func (p *page) choice(what, command string) {
	p.say(plain, "  ", what)
	p.say(bold, "       ", command)
}

// offer adds one scope that can be granted until the session ends. What it
// covers is said from the scope itself, not only in the words of who offers it.
func (p *page) offer(id string, n int, o assent.Offer) {
	p.say(plain, "  ", fmt.Sprintf("%d  yes, until the session ends: %s", n, Escape(o.Text)))
	p.say(dim, "       ", "covers "+scope(o.Scope)+bounds(o.Scope))
	p.examples("such as: ", o.Match)
	p.examples("not: ", o.NotMatch)
	pick := ""
	if n > 1 {
		pick = fmt.Sprintf(" --offer %d", n)
	}
	p.say(bold, "       ", "assent approve "+id+pick+" --session")
}

// examples adds commands on a line each, as they would be typed.
func (p *page) examples(lead string, commands []string) {
	for _, c := range commands {
		p.text(dim, "         "+lead, c)
		p.notes(c)
	}
}

func bounds(s assent.Scope) string {
	var b strings.Builder
	if s.Uses > 0 {
		fmt.Fprintf(&b, ", at most %d uses", s.Uses)
	}
	if s.For > 0 {
		fmt.Fprintf(&b, ", for at most %s", exact(time.Duration(s.For)))
	}
	return b.String()
}

// typeable reports whether an ID can be typed at any shell as it stands.
func typeable(id string) bool {
	return id != "" && id[0] != '-' && !strings.ContainsFunc(id, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
}

// partial is the card of a request that cannot be answered with yes here: who
// asks, why it cannot, and what can be done instead.
func partial(r assent.Request, o Options, why string) string {
	o.MaxLines, o.MaxBytes = DefaultLines, DefaultBytes // what follows is short by itself
	p := newPage(o)
	p.say(bold, "", Escape(short(r.ID, 40))+"  "+Escape(short(string(r.Kind), 40))+", "+Escape(short(string(r.State), 40)))
	p.write(plain, "")
	p.say(alarm, "  ", "This request cannot be approved here. "+why)
	p.field("Agent", Escape(short(r.Case.Agent, 40))+", session "+Escape(short(r.Case.Session, 8)))
	p.field("Tool", Escape(short(r.Case.Tool, 80)))
	p.field("Directory", Escape(short(r.Case.Dir, 200)))
	p.codes(r.Case.Findings)
	if typeable(r.ID) && len(r.ID) <= 40 {
		p.choice("keep all of it in a file, to be read in an editor", "assent show "+r.ID+" --json >"+r.ID+".json")
		if r.State == assent.Pending {
			p.deny(r.ID)
		}
	}
	return p.String()
}

// codes adds what kinds of facts were found, the first few of them.
func (p *page) codes(fs []assent.Finding) {
	const most = 12
	var all []string
	for _, f := range fs {
		if code := Escape(short(f.Code, 40)); !slices.Contains(all, code) {
			all = append(all, code)
		}
		if len(all) == most {
			all = append(all, "and perhaps more")
			break
		}
	}
	if len(all) > 0 {
		p.field("Facts", strings.Join(all, ", "))
	}
}
