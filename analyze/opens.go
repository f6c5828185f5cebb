package analyze

// Files that code in another language opens, moves and changes.

import (
	"strings"

	"assent"
)

// each calls f for every path that is given: several, or a list.
func (o *observer) each(in invocation, path assent.Word, f func(assent.Word)) {
	if len(in.args) > 0 {
		if words, ok := o.p.list(in.args[0]); ok {
			for _, w := range words {
				f(w)
			}
			return
		}
	}
	f(path)
	if o.lang.openCalls {
		for _, a := range in.args[min(1, len(in.args)):] {
			if w := o.p.value(a); w.Known {
				f(w)
			}
		}
	}
}

// opens takes in a call that opens a file, to read or to write as it says.
func (o *observer) opens(in invocation, does effect, path assent.Word, method bool) {
	if strings.Contains(path.Value, "://") && !strings.HasPrefix(path.Value, "file:") {
		o.e.act("curl", path)
		return
	}
	mode, at := "", 1
	if method {
		at = 0
	}
	for _, a := range in.args[min(at, len(in.args)):] {
		for _, t := range a {
			if t.kind == textToken && mode == "" && len(t.text) < 4 {
				mode = t.text
			}
			if t.kind == nameToken && (strings.HasPrefix(t.text, "O_W") || strings.HasPrefix(t.text, "O_RDWR") || t.text == "O_CREAT") {
				mode = "w"
			}
		}
	}
	switch {
	case strings.HasSuffix(in.name, "sysopen") && len(in.args) > 1:
		o.perlOpen(in)
	case does == opensFile && strings.HasPrefix(strings.TrimSpace(path.Value), "|") || strings.HasSuffix(path.Value, "|") && path.Known:
		o.e.texts = append(o.e.texts, assent.Word{Text: path.Text, Value: strings.Trim(path.Value, "| "), Known: path.Known})
	case does == opensFile && (strings.ContainsAny(mode, "wa+x>") && !strings.Contains(mode, "<")):
		if o.lang.name == "perl" && len(in.args) > 2 { // open my $f, '>', path
			path = o.p.value(in.args[2])
		}
		o.e.act("tee", path)
	case o.lang.name == "perl" && does == opensFile && len(in.args) > 1:
		o.perlOpen(in)
	default:
		o.e.act("cat", path)
	}
}

// perlOpen reads open(FH, "<path"), open(FH, ">path") and sysopen(FH, path, …).
func (o *observer) perlOpen(in invocation) {
	w := o.p.value(in.args[1])
	for _, a := range in.args[min(2, len(in.args)):] {
		for _, t := range a {
			if t.kind == nameToken && strings.HasPrefix(t.text, "O_") && t.text != "O_RDONLY" {
				o.e.act("tee", w)
				return
			}
		}
	}
	if len(in.args) > 2 && strings.Trim(w.Value, "<>+|-") == "" {
		mode := w.Value
		w = o.p.value(in.args[2])
		if strings.Contains(mode, "|") {
			o.e.texts = append(o.e.texts, w)
			return
		}
		o.e.act("cat", w)
		return
	}
	name := strings.Trim(w.Value, " <>+|")
	named := assent.Word{Text: w.Text, Value: name, Known: w.Known}
	switch {
	case strings.Contains(w.Value, "|"):
		o.e.texts = append(o.e.texts, named)
	case strings.HasPrefix(w.Value, ">") || strings.HasPrefix(w.Value, "+"):
		o.e.act("tee", named)
	default:
		o.e.act("cat", named)
	}
}

// pair takes in a call with a source and a destination.
func (o *observer) pair(does effect, in invocation, from, to assent.Word, method bool) {
	if method && in.recv.Text != "" {
		from, to = in.recv, from
	}
	switch does {
	case moves:
		o.e.act("mv", from, to)
	case copies:
		o.e.act("cp", from, to)
	case links:
		o.e.act("ln", from, to)
		o.e.act("cat", from)
	}
}

// modes takes in a call that changes who may do what with a file.
func (o *observer) modes(does effect, in invocation, path assent.Word, arg func(int) assent.Word, method bool) {
	mode := arg(1)
	switch {
	case does == modesFirst:
		mode, path = arg(0), arg(1)
	case method:
		mode = arg(0)
	}
	if mode.Known {
		mode = said(strings.TrimPrefix(strings.TrimPrefix(mode.Value, "0o"), "0"))
		if mode.Value == "" {
			mode = said("0")
		}
	}
	o.e.act("chmod", mode, path)
}
