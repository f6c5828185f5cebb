package analyze

// Texts in other languages: the quotes around them, their escapes, and the parts
// of them that are computed.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func quoteLike(word string) bool {
	switch word {
	case "q", "qq", "qx", "qw", "m", "qr", "s", "tr", "y":
		return true
	}
	return false
}

// quoteForm reads Perl's q{}, qx(), s/// and their kin.
func (l *lexer) quoteForm(word string) bool {
	parts := 1
	if word == "s" || word == "tr" || word == "y" {
		parts = 2
	}
	var body []string
	for i := range parts {
		text, ok := l.delimited(i+1 < parts)
		if !ok {
			return false
		}
		body = append(body, text)
	}
	flags := l.pos
	if word != "q" && word != "qq" && word != "qw" && word != "qx" {
		for l.pos < len(l.src) && isWord(l.src[l.pos]) {
			l.pos++
		}
	}
	switch word {
	case "q", "qw":
		l.emit(textToken, body[0], true)
	case "qq":
		l.hole(body[0], textToken)
	case "qx":
		l.hole(body[0], commandToken)
	case "s":
		l.emit(regexToken, "", true)
		if strings.Contains(l.src[flags:l.pos], "e") {
			l.emit(nameToken, "eval", true) // the replacement is code
		}
	default:
		l.emit(regexToken, "", true)
	}
	return true
}

// delimited reads a text between brackets, or between two of the same byte. When
// more is to follow, such a byte ends the one text and begins the next.
func (l *lexer) delimited(more bool) (string, bool) {
	for l.pos < len(l.src) && (l.src[l.pos] == ' ' || l.src[l.pos] == '\n') {
		l.pos++
	}
	if l.pos >= len(l.src) || l.src[l.pos] >= utf8.RuneSelf {
		return "", false
	}
	open := l.src[l.pos]
	if i := strings.IndexByte("([{<", open); i >= 0 {
		n := closed(l.src[l.pos:], open, ")]}>"[i])
		text := l.src[l.pos+1 : max(l.pos+1, l.pos+n-1)]
		l.pos += n
		return text, true
	}
	for i := l.pos + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case open:
			text := l.src[l.pos+1 : i]
			if l.pos = i; !more {
				l.pos++
			}
			return text, true
		}
	}
	return "", false
}

// percentForm reads Ruby's %w[], %x() and their kin.
func (l *lexer) percentForm() bool {
	kind := l.src[l.pos+1]
	at := l.pos + 2
	if !isWord(kind) {
		kind, at = 'Q', l.pos+1
	}
	if at >= len(l.src) || strings.IndexByte("([{<|!/", l.src[at]) < 0 {
		l.emit(markToken, "%", true)
		l.pos++
		return true
	}
	l.pos = at
	text, ok := l.delimited(false)
	if !ok {
		return false
	}
	switch kind {
	case 'x':
		l.hole(text, commandToken)
	case 'r':
		l.emit(regexToken, text, true)
	case 'w', 'i', 'q', 's':
		l.emit(textToken, text, true)
	default:
		l.hole(text, textToken)
	}
	return true
}

// quoted reads a text in quotes; prefix are the letters before it.
func (l *lexer) quoted(prefix string) bool {
	q := l.src[l.pos]
	long := strings.Repeat(string(q), 3)
	triple := q != '`' && strings.HasPrefix(l.src[l.pos:], long) && l.line == "#" && !l.percent
	end := string(q)
	if triple {
		end = long
	}
	raw := strings.IndexByte(l.raw, q) >= 0 || strings.Contains(prefix, "r")
	from := l.pos + len(end)
	for i := from; i < len(l.src); i++ {
		switch {
		case l.src[i] == '\\':
			i++
		case strings.HasPrefix(l.src[i:], end):
			body := l.src[from:i]
			l.pos = i + len(end)
			if !raw {
				body = unescaped(body)
			}
			kind := textToken
			if q == '`' && l.run {
				kind = commandToken
			}
			switch {
			case strings.Contains(prefix, "f"):
				l.holes = "{"
				l.hole(body, kind)
				l.holes = ""
			case q == '\'' && strings.Contains(l.raw, "'"):
				l.emit(kind, body, true)
			case q == '\'' && l.holes != "" || q == '"' && l.holes == "${" && !l.run:
				l.emit(kind, body, true) // only templates have computed parts
			default:
				l.hole(body, kind)
			}
			return true
		}
	}
	return false
}

// homeTexts are how the home directory is written inside of texts.
var homeTexts = []string{"$ENV{HOME}", `#{ENV["HOME"]}`, "#{ENV['HOME']}", "#{Dir.home}", "${process.env.HOME}", "${os.homedir()}", "{os.environ['HOME']}", "{Path.home()}"}

// hole emits a text; it is not known when it has computed parts, and code in
// them is read as well.
func (l *lexer) hole(body string, kind tokenKind) {
	for _, home := range homeTexts {
		body = strings.ReplaceAll(body, home, "~")
	}
	i := -1
	if l.holes != "" {
		i = strings.Index(body, l.holes)
	}
	if l.holes == "$" {
		i = strings.IndexAny(body, "$@")
	}
	if i < 0 || i+1 >= len(body) {
		l.emit(kind, body, true)
		return
	}
	l.emit(kind, body, false)
	if len(l.holes) == 2 || l.holes == "{" {
		inner, _ := lex(body[i+len(l.holes):], l.dialect)
		l.out = append(l.out, token{kind: endToken})
		l.out = append(l.out, inner...)
	} else if strings.Contains(body, "{[") || strings.Contains(body, "[`") || strings.Contains(body, "{`") {
		l.emit(nameToken, "eval", true)
	}
}

// unescaped decodes the escapes that most languages share.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		n := 0
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '\n':
		case 'x':
			n = coded(&b, s[i+1:], 2)
		case 'u':
			if strings.HasPrefix(s[i+1:], "{") {
				end := max(0, strings.IndexByte(s[i+1:], '}'))
				coded(&b, s[i+2:i+1+end], end)
				n = end + 1
			} else {
				n = coded(&b, s[i+1:], 4)
			}
		default:
			b.WriteByte(s[i])
		}
		i += n
	}
	return b.String()
}

// coded writes the character whose number stands in hexadecimal digits, and
// returns how many there are.
func coded(b *strings.Builder, s string, most int) int {
	n := 0
	for n < len(s) && n < most && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
		n++
	}
	if x, err := strconv.ParseUint(s[:n], 16, 32); err == nil {
		b.WriteRune(rune(x))
	}
	return n
}
