package analyze

// Walking the commands of a case.

import "assent"

// each calls f for every command whose name is known.
func each(c assent.Case, f func(assent.Command)) {
	for i := range c.Commands {
		if c.Commands[i].Name != "" {
			f(c.Commands[i])
		}
	}
}
