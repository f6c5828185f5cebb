package rules

// Inclusion: whether one matcher surely holds wherever another does.

import (
	"reflect"
	"slices"
	"strings"
)

func (r *Rule) same(o *Rule) bool {
	return reflect.DeepEqual(r.When, o.When) && reflect.DeepEqual(r.Unless, o.Unless)
}

// includes reports whether m, as an ask or a deny would ask it, surely fits all
// that o fits: every key of m is one of o, and o's patterns lie within m's. strict
// says that o is an allow's. False when that cannot be told.
func (m *Matcher) includes(o *Matcher, strict bool) bool {
	if strict && m.Codes != nil {
		return false // an allow's codes fit what has no fact, too
	}
	for _, k := range Keys {
		if k.list == nil {
			continue
		}
		mine, theirs := *k.list(m), *k.list(o)
		if mine == nil {
			continue
		}
		if theirs == nil && k.Name == "path" {
			theirs = slices.Concat(o.Reads, o.Writes, o.Deletes)
		}
		if len(theirs) == 0 || !every(theirs, func(p string) bool { return within(mine, p) }) {
			return false
		}
	}
	return m.Args == nil || o.Args != nil && argsWithin(m.Args, o.Args)
}

// within reports whether all that a pattern fits is fitted by one of several.
func within(wide []string, narrow string) bool {
	return slices.ContainsFunc(wide, func(w string) bool {
		switch {
		case w == narrow, w == "*":
			return true
		case strings.ContainsAny(w, `?\`) || strings.ContainsAny(narrow, `?\`):
			return false
		case strings.Contains(w, "**"):
			return strings.HasSuffix(w, "/**") && !hasGlob(strings.TrimSuffix(w, "/**")) && strings.HasPrefix(narrow, strings.TrimSuffix(w, "**"))
		case strings.Contains(w, "/") && strings.Contains(w, "*"):
			return false
		}
		return fits(w, narrow) || aPath(w) == nil && strings.HasPrefix(narrow, w+"/")
	})
}

// argsWithin reports whether the arguments of a rule fit another's, which more may
// follow. Of an alternative each must.
func argsWithin(wide, narrow []Token) bool {
	operands := slices.DeleteFunc(slices.Clone(narrow), Token.floats)
	i := 0
	for _, w := range wide {
		switch {
		case w.Rest():
			return false
		case w.floats():
			if !slices.ContainsFunc(narrow, func(n Token) bool { return every(n, func(p string) bool { return within(w, p) }) }) {
				return false
			}
			continue
		case i >= len(operands) || operands[i].Rest() || !every(operands[i], func(p string) bool { return within(w, p) }):
			return false
		}
		i++
	}
	return true
}
