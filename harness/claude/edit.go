package claude

// Edits of a settings file's text. What goes in goes in as whole lines before
// what was there, so that taking it out again is the exact reverse.
//
// A list or object that Wire makes begins with white space after its bracket;
// into an empty one that it finds it writes right after the bracket. So Unwire
// knows which of the emptied ones to take away.

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// add puts a group first into the event's list.
func (d document) add(st style, event, group string) []byte {
	if d.hooks == nil {
		ind := st.childIndent(d.text, d.root)
		return st.insert(d.text, d.root, `"hooks":`+st.space+st.object(ind, st.member(ind+st.unit, event, group)))
	}
	for _, m := range d.events().Members {
		if key(m) == event {
			return st.insert(d.text, m.Value, group)
		}
	}
	ind := st.childIndent(d.text, d.hooks.Value)
	return st.insert(d.text, d.hooks.Value, st.member(ind, event, group))
}

// insert writes an item as the first child of a list or object.
func (st style) insert(text []byte, parent hujson.Value, item string) []byte {
	at := parent.StartOffset + 1
	first := firstChild(parent)
	switch br := lineBreak(text[at:max(at, first)]); {
	case first < 0:
	case br < 0:
		item += ","
	default:
		item = indentAt(text, first) + item + "," + st.eol
		at += br + 1
	}
	return slices.Concat(text[:at], []byte(item), text[at:])
}

// firstChild is the offset of the first child of a list or object, or -1.
func firstChild(v hujson.Value) int {
	if at := children(v); len(at) > 0 {
		return at[0][0]
	}
	return -1
}

// children are the spans of the children of a list or object.
func children(v hujson.Value) (spans [][2]int) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			spans = append(spans, [2]int{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			spans = append(spans, [2]int{e.StartOffset, e.EndOffset})
		}
	}
	return spans
}

// drop takes out an entry of ours, with everything that Wire made for it and that
// holds nothing else.
func (d document) drop(p place) ([]byte, document, error) {
	member := d.events().Members[p.member]
	parents := []hujson.Value{d.root, d.hooks.Value, member.Value}
	index := []int{d.memberIndex(d.hooks), p.member, p.index}
	if !p.alone {
		parents, index = append(parents, groupList(p.group)), append(index, p.inner)
	}
	at := len(parents) - 1
	for at > 0 && len(children(parents[at])) == 1 && d.made(parents[at]) {
		at--
	}
	text := d.dropRoot()
	if at > 0 || len(d.object.Members) > 1 || !d.made(d.root) {
		text = cut(d.text, parents[at], index[at])
	}
	if blank(text) {
		return text, document{text: text}, nil
	}
	doc, err := parse(text)
	return text, doc, err
}

// dropRoot is what stands around the settings' object, without the line break
// that Wire wrote after it.
func (d document) dropRoot() []byte {
	rest := bytes.TrimPrefix(d.text[d.root.EndOffset:], []byte("\n"))
	return slices.Concat(d.text[:d.root.StartOffset], rest)
}

func (d document) memberIndex(m *hujson.ObjectMember) int {
	return slices.IndexFunc(d.object.Members, func(o hujson.ObjectMember) bool {
		return o.Name.StartOffset == m.Name.StartOffset
	})
}

// made reports whether Wire made this list or object.
func (d document) made(v hujson.Value) bool {
	return strings.IndexByte(" \t\r\n", d.text[v.StartOffset+1]) >= 0
}

// groupList is the list under a group's "hooks".
func groupList(group hujson.Value) hujson.Value {
	for _, m := range group.Value.(*hujson.Object).Members {
		if key(m) == "hooks" {
			return m.Value
		}
	}
	return hujson.Value{}
}

// cut takes one child out of a list or object: with the comma that follows it,
// or being the last with the one before, and with its line if it has that for
// itself.
func cut(text []byte, parent hujson.Value, i int) []byte {
	spans := children(parent)
	from, to := spans[i][0], spans[i][1]
	if c := comma(text, to); c >= 0 {
		to = c + 1
	} else if i > 0 {
		c := comma(text, spans[i-1][1])
		text = slices.Concat(text[:c], text[c+1:])
		from, to = from-1, to-1
	}
	line := from - len(indentAt(text, from))
	end := to + len(text[to:]) - len(bytes.TrimLeft(text[to:], " \t\r"))
	alone := line == 0 || text[line-1] == '\n'
	if alone && end < len(text) && text[end] == '\n' {
		from, to = line, end+1
	}
	return slices.Concat(text[:from], text[to:])
}

// indentAt is the white space before an offset, if it is all that stands before
// it on its line.
func indentAt(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	if len(bytes.Trim(line, " \t")) > 0 {
		return ""
	}
	return string(line)
}
