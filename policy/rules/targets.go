package rules

// Targets: the paths that a part reads, writes and deletes, by its facts where
// they say so, and else by the structure of its words.

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// deed is what is done to a path, as a set.
type deed int

const (
	read deed = 1 << iota
	write
	remove
	anyDeed = read | write | remove
)

// target is one path that a part touches.
type target struct {
	path  string // absolute and clean; when not known, the start of it, which may be empty
	does  deed
	known bool
	tree  bool // what lies below it is meant too
	guess bool // it may be the value of an option, and no path
	value bool // it may be the value of an option, which may do anything to it
}

type codeDeed struct {
	code string
	does deed
	tree bool
}

// deeds are the codes whose target is a path, and what is done to it.
var deeds = []codeDeed{
	{"fs.delete*", remove, true}, {"fs.remove", remove, false}, {"fs.move", remove | read, true},
	{"fs.read", read, false}, {"fs.perm", write, true}, {"fs.*", write, false},
	{"secret.read", read, false}, {"secret.write", write, false}, {"persist", write, false}, {"agent.config", write, false}, {"gate.self", anyDeed, false},
}

// look finds the targets and the hosts of a part, once.
func (p *part) look() *part {
	if p.looked {
		return p
	}
	p.looked = true
	for _, f := range p.facts {
		for _, d := range deeds {
			if !fits(d.code, f.Code) {
				continue
			}
			if !p.vague(f, d.does) {
				t := pathOf(assent.Word{Known: path.IsAbs(f.Target)}, f.Target, "")
				t.does, t.tree = d.does, d.tree
				p.targets = append(p.targets, t)
			}
			break
		}
	}
	p.hosts = told(p.facts)
	if p.cmd == nil {
		p.call()
		return p
	}
	operands := map[assent.Word]bool{}
	for _, w := range programs.Read(*p.cmd).Operands {
		operands[w] = true
	}
	p.redirects()
	if !slices.Contains(silent, p.cmd.Name) {
		p.words(operands)
		p.hosts = slices.Concat(p.hosts, hostsOf(p.cmd, operands), routed(p.cmd))
	}
	return p
}

// pathOf is the path that a word, or a piece of it, is from dir.
func pathOf(w assent.Word, piece, dir string) target {
	if !w.Known && piece == "" {
		return target{}
	}
	full, known := absolute(piece, dir)
	return target{path: full, known: known && w.Known}
}

// knowledge is who tells facts by what is known of programs: where a command runs,
// and not what it does so to.
const knowledge = "programs"

// vague reports whether another fact tells more exactly what the command does.
func (p *part) vague(f assent.Finding, does deed) bool {
	if p.cmd == nil || f.By != knowledge {
		return false
	}
	return slices.ContainsFunc(p.facts, func(o assent.Finding) bool {
		return o.By != f.By && slices.ContainsFunc(deeds, func(d codeDeed) bool { return d.does == does && fits(d.code, o.Code) }) && !p.redirected(o.Target)
	})
}

// redirected reports whether a path is what the shell opens for the command.
func (p *part) redirected(full string) bool {
	return slices.ContainsFunc(p.cmd.Redirects, func(r assent.Redirect) bool {
		to, _ := absolute(r.Target.Value, p.cmd.Dir)
		return to == full
	})
}

// redirects adds what the shell opens for the command.
func (p *part) redirects() {
	for _, r := range p.cmd.Redirects {
		if h, ok := dialled(r); ok {
			p.hosts = append(p.hosts, h)
		}
		does, ok := opens(r)
		if !ok {
			continue
		}
		t := pathOf(r.Target, r.Target.Value, p.cmd.Dir)
		t.does = does
		p.add(t, r.Target.Value)
	}
}

// add adds a target that a text names, and where it lies behind links.
func (p *part) add(t target, text string) {
	p.targets = append(p.targets, t)
	if other, ok := p.elsewhere(t, text); ok {
		p.targets = append(p.targets, other)
	}
}

// opens says what a redirection does to its target, if that is a file which keeps
// anything.
func opens(r assent.Redirect) (deed, bool) {
	if r.Target.Known && slices.Contains([]string{"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"}, r.Target.Value) {
		return 0, false
	}
	switch r.Op {
	case "<":
		return read, true
	case ">", ">>", ">|", "&>", "&>>":
		return write, true
	case "<>":
		return read | write, true
	case ">&": // a descriptor, or a file
		return write, !r.Target.Known || strings.Trim(r.Target.Value, "0123456789-") != ""
	}
	return 0, false
}

// silent are programs that only print or keep what their arguments say.
var silent = []string{"echo", "printf", "true", "false", ":", "export", "set", "unset", "alias", "type", "which", "sleep", "kill", "cd", "pushd", "popd"}

// movers take their sources away.
var (
	movers   = []string{"mv", "gmv"}
	deleters = []string{"rm", "grm", "rmdir", "unlink", "shred", "srm", "rimraf", "trash"}
)

// words adds the paths that the command's words may be. Every operand may be one,
// and so may what follows a sign inside a word.
func (p *part) words(operands map[assent.Word]bool) {
	cmd := p.cmd
	does := read
	switch {
	case slices.Contains(deleters, cmd.Name):
		does = remove
	case p.has("prog.unknown", "code.*"):
		does = read | write
	}
	deep, here := p.descent(operands)
	if here {
		t := pathOf(assent.Word{Known: true}, ".", cmd.Dir)
		t.does, t.tree = read, true
		p.targets = append(p.targets, t)
	}
	ended := false
	for i, w := range cmd.Args {
		if w.Known && w.Value == "--" {
			ended = true
			continue
		}
		does := does
		if slices.Contains(movers, cmd.Name) && i < len(cmd.Args)-1 {
			does |= remove
		}
		for _, piece := range pieces(w.Value, !ended && dashed(w.Value)) {
			t := pathOf(w, piece, cmd.Dir)
			t.does, t.tree, t.guess = does, deep != nil && deep[i], !strings.Contains(piece, "/") && !operands[w]
			t.value = !ended && (dashed(w.Value) || i > 0 && dashed(cmd.Args[i-1].Value))
			p.add(t, piece)
		}
	}
}

// pieces are the paths that a word may name. A word that is an option names none
// but behind its sign or letter.
func pieces(word string, option bool) []string {
	if strings.Contains(word, "://") {
		scheme, rest, _ := strings.Cut(word, "://")
		if strings.EqualFold(scheme, "file") {
			return []string{rest}
		}
		return nil
	}
	var out []string
	if !option {
		out = append(out, word)
	} else if len(word) > 2 && word[1] != '-' && strings.ContainsAny(word[2:3], "/~.") {
		out = append(out, word[2:])
	}
	if parts := strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune("=,:@", c) }); len(parts) > 0 && parts[0] != word {
		for i, x := range parts {
			if i > 0 || !option {
				out = append(out, x)
			}
		}
	}
	return out
}

// call adds what the input of a tool call names: the path of a file tool, and of
// a tool of which no more is known every text that is a path or an address.
func (p *part) call() {
	var in any
	if json.Unmarshal(p.c.Input, &in) != nil {
		return
	}
	does := anyDeed
	switch p.c.Tool {
	case assent.ToolRead:
		does = read
	case assent.ToolWrite, assent.ToolEdit:
		does = write
	}
	fields, _ := in.(map[string]any)
	if text, ok := fields["path"].(string); ok && does != anyDeed {
		p.named(text, does)
		return
	}
	left := maxTexts
	walk("", in, &left, func(field, text string) {
		if h, ok := address(text); ok {
			p.hosts = append(p.hosts, h)
		} else if path.IsAbs(text) || text == "~" || strings.HasPrefix(text, "~/") || namesPath(field) {
			p.named(text, does)
		}
	})
}

// namesPath reports whether a field is by its name one for paths.
func namesPath(field string) bool {
	field = strings.ToLower(field)
	return slices.ContainsFunc([]string{"path", "file", "dir", "folder"}, func(s string) bool { return strings.Contains(field, s) })
}

func (p *part) named(text string, does deed) {
	if rest, ok := strings.CutPrefix(text, "~"); ok && p.c.Places.Home != "" && (rest == "" || rest[0] == '/') {
		text = p.c.Places.Home + rest
	}
	full, known := absolute(text, p.c.Dir)
	p.targets = append(p.targets, target{path: full, does: does, known: known})
}

// maxTexts is how many texts of an input are looked at.
const maxTexts = 1000

// walk calls f for the texts in a JSON value, each with the name of its field.
func walk(field string, v any, left *int, f func(field, text string)) {
	if *left--; *left < 0 {
		return
	}
	switch v := v.(type) {
	case string:
		f(field, v)
	case []any:
		for _, x := range v {
			walk(field, x, left, f)
		}
	case map[string]any:
		for name, x := range v {
			walk(name, x, left, f)
		}
	}
}
