// Package storetest holds every assent.Store to the promises in its interface.
//
// Each implementation runs the whole suite in a test of its own. It never knows
// which store it has before it, looks at nothing but the interface, and sleeps
// for nothing.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) assent.Store {
//			return mem.New()
//		})
//	}
package storetest

// The suite: one list, one entry a promise.

import (
	"testing"

	"assent"
)

// Open returns a new, empty store. It registers what is to be cleaned up with t.
type Open func(t *testing.T) assent.Store

// Run runs the suite. Every entry gets a store of its own.
func Run(t *testing.T, open Open) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.test(t, open)
		})
	}
}

type promise struct {
	name string
	test func(*testing.T, Open)
}

// with gives a test a store, and checks the chain when it is done with it.
func with(name string, test func(k *kit)) promise {
	return promise{name, func(t *testing.T, open Open) {
		k := newKit(t, open(t))
		test(k)
		k.chain()
	}}
}

var promises = []promise{
	with("An empty store has an empty chain", empty),
	with("Append numbers, links and canonicalises", appends),
	with("Concurrent appends leave no gap", concurrentAppends),
	with("A payload is bound by a salted hash", payloads),
	with("A record needs its time", timeless),
	with("Lines come in pages", pages),
	with("A context that has ended changes nothing", canceled),

	with("Ask opens a request and gives it its ID", asks),
	with("Ask joins the pending request of the same principal, session and digest", joins),
	with("Ask counts a call once", asksOnce),
	with("Ask opens a closed call anew", reopens),
	with("Ask joins nothing without a digest", noDigest),
	with("Every queue has a bound", bounds),
	with("Concurrent asks open one request", concurrentAsks),
	with("The store keeps what was asked, byte for byte", verbatim),
	with("What the store returns is the caller's own", isolation),

	with("The first answer wins, and later ones are told so", settles),
	with("Of 64 answers exactly one wins", settleRace),
	with("A yes is a grant that its record vouches for", mints),
	with("Only a recorded yes gives a grant", mintsOnly),
	with("Settle of what there is not", settleMissing),
	with("Withdrawn is final", withdraws),
	with("Expire settles what has run out, half-open", expires),
	with("Expire takes at most its limit, the earliest first", expireLimit),

	with("An approver is asked once, and what it said is kept", advises),
	with("A request that comes with advice keeps it", adviseBefore),
	with("Of 64 claims exactly one wins", adviseRace),
	with("Only who claimed says what was said", adviseOwn),
	with("A request that is settled takes no advice", adviseSettled),
	with("Advise of what there is not", adviseMissing),

	with("The owner's grant comes without a request, and its record vouches for it", gives),
	with("Give gives the owner's own and children alone, and only by a recorded yes", givesOnly),
	with("A child is given once", givesChildren),
	with("A standing grant is renewed, by each word once", renews),
	with("A grant of any tool covers every action of its holder", anyTool),
	with("A grant that mints is never spent itself", mintsNever),
	with("What was minted spends the grant that it came out of", mintsLine),
	with("What was minted is dead when that is revoked", mintsRevoked),

	with("Spend takes one use and notes it", spends),
	with("One use is one use for 64 callers", spendRace),
	with("Spend is idempotent while the call is open", spendAgain),
	with("A closed call is a new call", spendClosed),
	with("Exact before class, class before any tool, older before newer", spendOrder),
	with("A dead grant says why, in the contract's order", spendErrors),
	with("The newest covering grant gives the reason", spendNewest),
	with("A grant covers its holder alone", spendHolder),
	with("A grant lapses, and dies with its boot", spendLapse),
	with("A child spends its ancestors too", spendLine),
	with("A child is dead when an ancestor is", deadLine),

	with("A use that is wanted of one grant is of no other", spendFrom),
	with("Begin notes what runs, and in which processes", begins),
	with("Begin needs an open call that has spent, and comes once", beginsOnce),
	with("Begin after Revoke is refused, down the whole line", beginsRevoked),
	with("A use that is given back can be taken again, once", refunds),
	with("Nothing is given back that began, or was never taken", refundsNever),
	with("A use is given back over the whole line", refundsLine),
	with("What runs is listed under its grant and what that came out of", runs),
	with("A handle is kept with the record that vouches for it", holds),
	with("Hold refuses what is no handle", holdsOnly),

	with("Revoke returns what it revoked, with one record for each", revokes),
	with("Revoke selects one, a session or all", revokeSelects),
	with("Revocation is a barrier", barrier),
	with("A call whose grant was revoked may spend another", spendAfterRevoke),
	with("EndSession revokes its session grants and closes its calls", ends),

	with("Finish closes one call or all", finishes),
	with("Call finds by ID, or the newest open one", findsCalls),
	with("Sessions are noted, listed and ended", sessions),
	with("Requests are listed in numeric order", lists),
	with("Grants are listed with filters", listsGrants),
	with("What is live is listed while it is used", listsUsed),
	with("Keys are the records of their kind", keys),
	{"A store that was closed fails", closed},
	{"Random verbs agree with the model", model},
}
