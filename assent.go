// Package assent holds the words that the whole program is written in: what an
// AI agent is about to do (Event), what is true of it (Case), what is to become
// of it (Verdict), what a person is asked (Request), and what a yes is (Grant).
//
// It is standard library only, does no I/O and starts no goroutine. Deciding
// lives in engine, keeping in store, and talking to agents and people in
// harness, surface and serve.
//
//	c := analyze.Case(event)          // facts, no opinions
//	v, err := decider.Handle(ctx, event)
//	if v.Decision == assent.Ask {     // a person must say yes first
//		req, err := decider.Wait(ctx, v.Request, 55*time.Second)
//	}
package assent
