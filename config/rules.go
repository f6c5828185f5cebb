package config

// Rules: what of the file a server goes by, which it read when it started.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assent"
	"assent/policy/rules"
	"assent/serve"
)

// Rules are what of the file counts for whoever decides.
func (f File) Rules() serve.Rules {
	r := serve.Rules{Ask: f.Ask, Default: f.Default.String(), Expires: assent.Duration(time.Duration(f.Approvals.Expires))}
	if len(f.Said) > 0 {
		r.Said = short([]byte(rules.Format(f.Said)))
	}
	answers := f.approvals()
	for name, a := range answers {
		a.Wait, a.Expires = 0, 0 // the caller's to keep, and told above
		answers[name] = a
	}
	raw, _ := json.Marshal(answers)
	r.Approvals = short(raw)
	return r
}

// Rules are what counts for whoever decides: of the file, and of the hooks that lie
// in the home.
func (h Home) Rules(f File) serve.Rules {
	r := f.Rules()
	files := map[string]Users{f.base(): f.Users.placeless()}
	for _, p := range f.Profiles {
		files[p.Name] = p.File.Users.placeless()
	}
	found := h.Found(f)
	var code []string
	for _, d := range found.Dirs {
		code = append(code, stamp(d.Handler), stamp(filepath.Join(d.Path, "HOOK.yaml")))
	}
	for _, p := range found.Plugins {
		if p.Enabled {
			code = append(code, stamp(filepath.Join(p.Path, "plugin.yaml")), stamp(filepath.Join(p.Path, "__init__.py")))
		}
	}
	if len(found.Scripts)+len(found.Webhooks)+len(code) > 0 {
		raw, _ := json.Marshal([]any{files, code})
		r.Hooks = short(raw)
	}
	return r
}

// placeless is what the file says of the user's code, wherever in it.
func (u Users) placeless() Users {
	u.Hooks, u.Outbound = slices.Clone(u.Hooks), slices.Clone(u.Outbound)
	for i := range u.Hooks {
		u.Hooks[i].Line = 0
	}
	for i := range u.Outbound {
		u.Outbound[i].Line = 0
	}
	return u
}

// stamp tells a file that was loaded from what it is after a change.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return path + " " + info.ModTime().String()
}

func short(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
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
