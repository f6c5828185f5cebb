package terminal

// The input of a tool as indented JSON, one leaf a line.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assent"
)

// json adds a JSON value, one leaf a line. What two readers could take for two
// different things is shown as the bytes it is.
func (p *page) json(raw json.RawMessage) {
	if !p.fits(string(raw)) {
		return
	}
	canon, err := assent.Canonical(raw)
	if err != nil {
		p.say(alarm, "       ! ", "this is not proper JSON; here it is as it came")
		p.block(string(raw))
		return
	}
	d := json.NewDecoder(bytes.NewReader(canon))
	d.UseNumber()
	p.value(d, 1, "")
}

// value adds the next value of d behind its name.
func (p *page) value(d *json.Decoder, depth int, name string) {
	t, _ := d.Token() // canonical JSON has no errors to report
	lead := strings.Repeat("  ", min(depth, p.o.Width/4)) + "  "
	switch t := t.(type) {
	case json.Delim:
		p.nest(d, t, depth, lead, name)
	case string:
		p.leaf(lead, name, t)
	default:
		p.text(plain, lead, name+scalar(t))
	}
}

func scalar(t json.Token) string {
	if t == nil {
		return "null"
	}
	return fmt.Sprint(t)
}

// nest adds an object or an array, member by member.
func (p *page) nest(d *json.Decoder, kind json.Delim, depth int, lead, name string) {
	p.text(plain, lead, name+kind.String())
	for d.More() && !p.over {
		member := ""
		if kind == '{' {
			key, _ := d.Token()
			member = quoted(key.(string)) + ": "
		}
		p.value(d, depth+1, member)
		p.notes(member)
	}
	if p.over {
		return
	}
	end, _ := d.Token()
	p.text(plain, lead, end.(json.Delim).String())
}

// leaf adds a string: on one line in quotes, or line by line behind bars.
func (p *page) leaf(lead, name, s string) {
	if !strings.Contains(s, "\n") {
		p.text(plain, lead, name+quoted(s))
	} else {
		p.text(plain, lead, name+fmt.Sprintf("text of %d lines:", strings.Count(s, "\n")+1))
		p.block(s)
	}
	p.notes(s)
}

// quoted writes s in quotes, so that where it ends cannot be faked.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
