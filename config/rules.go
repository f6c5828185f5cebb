package config

// Rules: what of the file a server goes by, which it read when it started.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"assent"
	"assent/policy/rules"
	"assent/serve"
)

// Rules are what of the file counts for whoever decides.
func (f File) Rules() serve.Rules {
	r := serve.Rules{Ask: f.Ask, Default: f.Default.String(), Expires: assent.Duration(time.Duration(f.Approvals.Expires))}
	if len(f.Said) > 0 {
		sum := sha256.Sum256([]byte(rules.Format(f.Said)))
		r.Said = hex.EncodeToString(sum[:8])
	}
	return r
}

// Running returns what the server behind d goes by. It is the zero value, and
// false, when there is no server, or one that does not say.
func Running(ctx context.Context, d Assent) (serve.Rules, bool) {
	server, ok := d.(far)
	if !ok {
		return serve.Rules{}, false
	}
	h, err := within(ctx, server, answerWait, server.Health)
	return h.Rules, err == nil && h.Ask != ""
}
