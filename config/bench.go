package config

// The bench: the hooks of a home, at hand to be looked at and tried.

import (
	"context"
	"time"

	"assent/hook"
	"assent/hook/consent"
	"assent/hook/dir"
	"assent/hook/python"
	"assent/hook/script"
)

// loading is how long plugins and handlers may take to be loaded for a look at them.
const loading = 30 * time.Second

// Bench is every hook of a home as a server has it, whether it is allowed to run or
// not: whoever tries them answers for that.
type Bench struct {
	UserHooks
	Entries []hook.Entry // in the order in which they speak
	Host    script.Host  // what scripts run in

	python *python.Host
}

// Bench loads the hooks of a home, plugins too. printed hears what Python prints; it
// may be called concurrently.
func (h Home) Bench(ctx context.Context, f File, printed func(line string)) *Bench {
	guard, py := h.runners(printed)
	b := &Bench{Host: h.scriptHost(f, guard), python: py}
	b.Host.Consent = func(string, string, string) consent.State { return consent.Allowed }
	ctx, cancel := context.WithTimeout(ctx, loading)
	defer cancel()
	b.UserHooks = h.hooksOf(ctx, f, b.python, b.Host)
	b.Entries = b.UserHooks.entries
	return b
}

// Check loads the handlers of directories too, and adds what is wrong with them to
// their problems.
func (b *Bench) Check(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, loading)
	defer cancel()
	b.Dirs = dir.Check(ctx, b.python, b.Dirs)
}

// Close ends what runs for the hooks.
func (b *Bench) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return b.python.Close(ctx)
}
