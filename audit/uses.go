package audit

// What the log says of grants: given, used, given back, revoked.

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"assent"
)

// log is what the records say, as far as the store must agree.
type log struct {
	until   uint64                   // what follows this record may be newer than the lists
	listed  map[string]assent.Grant  // what the store lists, by ID
	given   []assent.Record          // the records that gave grants
	settled map[string]assent.Record // by request: what settled it
	revoked map[string]uint64        // by grant: the record of its revocation
	taken   map[useOf]assent.Record  // by use: the record of the call that took it
	back    map[useOf]bool           // uses that were given back
	wrong   string                   // the first use that cannot have been
}

// useOf is one use of one grant.
type useOf struct {
	grant string
	n     int
}

func newLog(until uint64, grants []assent.Grant) *log {
	l := &log{
		until: until, listed: map[string]assent.Grant{}, settled: map[string]assent.Record{}, revoked: map[string]uint64{},
		taken: map[useOf]assent.Record{}, back: map[useOf]bool{},
	}
	for _, g := range grants {
		l.listed[g.ID] = g
	}
	return l
}

// line yields a grant and what it came out of, as far as it is listed.
func (l *log) line(id string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for range len(l.listed) { // no line is longer
			g, ok := l.listed[id]
			if !ok || !yield(id) {
				return
			}
			id = g.Parent
		}
	}
}

// ended is the record that revoked a grant, or what it came out of; 0 for none.
func (l *log) ended(id string) uint64 {
	for id := range l.line(id) {
		if l.revoked[id] != 0 {
			return l.revoked[id]
		}
	}
	return 0
}

func (l *log) see(r assent.Record) {
	if wrong := l.impossible(r); l.wrong == "" {
		l.wrong = wrong
	}
	switch {
	case r.Kind == assent.KindAnswer || r.Kind == assent.KindExpire:
		if _, ok := l.settled[r.Request]; !ok { // the first answer wins
			l.settled[r.Request] = r
		}
		if r.Seal != "" {
			l.given = append(l.given, r)
		}
	case r.Kind == assent.KindRevoke && r.Grant != "" && r.N <= l.until:
		l.revoked[r.Grant] = r.N
	case r.Kind == assent.KindRefund:
		l.back[useOf{r.Grant, r.Use}] = true // also a newer one: the lists may have it already
	}
}

// impossible says what is wrong with a use, with one that is given back, and with what
// began. One use is of one call, which may come through two gates, of which the second
// does not name it.
func (l *log) impossible(r assent.Record) string {
	use := fmt.Sprintf("grant %s: record %d is of its use %d", r.Grant, r.N, r.Use)
	u := useOf{r.Grant, r.Use}
	first, again := l.taken[u]
	switch {
	case r.Kind == assent.KindRefund:
		if !again || l.back[u] || another(first, r) {
			return use + ", which its call cannot give back"
		}
		return ""
	case r.Kind == assent.KindBegin && l.ended(r.Grant) != 0:
		return fmt.Sprintf("grant %s: in record %d something begins under it, after record %d revoked it", r.Grant, r.N, l.ended(r.Grant))
	case r.Use == 0:
		return ""
	case again && another(first, r):
		return fmt.Sprintf("%s, which another call took in record %d", use, first.N)
	case again && l.back[u]:
		return use + ", which was given back"
	case l.ended(r.Grant) != 0:
		return fmt.Sprintf("%s, after record %d revoked it", use, l.ended(r.Grant))
	}
	if !again || first.Call == "" {
		l.taken[u] = r
	}
	return ""
}

// another reports whether two records of one use are of different calls.
func another(a, b assent.Record) bool {
	return a.Session != b.Session || a.Digest != b.Digest || a.Call != "" && b.Call != "" && a.Call != b.Call
}

// disagrees names the first grant or request that the log does not bear out.
func (l *log) disagrees(grants []assent.Grant, requests []assent.Request) string {
	if l.wrong != "" {
		return l.wrong
	}
	for _, g := range grants {
		if wrong := l.grant(g); wrong != "" {
			return "grant " + g.ID + ": " + wrong
		}
	}
	for _, r := range l.given {
		if _, ok := l.listed[r.Grant]; !ok && r.N <= l.until {
			return fmt.Sprintf("grant %s: record %d gave it, and it is gone", r.Grant, r.N)
		}
	}
	used := l.used()
	for _, g := range grants {
		if g.Used < used[g.ID] {
			return fmt.Sprintf("grant %s: the log has %d uses of it, and it says it was used %d times", g.ID, used[g.ID], g.Used)
		}
	}
	for _, r := range requests {
		if wrong := l.request(r); wrong != "" {
			return "request " + r.ID + ": " + wrong
		}
	}
	return ""
}

// used counts the uses of each grant that were not given back: its own, and those of
// what came out of it.
func (l *log) used() map[string]int {
	n := map[string]int{}
	for u, r := range l.taken {
		if l.back[u] || r.N > l.until {
			continue
		}
		for id := range l.line(u.grant) {
			n[id]++
		}
	}
	return n
}

func (l *log) grant(g assent.Grant) string {
	i, ok := slices.BinarySearchFunc(l.given, g.Record, func(r assent.Record, n uint64) int { return cmp.Compare(r.N, n) })
	switch {
	case !ok:
		return fmt.Sprintf("record %d did not give it", g.Record)
	case !g.VouchedBy(l.given[i]):
		return fmt.Sprintf("it is not the grant that record %d gave", g.Record)
	case g.Revoked.IsZero() && l.revoked[g.ID] != 0:
		return fmt.Sprintf("record %d revoked it, and it is not revoked", l.revoked[g.ID])
	}
	return ""
}
