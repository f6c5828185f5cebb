package config

// Profiles: what is different for some agents, their platforms and users.

import (
	"encoding/json"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"assent"
)

// Profile is the file as it is for some agents.
type Profile struct {
	Name     string
	Agent    string // the codec's name; empty = any
	Platform string // the event's platform, such as discord; empty = any
	User     string // the event's user_id, or the principal; empty = any
	File     File   // with the profile's own rules and hooks alone: those of the file count besides
}

// mayDiffer reports whether a profile may say something else under a key.
func mayDiffer(key string) bool {
	switch key {
	case "rules", "hooks", "default":
		return true
	case "approvals.expires", "approvals.wait":
		return false
	}
	return strings.HasPrefix(key, "approvals.")
}

// profiles reads the profiles: a name each, whom it is for, and what is different.
func (r *reader) profiles(n ast.Node) error {
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	m, ok := n.(ast.MapNode)
	if !ok {
		return r.fault(line(n), "profiles: names with their settings were expected")
	}
	for it := m.MapRange(); it.Next(); {
		name := it.Key().GetToken().Value
		if name == Base {
			return r.fault(line(it.Key()), "profiles.%s: that is the profile of everybody else", name)
		}
		p, err := r.oneProfile(name, it.Value())
		if err != nil {
			return err
		}
		r.file.Profiles = append(r.file.Profiles, p)
	}
	return nil
}

func (r *reader) oneProfile(name string, n ast.Node) (Profile, error) {
	p := Profile{Name: name}
	body, ok := n.(ast.MapNode)
	if !ok {
		return p, r.fault(line(n), "profiles.%s: keys with values were expected", name)
	}
	own := reader{name: r.name, file: r.file, profile: true}
	own.file.Said, own.file.Users, own.file.Profiles = nil, Users{}, nil
	for it := body.MapRange(); it.Next(); {
		var err error
		if it.Key().GetToken().Value == "match" {
			err = r.fields("profiles."+name+".match", it.Value(), []string{"agent", "platform", "user"}, func(key string, v ast.Node) error {
				text, _ := plain(v)
				*map[string]*string{"agent": &p.Agent, "platform": &p.Platform, "user": &p.User}[key] = text
				return nil
			})
		} else {
			err = own.member("", it.KeyValue())
		}
		if err != nil {
			return p, err
		}
	}
	if p.Agent+p.Platform+p.User == "" {
		return p, r.fault(line(n), "profiles.%s does not say whom it is for: match: {agent: …, platform: …, user: …}", name)
	}
	p.File = own.file
	return p, nil
}

// Base is the profile of events that belong to no other, where there are others.
const Base = "default"

// ProfileOf is the name of the first profile that an event belongs to. It is empty
// where there are no profiles.
func (f File) ProfileOf(e assent.Event) string {
	for _, p := range f.Profiles {
		if p.matches(e) {
			return p.Name
		}
	}
	return f.base()
}

func (f File) base() string {
	if len(f.Profiles) == 0 {
		return ""
	}
	return Base
}

func (p Profile) matches(e assent.Event) bool {
	extra := func(key string) (s string) {
		_ = json.Unmarshal(e.Extra[key], &s)
		return s
	}
	return (p.Agent == "" || p.Agent == e.Agent) &&
		(p.Platform == "" || p.Platform == extra("platform")) &&
		(p.User == "" || p.User == e.User() || p.User == e.Principal)
}

// For is the file as it is for a profile.
func (f File) For(profile string) File {
	for _, p := range f.Profiles {
		if p.Name == profile {
			return p.File
		}
	}
	return f
}
