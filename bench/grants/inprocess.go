package main

// What costs no write: a chain of capabilities in this process, the check of a line of
// stored grants, a handle, a receipt.

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"assent"
	"assent/grant"
	"assent/internal/seal"
)

// deep is how many grants are in the chain.
const deep = 8

// often is how often what takes less than a clock can tell is done for one sample.
const often = 1000

func inProcess(ctx context.Context, dir string) ([]*measure, func(), error) {
	key := seal.Open(filepath.Join(dir, "bench.key"))
	handle, nonce, err := grant.NewHandle(key)
	if err != nil {
		return nil, func() {}, err
	}
	last, err := chain()
	if err != nil {
		return nil, func() {}, err
	}
	line, text := stored(), handle.Reveal()
	return []*measure{
		repeated(fmt.Sprintf("check of a capability, chain of %d", deep), time.Microsecond, last.Check),
		repeated(fmt.Sprintf("use of a capability, chain of %d", deep), time.Microsecond, func() error {
			_, err := last.Use(ctx, 1)
			return err
		}),
		repeated(fmt.Sprintf("check of a line of %d stored grants", deep), time.Microsecond, func() error {
			return assent.CheckLine(line, line[0].From, "boot")
		}),
		repeated("a handle is read and verified", 0, func() error { return verified(key, text, nonce) }),
		repeated("a receipt is signed", 0, func() error { return signed(key, line[0]) }),
	}, func() {}, nil
}

func repeated(name string, atMost time.Duration, do func() error) *measure {
	return &measure{name: name, atMost: atMost, times: often, do: func(context.Context) error {
		for range often {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	}}
}

// chain is the last capability of a chain.
func chain() (grant.Capability[int, int], error) {
	same := func(_ context.Context, in int) (int, error) { return in, nil }
	limit := grant.Limit{Uses: 1 << 30, For: time.Hour}
	c, _ := grant.New(same, limit)
	for range deep - 1 {
		var err error
		if c, err = c.Narrow(grant.Limit{}); err != nil {
			return c, err
		}
	}
	return c, nil
}

// stored is a line of grants as a store has them.
func stored() []assent.Grant {
	now := time.Now()
	var line []assent.Grant
	for i := range deep {
		line = append(line, assent.Grant{
			ID: fmt.Sprint("gr_", i+1), Width: assent.InSess, From: now, Until: now.Add(time.Hour), Boot: "boot",
			Scope: assent.Scope{Session: "s", Tool: assent.ToolShell, Uses: 100},
		})
	}
	return line
}

func verified(key *seal.Key, text string, nonce []byte) error {
	shown, err := grant.Parse(text)
	if err != nil {
		return err
	}
	made, err := grant.Remake(key, nonce)
	if err != nil {
		return err
	}
	return shown.Verify(made)
}

func signed(key *seal.Key, g assent.Grant) error {
	r := grant.Receipt{
		Subject: "s", Audience: "outsider", Nonce: "n",
		Details: []grant.Detail{{Type: grant.ActionType, Actions: []string{assent.ToolShell}, Identifier: g.ID, UsesLeft: 1}},
	}
	_, err := r.Sign(key, time.Now())
	return err
}
