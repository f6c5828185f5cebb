package analyze

// Tokens of other languages: enough of their syntax to tell names, texts and
// brackets apart. What is not understood is never taken for harmless.

import "strings"

type tokenKind int

const (
	nameToken    tokenKind = iota
	textToken              // a string
	commandToken           // a string that is run: `ls`
	regexToken
	numberToken
	markToken // anything else, one byte each
	endToken  // a line's end, or ";"
)

type token struct {
	kind  tokenKind
	text  string
	known bool // of texts: nothing in it is computed
}

// dialect is how a language writes comments and texts.
type dialect struct {
	line    string // starts of comments that reach to the end of the line, with blanks between
	block   bool   // has /* comments */
	raw     string // quotes in which a backslash is one
	holes   string // what begins a computed part inside double quotes and templates: "${", "#{", "$"
	run     bool   // `…` is a command
	slashes bool   // /…/ may be a regular expression
	sigils  string // bytes that belong to a name: "$@%"
	percent bool   // %w[ ] and q( ) forms
}

// lexer reads tokens.
type lexer struct {
	dialect
	src string
	pos int
	out []token
}

// maxTokens is how much of a text is looked at.
const maxTokens = 4000

// lex splits a text into tokens. It reports false when the text is too long, or
// ends within a string.
func lex(text string, d dialect) ([]token, bool) {
	l := &lexer{dialect: d, src: text}
	for l.pos < len(l.src) {
		if len(l.out) > maxTokens || !l.next() {
			return l.out, false
		}
	}
	return l.out, true
}

func (l *lexer) emit(kind tokenKind, text string, known bool) {
	l.out = append(l.out, token{kind, text, known})
}

// next reads one token and reports whether the text still makes sense.
func (l *lexer) next() bool {
	c := l.src[l.pos]
	switch {
	case c == '\n' || c == ';':
		l.emit(endToken, string(c), true)
		l.pos++
	case c == ' ' || c == '\t' || c == '\r':
		l.pos++
	case l.comment():
	case c == '"' || c == '\'' || c == '`':
		return l.quoted("")
	case isWord(c) || strings.IndexByte(l.sigils, c) >= 0 && l.pos+1 < len(l.src) && (isWord(l.src[l.pos+1]) || l.src[l.pos+1] == '{'):
		return l.name()
	case c == '/' && l.slashes && l.mayBeRegex():
		return l.regex(1)
	case c == '%' && l.percent && l.pos+2 < len(l.src) && l.mayBeRegex():
		return l.percentForm()
	default:
		l.emit(markToken, string(c), true)
		l.pos++
	}
	return true
}

func (l *lexer) comment() bool {
	rest := l.src[l.pos:]
	for start := range strings.FieldsSeq(l.line) {
		if strings.HasPrefix(rest, start) {
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				l.pos += i
			} else {
				l.pos = len(l.src)
			}
			return true
		}
	}
	if l.block && strings.HasPrefix(rest, "/*") {
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			l.pos += i + 4
		} else {
			l.pos = len(l.src)
		}
		return true
	}
	return false
}

// mayBeRegex reports whether a slash here begins a text rather than divides.
func (l *lexer) mayBeRegex() bool {
	if len(l.out) == 0 {
		return true
	}
	switch t := l.out[len(l.out)-1]; t.kind {
	case nameToken:
		return strings.Contains(" if unless and or not split return when while until print puts grep ", " "+t.text+" ")
	case textToken, numberToken, regexToken, commandToken:
		return false
	case markToken:
		return t.text != ")" && t.text != "]" && t.text != "}"
	}
	return true
}

// regex reads parts that end with a slash, and the letters after them.
func (l *lexer) regex(parts int) bool {
	start := l.pos
	closing := byte('/')
	l.pos++
	for class := false; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\\':
			l.pos++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '\n':
			return false
		case c == closing && !class:
			if parts--; parts == 0 {
				l.pos++
				for l.pos < len(l.src) && isWord(l.src[l.pos]) {
					l.pos++
				}
				l.emit(regexToken, l.src[start:l.pos], true)
				return true
			}
		}
	}
	return false
}

// name reads a name, or what its first letters make of the text after them.
func (l *lexer) name() bool {
	start := l.pos
	l.pos++
	for l.pos < len(l.src) && isWord(l.src[l.pos]) {
		l.pos++
	}
	word := l.src[start:l.pos]
	if l.pos < len(l.src) {
		c := l.src[l.pos]
		if (c == '"' || c == '\'') && len(word) < 3 && strings.Trim(strings.ToLower(word), "rbuf") == "" && l.line == "#" && !l.percent {
			return l.quoted(strings.ToLower(word)) // Python's r"", f"" and b""
		}
		if l.percent && quoteLike(word) && !isWord(c) && c != ',' && c != ';' && c != ')' && c != '=' && (c != ' ' || word == "qw" || word == "qx") {
			return l.quoteForm(word)
		}
	}
	if word[0] >= '0' && word[0] <= '9' {
		l.emit(numberToken, word, true)
	} else {
		l.emit(nameToken, word, true)
	}
	return true
}
