package grant_test

// The four test vectors of a revocable yes.

import (
	"context"
	"fmt"
	"time"

	"assent/grant"
)

func deploy(_ context.Context, to string) (string, error) { return "deployed to " + to, nil }

func show(out string, err error) {
	if err != nil {
		out = err.Error()
	}
	fmt.Println(out)
}

// Once: the second call is one too many.
func ExampleOnce() {
	may, _ := grant.Once(deploy)
	show(may.Use(context.Background(), "staging"))
	show(may.Use(context.Background(), "staging"))
	// Output:
	// deployed to staging
	// grant exhausted
}

// Revoked: whoever gave it ends it, with an object that the holder never sees.
func ExampleForSession() {
	may, revoke := grant.ForSession(deploy)
	show(may.Use(context.Background(), "staging"))
	revoke.Revoke()
	show(may.Use(context.Background(), "staging"))
	// Output:
	// deployed to staging
	// grant revoked
}

// For a minute: 61 seconds later it is over.
func ExampleFor() {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	may, _ := grant.New(deploy, grant.Limit{For: time.Minute, Now: func() time.Time { return now }})
	show(may.Use(context.Background(), "staging"))
	now = now.Add(61 * time.Second)
	show(may.Use(context.Background(), "staging"))
	// Output:
	// deployed to staging
	// grant expired
}

// A helper has what is handed to it, and nothing else.
func ExampleCapability_Hand() {
	type caps map[string]grant.Capability[string, string]
	helper := func(mine caps) {
		may := mine["deploy"] // there is none: the zero Capability
		show(may.Use(context.Background(), "staging"))
	}
	may, _ := grant.For(deploy, time.Minute)
	helper(caps{})
	one, _, _ := may.Hand(grant.Limit{Uses: 1})
	helper(caps{"deploy": one})
	helper(caps{"deploy": one})
	// Output:
	// no such grant
	// deployed to staging
	// grant exhausted
}
