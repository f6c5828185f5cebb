//go:build unix

package main

// What must be true after each round of a race, and after all of them.

import (
	"fmt"
	"time"

	"assent"
	"assent/audit"
	"assent/config"
	"assent/store/sqlite"
)

// round is one race for one use, as it was seen from outside and in the log.
type round struct {
	n     int
	grant string
	from  time.Time
	took  time.Duration

	ran                      int // executions
	allowed, refused, failed int // racers that were told so, or could not be told anything
	lost                     int // racers that ended before they could say what they were told
	spent, began, over       time.Time
	used                     int // uses that the grant has left behind
}

// look fills in what came of a round, and checks it: at most one execution; what was told
// is recorded; and what was done was recorded before.
func (a *arena) look(r *round) {
	a.Helper()
	r.took, r.ran = time.Since(r.from), a.ran(r.n)
	uses, refusals := a.written(r)
	for i := range racers {
		e, ok := a.told(fmt.Sprintf("%d.%d", r.n, i))
		switch {
		case !ok:
			r.lost++
		case e.Started || e.Decision == assent.Allow:
			r.allowed++
			if !uses[e.Call] || e.Grant != r.grant {
				a.Errorf("round %d: %+v was let through, and no record says so", r.n, e)
			}
		case e.Decision == assent.Ask:
			r.refused++
		default:
			if r.failed++; r.failed == 1 {
				a.Logf("round %d: such as: %s", r.n, e.Error)
			}
		}
	}
	if r.ran > 1 || r.allowed > 1 || len(uses) > 1 {
		a.Errorf("round %d: one use ran %d times, was let through %d times, by %d calls", r.n, r.ran, r.allowed, len(uses))
	}
	if r.ran > len(uses) {
		a.Errorf("round %d: it ran, and no record of its use is there", r.n)
	}
	if r.refused > refusals {
		a.Errorf("round %d: %d racers were refused, and %d records say so", r.n, r.refused, refusals)
	}
	g := a.grantOf(r)
	if r.used = g.Used; r.used != len(uses) {
		a.Errorf("round %d: %s was used %d times, by %d calls", r.n, g.ID, g.Used, len(uses))
	}
}

// written reads what the log says of a round: which calls used the grant, and have not
// given the use back, and how many were refused.
func (a *arena) written(r *round) (uses map[string]bool, refusals int) {
	a.Helper()
	uses = map[string]bool{}
	refused := map[string]bool{}
	for _, rec := range a.records() {
		switch {
		case rec.Kind == assent.KindEvent && rec.Decision == assent.Ask:
			refused[rec.Call] = true
		case rec.Grant != r.grant:
		case rec.Kind == assent.KindEvent && rec.Use == 1:
			uses[rec.Call], r.spent = true, rec.At
		case rec.Kind == assent.KindEvent, rec.Use > 1:
			a.Errorf("round %d: record %d is of use %d", r.n, rec.N, rec.Use)
		case rec.Kind == assent.KindRefund:
			delete(uses, rec.Call)
		case rec.Kind == assent.KindBegin:
			r.began = rec.At
		case rec.Kind == assent.KindEnd:
			r.over = rec.At
		}
	}
	return uses, len(refused)
}

func (a *arena) grantOf(r *round) assent.Grant {
	a.Helper()
	all, err := a.log.Grants(a.Context(), assent.GrantFilter{})
	a.try(err)
	for _, g := range all {
		if g.ID == r.grant {
			return g
		}
	}
	a.Fatalf("round %d: there is no %s", r.n, r.grant)
	return assent.Grant{}
}

// reconcile holds the store against its log, when all is over.
func (a *arena) reconcile() {
	a.Helper()
	home := config.Home{Dir: a.home}
	store, err := sqlite.Open(a.Context(), home.Database(), sqlite.Options{Witness: home.Key()})
	a.try(err)
	defer store.Close()
	report, err := audit.Reconcile(a.Context(), store, home.Key())
	if err != nil {
		a.Errorf("%+v: %v", report, err)
	}
}

// sum prints what became of all rounds.
func (a *arena) sum(all []round) {
	a.Helper()
	var total round
	var used, unused, gone, noBegin int
	for _, r := range all {
		total.ran += r.ran
		total.allowed += r.allowed
		total.refused += r.refused
		total.failed += r.failed
		total.lost += r.lost
		total.took += r.took
		switch {
		case r.used == 0:
			unused++
		case r.ran == 0:
			gone++
		default:
			used++
		}
		if r.ran > 0 && r.began.IsZero() {
			noBegin++
		}
	}
	a.Logf("%d rounds of %d racers in %s: %d executions; the use was spent and done in %d, spent and lost in %d, is still there in %d; %d ran without a record of the beginning",
		len(all), racers, total.took.Round(time.Millisecond), total.ran, used, gone, unused, noBegin)
	a.Logf("racers: %d let through, %d refused, %d failed closed, %d killed", total.allowed, total.refused, total.failed, total.lost)
}
