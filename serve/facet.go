package serve

// The four facets of assent: each has a socket and a token of its own, and whoever
// holds one of them has nothing of the others.

import "fmt"

// Facet is one side of assent, as those see it who come from there.
type Facet int

const (
	Requester Facet = iota // agents' hooks: they tell what is about to happen, and wait for what comes of it
	Holder                 // who uses grants
	Granter                // who gives them, hands them on and takes them back
	Auditor                // who reads
)

// PerFacet is one text for each Facet: the paths of their sockets, or their tokens.
type PerFacet [4]string

func (f Facet) String() string { return [...]string{"requester", "holder", "granter", "auditor"}[f] }

// facets is a set of them.
type facets uint8

const (
	requester facets = 1 << Requester
	holder    facets = 1 << Holder
	granter   facets = 1 << Granter
	auditor   facets = 1 << Auditor
	everybody        = requester | holder | granter | auditor
)

func (s facets) has(f Facet) bool { return s&(1<<f) != 0 }

// first is the facet to use for a route that is on these.
func (s facets) first() Facet {
	for f := range Auditor {
		if s.has(f) {
			return f
		}
	}
	return Auditor
}

// admitted refuses a route that is not of the caller's facet, before anything is read.
func (c *call) admitted(r route) error {
	if r.at.has(c.who.facet) {
		return nil
	}
	return c.refused(c.r, c.who, fmt.Errorf("%s is nothing for the %s: it is the %s's: %w", r.name, c.who.facet, r.at.first(), errFacet))
}
