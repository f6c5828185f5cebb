package config

// Approvers: who may answer before people do, and what the owner gives them.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"assent"
	"assent/approve"
	"assent/engine"
	"assent/hook/consent"
	"assent/hook/script"
	"assent/internal/child"
)

// check refuses a mode that lacks what it needs.
func (a Approvals) check() error {
	switch {
	case a.Mode == "custom" && a.Hook == "":
		return fmt.Errorf("approvals.mode is custom, and approvals.hook does not say whom to ask: %w", assent.ErrInvalid)
	case a.Mode == "smart" && (a.Smart.URL == "" || a.Smart.Model == ""):
		return fmt.Errorf("approvals.mode is smart, and approvals.smart has no url and model: %w", assent.ErrInvalid)
	}
	return nil
}

// Advisors are those who may answer before people do, each for a profile.
type Advisors map[string]assent.Approver

// Of is the approver of a profile; nil = people alone.
func (a Advisors) Of(profile string) assent.Approver { return a[profile] }

// Advisors are who the file names. It fails where a secret cannot be read.
func (h Home) Advisors(f File, guard *child.Guard) (Advisors, error) {
	out := Advisors{}
	for name, a := range f.approvals() {
		who, err := h.advisor(f, a, guard)
		if err != nil {
			return nil, err
		}
		if who != nil {
			out[name] = who
		}
	}
	return out, nil
}

// approvals are the settings of every profile.
func (f File) approvals() map[string]Approvals {
	out := map[string]Approvals{f.base(): f.Approvals}
	for _, p := range f.Profiles {
		out[p.Name] = p.File.Approvals
	}
	return out
}

// notify reports whether what the approver of a profile decided is told where the
// request came from.
func (f File) notify(profile string, d assent.Decision) bool {
	a := f.For(profile).Approvals
	return d == assent.Deny && a.OnDeny || d == assent.Allow && a.OnAllow
}

// Hook is the approval hook as the file has it.
func (h Home) Hook(a Approvals, guard *child.Guard) (approve.Custom, error) {
	secret, err := h.secret(a.Secret)
	return approve.Custom{
		Command: a.Hook, Timeout: time.Duration(a.Timeout), Secret: secret, SeesSecrets: a.Raw,
		Home: h.Places().Home, Dir: h.Places().Home, Env: h.environ(), Guard: guard,
	}, err
}

// ApprovalHook is the event under which an approval hook is allowed, as hooks are.
const ApprovalHook = "approvals.hook"

// Commands are all commands of the file that run only once they are allowed.
func (h Home) Commands(f File) []script.Spec {
	out := h.Found(f).Scripts
	for _, a := range f.approvals() {
		s := script.Spec{Event: ApprovalHook, Command: a.Hook}
		if a.asksHook() && !slices.ContainsFunc(out, func(o script.Spec) bool { return o.Event == s.Event && o.Command == s.Command }) {
			out = append(out, s)
		}
	}
	return out
}

// asksHook reports whether the approval hook is asked in this mode.
func (a Approvals) asksHook() bool { return a.Hook != "" && (a.Mode == "custom" || a.Mode == "smart") }

// allowed is an approval hook that runs only once its owner has allowed it, as it is.
type allowed struct {
	approve.Custom
	look func(event, command, dir string) consent.State
}

// Approve asks the hook, if that is allowed; else people decide.
func (c allowed) Approve(ctx context.Context, r assent.Request) (assent.Advice, error) {
	switch state := c.look(ApprovalHook, c.Command, c.Dir); {
	case state == consent.Changed:
		return assent.Advice{}, fmt.Errorf("the approval hook has changed since it was allowed, so it is not asked until you look at it: assent hooks allow '%s'", c.Command)
	case !state.May():
		return assent.Advice{}, fmt.Errorf("the approval hook is not allowed to run yet: assent hooks allow '%s'", c.Command)
	}
	return c.Custom.Approve(ctx, r)
}

func (h Home) advisor(f File, a Approvals, guard *child.Guard) (assent.Approver, error) {
	var chain approve.Chain
	if a.asksHook() {
		c, err := h.Hook(a, guard)
		if err != nil {
			return nil, fmt.Errorf("approvals.hook_secret: %w", err)
		}
		chain = append(chain, allowed{c, h.consent(f)})
	}
	if a.Mode == "smart" {
		if _, err := h.secret(a.Smart.Key); err != nil {
			return nil, fmt.Errorf("approvals.smart.key: %w", err)
		}
		chain = append(chain, &approve.Smart{
			URL: a.Smart.URL, Model: a.Smart.Model, Policy: a.Smart.Policy, Authority: a.Smart.Authority == "once", Timeout: time.Duration(a.Smart.Timeout),
			Key: func() string { key, _ := h.secret(a.Smart.Key); return key },
		})
	}
	switch len(chain) {
	case 0:
		return nil, nil
	case 1:
		return chain[0], nil
	}
	return chain, nil
}

// standings is what the file gives: to everybody (mode off), or to an approver whose
// yes counts. Other words are another grant.
func (f File) standings() []engine.Standing {
	var out []engine.Standing
	for profile, a := range f.approvals() {
		if a.Mode != "off" && a.Mode != "custom" && (a.Mode != "smart" || a.Hook == "" && a.Smart.Authority != "once") {
			continue
		}
		raw, _ := json.Marshal([]any{profile, a.Mode, a.Hook, a.Renewed, a.Smart.URL, a.Smart.Model, a.Smart.Policy, a.Smart.Authority})
		sum := sha256.Sum256(raw)
		name := "approvals.mode: " + a.Mode
		if profile != "" {
			name += " (profile " + profile + ")"
		}
		out = append(out, engine.Standing{
			By:      assent.Identity{Surface: "config", ID: hex.EncodeToString(sum[:8]), Name: name},
			Profile: profile, Mints: a.Mode != "off",
		})
	}
	return out
}
