package redact

// Secrets that are known by the names they are given to.

import (
	"slices"
	"strings"
)

// telling are the words by which a name says that it holds a secret.
var telling = []string{"credential", "credentials", "authorization"}

// joined are such words that others are joined to: PGPASSWORD, accesstoken.
var joined = []string{"token", "secret", "password", "passwd", "passphrase", "apikey"}

// about are the last words of names that only speak of a secret.
var about = []string{"stdin", "file", "path", "env", "name", "id", "url", "uri", "type", "count", "limit", "ttl", "expiry", "length"}

// harmless are words before "key" with which it is none to hide.
var harmless = []string{"public", "primary", "foreign", "sort", "partition", "pattern", "session", "turn", "row", "cache", "idempotency", "pubkey"}

// longest is how far is looked for the end of a name: what is read twice is bounded.
const longest = 128

// named reports whether a name says that it holds a secret: GITHUB_TOKEN, apiKey,
// db-password. A key is one where a word says what it opens.
func named(name string) bool {
	words := parts(name)
	if len(words) > 0 && slices.Contains(about, words[len(words)-1]) {
		return false
	}
	for i, w := range words {
		if slices.Contains(telling, w) || len(words) > 1 && (w == "pwd" || w == "pat") || slices.ContainsFunc(joined, func(end string) bool { return strings.HasSuffix(w, end) }) {
			return true
		}
		if w == "key" && i == len(words)-1 && (i > 0 && !slices.Contains(harmless, words[i-1]) || i == 0 && name == "KEY") {
			return true
		}
	}
	return false
}

// parts are the words of a name, in lower case: at _, - and ., and where a capital
// follows a small letter.
func parts(name string) []string {
	var words []string
	from := 0
	cut := func(to int) {
		if to > from {
			words = append(words, strings.ToLower(name[from:to]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case !isAlnum(c):
			cut(i)
			from = i + 1
		case i > from && isUpper(c) && !isUpper(name[i-1]):
			cut(i)
			from = i
		}
	}
	cut(len(name))
	return words
}

// assignment hides what is given to the name that begins here: NAME=value,
// "name": "value", Name: value, --name value. It goes on after the name in any case.
func (r *reader) assignment() bool {
	start := r.at
	if start < r.named { // a part of a name that was looked at
		r.at += run(r.in[start:], isWord)
		return true
	}
	end := start + run(r.in[start:min(len(r.in), start+longest)], func(c byte) bool { return isWord(c) || c == '-' || c == '.' })
	if !named(r.in[start:end]) {
		r.named = end
		r.at += run(r.in[start:], isWord) // a token may begin within: a.b-ghp_…
		return true
	}
	r.at = end
	option := start >= 2 && r.in[start-2:start] == "--"
	from, ok := r.given(end, option)
	if !ok {
		return true
	}
	if from, to := r.extent(from); to > from {
		r.hide(from, to)
	}
	return true
}

// given is where the value begins that is given to a name which ends at end.
func (r *reader) given(end int, option bool) (int, bool) {
	at := end
	closed := at < len(r.in) && (r.in[at] == '"' || r.in[at] == '\'') // "name": …
	if closed {
		at++
	}
	gap := r.blanks(at)
	signs := run(r.in[at+gap:], func(c byte) bool { return c == ':' || c == '=' })
	if signs == 0 {
		value := at + gap
		return value, option && gap > 0 && !closed && value < len(r.in) && r.in[value] != '-'
	}
	after := at + gap + signs
	space := r.blanks(after)
	// NAME= by itself is an empty value, and what follows is a command.
	if space > 0 && gap == 0 && !closed && r.in[after-1] == '=' {
		return 0, false
	}
	if gap > 0 && !r.quoted(after+space) {
		return 0, false
	}
	return r.scheme(after + space), true
}

func (r *reader) blanks(at int) int {
	return run(r.in[at:], func(c byte) bool { return c == ' ' || c == '\t' })
}

func (r *reader) quoted(at int) bool {
	return at < len(r.in) && (r.in[at] == '"' || r.in[at] == '\'')
}

// scheme steps over the word that says what kind of credential follows.
func (r *reader) scheme(at int) int {
	for _, word := range []string{"bearer ", "basic ", "token ", "digest "} {
		if rest := r.in[at:]; len(rest) > len(word) && strings.EqualFold(rest[:len(word)], word) {
			return at + len(word)
		}
	}
	return at
}

// extent is the value at from without its quotes. It ends where a shell would go on,
// within quotes as well: they may stand in others. What is a reference or a call is
// no value, and stays.
func (r *reader) extent(from int) (int, int) {
	rest := r.in[from:]
	for _, before := range []string{"\\", "$"} { // \"…\", $'…'
		if len(rest) > 1 && rest[:1] == before && (rest[1] == '"' && before == "\\" || rest[1] == '\'') {
			from, rest = from+1, rest[1:]
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		return from + 1, from + 1 + quotation(rest[1:], rest[0])
	}
	n := run(rest, func(c byte) bool { return c > ' ' && strings.IndexByte("\"'`$;|&()<>}\\", c) < 0 })
	if n > 0 && n < longest && (n < len(rest) && rest[n] == '(' || rest[n-1] == '[') {
		return from, from
	}
	return from, from + n
}

// quotation is how much of s lies within a quote and is only itself.
func quotation(s string, quote byte) int {
	for i := range len(s) {
		switch c := s[i]; {
		case strings.IndexByte("\"'`\n\\", c) >= 0:
			return i
		case c == '$' && (quote == '"' || i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '{')):
			return i
		}
	}
	return len(s)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
