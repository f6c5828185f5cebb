package storetest

// Law 6 at length: a revocation runs into uses, over and over.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"assent"
)

// inOne is how many interleavings are raced in one store.
const inOne = 500

// RevokeRacesUse lets Revoke of a grant race with Spend and Begin under it, its child
// and its grandchild, n times, each in an order of its own. Nothing may be spent, and
// nothing may begin, that was asked for after Revoke had returned; and no record of
// either may stand behind that of the revocation. What stands above the one that is
// revoked does not end. With -short, and under the race detector, it is a tenth of that.
func RevokeRacesUse(t *testing.T, n int, open Open) {
	var before, after [3]atomic.Int64
	if testing.Short() || raced {
		n /= 10
	}
	t.Run("races", func(t *testing.T) {
		for first := 0; first < n; first += inOne {
			t.Run(fmt.Sprint(first), func(t *testing.T) {
				t.Parallel()
				r := &race{kit: newKit(t, open(t)), before: &before, after: &after}
				for i := first; i < min(n, first+inOne); i += len(r.line) {
					r.tree(i)
				}
				r.chain()
			})
		}
	})
	for depth := range before {
		if before[depth].Load() == 0 || after[depth].Load() == 0 {
			t.Errorf("at depth %d %d uses came before a revocation and %d after: nothing raced", depth, before[depth].Load(), after[depth].Load())
		}
	}
}

type race struct {
	*kit
	before, after *[3]atomic.Int64 // by depth: what came to pass, and what was refused

	c    assent.Case
	line [3]assent.Grant // a grant, its child, its grandchild
}

// tree races the revocation of a grandchild, then of the child, then of the grant itself.
func (r *race) tree(i int) {
	r.c = shell(fmt.Sprint("race ", i))
	for depth := range r.line {
		r.line[depth] = r.own(exact(r.c, 100), func(g *assent.Grant) {
			if depth > 0 {
				g.Parent = r.line[depth-1].ID
			}
		})
	}
	for target := range slices.Backward(r.line[:]) {
		r.one(rand.New(rand.NewPCG(uint64(target), uint64(i))), target)
	}
}

// one races one revocation with uses at every depth.
func (r *race) one(random *rand.Rand, target int) {
	var waits [4]int
	for w := range waits {
		waits[w] = random.IntN(6)
	}
	start, ctx := r.head(), context.WithoutCancel(r.Context())
	var revoked atomic.Bool
	r.together(len(waits), func(who int) {
		for range waits[who] {
			runtime.Gosched()
		}
		if who < len(r.line) {
			r.use(ctx, who, target, &revoked)
			return
		}
		if _, err := r.Revoke(ctx, assent.Selection{ID: r.line[target].ID}, "ann", r.now, r.draft(assent.KindRevoke)); err != nil {
			r.Errorf("revoke: %v", err)
		}
		revoked.Store(true)
	})
	r.ordered(start, target)
}

// use spends a use of the grant at a depth, and begins.
func (r *race) use(ctx context.Context, depth, target int, revoked *atomic.Bool) {
	from := r.line[depth].ID
	call := callOf(r.c, fmt.Sprint(from, " ", target))
	call.From, call.Child = from, &child
	verbs := []func() error{
		func() error {
			_, err := r.Spend(ctx, r.c, call, r.now, "", r.draft(assent.KindEvent))
			return err
		},
		func() error { return r.Begin(ctx, call, r.draft(assent.KindBegin)) },
	}
	for _, do := range verbs {
		late := depth > target || depth == target && revoked.Load() // what is below ended before
		err := do()
		switch {
		case err == nil && late:
			r.Errorf("%s was used after Revoke of what it hangs on had returned", from)
		case err == nil:
			r.before[depth].Add(1)
		case depth >= target && errors.Is(err, assent.ErrRevoked):
			r.after[depth].Add(1)
			return
		default:
			r.Errorf("%s: %v", from, err)
			return
		}
	}
}

// ordered checks that no use and no beginning under the target stands behind its
// revocation in the log.
func (r *race) ordered(start uint64, target int) {
	gone := false
	for _, rec := range r.since(start) {
		under := slices.ContainsFunc(r.line[target:], func(g assent.Grant) bool { return g.ID == rec.Grant })
		switch {
		case rec.Kind == assent.KindRevoke:
			gone = true
		case gone && under:
			r.Errorf("record %d (%s) is of %s, behind the revocation", rec.N, rec.Kind, rec.Grant)
		}
	}
	if !gone {
		r.Error("there is no record of the revocation")
	}
}
