// Package redact hides secrets in what leaves the machine's owner: the payloads of
// approval hooks, judges and webhooks.
//
// It goes by the shape of well-known tokens and by the names that secrets are given
// to. It is no proof that nothing is left, and it never hides what would run: what
// it takes away ends where a shell would go on, and references ($TOKEN) stay. The time
// it takes grows with the text's length alone.
//
//	redact.Text("curl -H 'X-Api-Key: 4f1c…' https://ada:pw@host")
//	// curl -H 'X-Api-Key: [redacted]' https://ada:[redacted]@host
package redact

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Mark stands in place of a secret.
const Mark = "[redacted]"

// Text is a text with its secrets replaced by Mark.
func Text(s string) string {
	s = handles(s)
	r := reader{in: s}
	for r.at < len(s) {
		if !r.secret() {
			r.at++
		}
	}
	if r.kept == 0 {
		return s
	}
	r.out.WriteString(s[r.kept:])
	return r.out.String()
}

// JSON is a JSON value with the secrets in its strings replaced, with the strings whose
// names say that they are secrets, and with names that are handles themselves. What is
// no JSON becomes null.
func JSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return json.RawMessage("null")
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(value(v)) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(out.Bytes())
}

func value(v any) any {
	switch v := v.(type) {
	case string:
		return Text(v)
	case []any:
		for i := range v {
			v[i] = value(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, of := range v {
			if text, ok := of.(string); ok && text != "" && named(name) {
				of = Mark
			}
			out[handles(name)] = value(of)
		}
		return out
	}
	return v
}

// reader walks over a text once.
type reader struct {
	in    string
	at    int        // what is looked at
	kept  int        // up to here everything is in out
	named int        // up to here names were looked at
	by    *secretive // the program whose options follow
	since int        // where they begin
	out   strings.Builder
	pem   bool // between the lines of a private key
}

// hide replaces in[from:to] and goes on at to.
func (r *reader) hide(from, to int) {
	r.out.WriteString(r.in[r.kept:from])
	r.out.WriteString(Mark)
	r.kept, r.at = to, to
}

// secret hides the secret that begins here, or after a name that begins here, and
// reports whether it went on by itself.
func (r *reader) secret() bool {
	rest := r.in[r.at:]
	switch {
	case strings.IndexByte(";|&\n()`", rest[0]) >= 0: // another command
		r.by = nil
		return false
	case rest[0] == '-' && r.by != nil && r.at > 0 && strings.IndexByte(" \t", r.in[r.at-1]) >= 0 && r.option(rest):
		return true
	case rest[0] == '-' && strings.HasPrefix(rest, "-----"):
		return r.fence(rest)
	case rest[0] == ':' && strings.HasPrefix(rest, "://"):
		return r.login()
	case strings.HasPrefix(rest, "-u ") && (r.at == 0 || r.in[r.at-1] == ' '):
		return r.user()
	case !isWord(rest[0]) || r.at > 0 && isWord(r.in[r.at-1]):
		return false
	}
	r.program(rest)
	if n := shaped(rest); n > 0 {
		r.hide(r.at, r.at+n)
		return true
	}
	return r.pem && r.body(rest) || r.assignment()
}

// fence is the first or the last line of a private key.
func (r *reader) fence(rest string) bool {
	line := rest
	if end := strings.Index(rest[5:min(len(rest), 80)], "-----"); end > 0 {
		line = rest[:5+end+5]
	}
	switch {
	case strings.HasPrefix(line, "-----BEGIN ") && strings.HasSuffix(line, "PRIVATE KEY-----"):
		r.pem = true
	case strings.HasPrefix(line, "-----END "):
		r.pem = false
	default:
		return false
	}
	r.at += len(line)
	return true
}

// body is a line of a private key. What is too short for one is none: a command
// that stands between the fences stays to be seen.
func (r *reader) body(rest string) bool {
	n := run(rest, func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=", c) >= 0 })
	if n < 16 {
		return false
	}
	r.hide(r.at, r.at+n)
	return true
}

// login is the password of an address: scheme://user:password@host.
func (r *reader) login() bool {
	from := r.at + len("://")
	name := run(r.in[from:], isLogin)
	at := from + name
	r.at = at
	if at >= len(r.in) || r.in[at] != ':' {
		return true
	}
	n := run(r.in[at+1:], func(c byte) bool { return isLogin(c) || c == ':' })
	end := at + 1 + n
	if n == 0 || end >= len(r.in) || r.in[end] != '@' {
		return true
	}
	r.hide(at+1, end)
	return true
}

// user is the password of an option: -u user:password.
func (r *reader) user() bool { return r.password(r.at+len("-u "), true) }

// password is that of user:password at from. Where it may be a group as well, one of
// digits stays.
func (r *reader) password(from int, group bool) bool {
	name := from + run(r.in[from:], func(c byte) bool { return isLogin(c) || c == '"' || c == '\'' })
	if name == len(r.in) || r.in[name] != ':' {
		return false
	}
	from, to := r.extent(name + 1)
	if to == from || group && run(r.in[from:to], isDigit) == to-from { // -u 1000:1000 is a group
		return false
	}
	r.hide(from, to)
	return true
}

// run is how many bytes from the beginning are of a kind.
func run(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isLogin(c byte) bool { return isWord(c) || strings.IndexByte("-.~%!*+,=", c) >= 0 }
