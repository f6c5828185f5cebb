package claude

// How a settings file is laid out, and the text of our entries in that layout.

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// style is a file's layout.
type style struct {
	eol   string // between lines; empty: the file is one line
	open  string // what stands after the bracket of what we make
	unit  string // one step of indentation
	space string // after a colon or comma
}

// styleOf reads the layout of a file. Empty settings get two spaces.
func styleOf(text []byte) style {
	if text != nil && !bytes.ContainsRune(bytes.TrimSpace(text), '\n') {
		return style{open: " "}
	}
	st := style{eol: "\n", unit: "  ", space: " "}
	if bytes.Contains(text, []byte("\r\n")) {
		st.eol = "\r\n"
	}
	st.open = st.eol
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " \t")
		if len(rest) < len(line) && len(bytes.TrimSpace(rest)) > 0 && rest[0] == '"' {
			st.unit = string(line[:len(line)-len(rest)])
			break
		}
	}
	return st
}

// childIndent is the indentation of what is put into a list or object.
func (st style) childIndent(text []byte, parent hujson.Value) string {
	if st.eol == "" {
		return ""
	}
	if first := firstChild(parent); first >= 0 && indentAt(text, first) != "" {
		return indentAt(text, first)
	}
	line := text[bytes.LastIndexByte(text[:parent.StartOffset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]) + st.unit
}

// object writes a new object whose own line is indented by ind.
func (st style) object(ind string, members ...string) string {
	return "{" + st.lines(ind, members) + "}"
}

// member writes a new event with a list of one group.
func (st style) member(ind, event, group string) string {
	return `"` + event + `":` + st.space + "[" + st.lines(ind, []string{group}) + "]"
}

// lines writes items on lines of their own, one step further in than ind.
func (st style) lines(ind string, items []string) string {
	if st.eol == "" {
		return st.open + strings.Join(items, ",")
	}
	in := ind + st.unit
	return st.open + in + strings.Join(items, ","+st.eol+in) + st.eol + ind
}

// root writes a whole settings file.
func (st style) root(program string, more []string) string {
	var members []string
	for _, r := range rows {
		if r.wired {
			members = append(members, st.member(st.unit+st.unit, r.event, st.group(r, program, more)))
		}
	}
	return st.object("", `"hooks":`+st.space+st.object(st.unit, members...))
}

// waiting is what Claude Code shows while a call is held.
const waiting = "assent may be waiting for you: assent requests"

// group writes the group that starts the program for one event, on one line.
func (st style) group(r row, program string, more []string) string {
	pair := func(key string, value any) string { return `"` + key + `":` + st.space + quote(value, st.space) }
	sep := "," + st.space
	args := append([]string{"hook", Name, "--event", r.event}, more...)
	fields := []string{
		pair("type", "command"), pair("command", program), pair("args", args),
		pair("timeout", int(r.limit/time.Second)),
	}
	if r.gates {
		fields = append(fields, pair("onFailure", "block"), pair("statusMessage", waiting))
	}
	group := `"hooks":` + st.space + "[{" + strings.Join(fields, sep) + "}]"
	if r.matched {
		group = pair("matcher", "*") + sep + group
	}
	return "{" + group + "}"
}

// quote writes a string, a number or a list of strings.
func quote(v any, space string) string {
	if list, ok := v.([]string); ok {
		items := make([]string, len(list))
		for i, s := range list {
			items[i] = quote(s, space)
		}
		return "[" + strings.Join(items, ","+space) + "]"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings and integers can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
