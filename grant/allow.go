package grant

// What caveats allow: less than the grant, and never more.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"assent"
)

// Bearer is who shows a handle, as a door found out.
type Bearer struct {
	Sessions []string                  // assent.Peer.Sessions
	Is       func(assent.Process) bool // whether it is this process, which lives, or descends from it; nil = it cannot be told
}

// Allow reports whether every caveat allows the case to this bearer at now: nil, or
// the first that holds of ErrForbidden (another holder), ErrExpired and ErrScope.
// What the grant itself covers is not asked here.
func (cs Caveats) Allow(c assent.Case, by Bearer, now time.Time) error {
	order := []error{assent.ErrForbidden, assent.ErrExpired, assent.ErrScope}
	first, of := len(order), Caveat{}
	for _, v := range cs {
		if err := v.allow(c, by, now); err != nil && slices.Index(order, err) < first {
			first, of = slices.Index(order, err), v
		}
	}
	if first < len(order) {
		return fmt.Errorf("the handle is narrowed to %s: %w", of, order[first])
	}
	return nil
}

func (c Caveat) allow(of assent.Case, by Bearer, now time.Time) error {
	switch {
	case c.Session != "":
		if of.Session != c.Session || !slices.Contains(by.Sessions, c.Session) {
			return assent.ErrForbidden
		}
	case c.Process != nil:
		if by.Is == nil || !by.Is(*c.Process) {
			return assent.ErrForbidden
		}
	case !c.Until.IsZero():
		if !now.Before(c.Until) {
			return assent.ErrExpired
		}
	case !c.covers(of):
		return assent.ErrScope
	}
	return nil
}

// covers asks the scope that the caveat amounts to for this very case: its programs
// and findings are what they are, and the caveat alone is what can fail.
func (c Caveat) covers(of assent.Case) bool {
	s := assent.Scope{Tool: of.Tool, Under: c.Under, Dir: c.Dir}
	switch {
	case c.Digest != "":
		return c.Digest == of.Digest()
	case c.Tool != "":
		return c.Tool == of.Tool
	case c.Program != "": // it may do anything anywhere, as long as it is nothing else
		s.Programs, s.Dir, of.Findings = []string{c.Program}, "/", nil
		return s.Covers(of)
	case c.Under == "" && c.Dir == "":
		return false
	case c.Under != "" && file(of.Tool):
		return within(of, c.Under)
	}
	for _, cmd := range of.Commands {
		s.Programs = append(s.Programs, cmd.Name)
	}
	for _, f := range of.Findings {
		s.Codes = append(s.Codes, f.Code)
	}
	return s.Covers(of)
}

func file(tool string) bool {
	return tool == assent.ToolRead || tool == assent.ToolWrite || tool == assent.ToolEdit
}

// within reports whether the file of a call, and every target of it, lies under root.
func within(c assent.Case, root string) bool {
	var in map[string]json.RawMessage
	var path string
	if c.Digest() == "" || json.Unmarshal(c.Input, &in) != nil || json.Unmarshal(in["path"], &path) != nil || path == "" {
		return false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	return assent.Under(path, root) &&
		!slices.ContainsFunc(c.Findings, func(f assent.Finding) bool { return !assent.Under(f.Target, root) })
}
