package analyze

// Code in other languages that speaks of assent and does more than could be told.

import (
	"path"
	"strings"

	"assent"
)

// mentioned says what code that stands in a command says of assent's home and verbs,
// where it cannot be told what it does with them.
func (g gate) mentioned(cmd assent.Command) []string {
	var out []string
	for _, s := range snippetsNaming(cmd) {
		text := likely(s.text)
		e := effects{unclear: true}
		if s.read != nil {
			e = s.read(text)
		}
		if named := g.quoted(text); named != "" && (e.unclear || len(e.acts) > 0) {
			out = append(out, "It runs code that names "+named+", which belongs to assent.")
		}
		if verb := spoken(text); verb != "" && e.unclear && startsPrograms(s.text) {
			out = append(out, "It runs code that names assent "+verb+", which only a person may do, and may start it.")
		}
	}
	return out
}

// snippetsNaming is the code in a command that has assent's name in it.
func snippetsNaming(cmd assent.Command) []snippet {
	speaks := func(w assent.Word) bool {
		return strings.Contains(w.Value, "assent") || strings.Contains(w.Text, "assent")
	}
	in := cmd.Stdin != nil && speaks(*cmd.Stdin)
	for _, w := range cmd.Args {
		in = in || speaks(w)
	}
	if !in {
		return nil
	}
	var out []snippet
	for _, s := range snippetsOf(cmd) {
		if !s.shell && speaks(s.text) && len(s.text.Value) <= maxSnippet {
			out = append(out, s)
		}
	}
	return out
}

// quoted is a path in assent's home that stands alone between quotes. A path that is
// put together is known by the home's own name.
func (g gate) quoted(text string) string {
	base := path.Base(g.homes[0])
	for _, quote := range []string{"'", `"`, "`"} {
		for part := range strings.SplitSeq(text, quote) {
			if !strings.Contains(part, base) || strings.ContainsAny(part, " \t\n<>{}") {
				continue
			}
			way, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(part, "file:"), "//"), "?")
			if full, _ := absolute(way, "", g.places); g.holds(full) || base[0] == '.' && (strings.HasPrefix(way, base+"/") || strings.HasPrefix(way, "/"+base+"/") || strings.HasSuffix(way, "/"+base) || way == base) {
				return part
			}
		}
	}
	return ""
}
