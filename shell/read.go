package shell

// Reading one text: its plain start here, the rest with the parser, and of what
// is too long only the beginning and the end.

import (
	"errors"
	"io"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// text walks one text, the outermost or one inside it.
func (w *walker) text(text string) {
	if strings.IndexByte(text, 0) >= 0 {
		w.find(Unknown, "The command contains a NUL byte, which shells read differently.")
	}
	outer, at := w.src, w.at
	defer func() { w.src, w.at = outer, at }()
	if read := asBash(text); read != text {
		w.find(Unknown, "The command contains a line end that shells read in different ways.")
		w.at = w.whole(text)
		text = read
	}
	w.src = text
	head := text[:cut(text, MaxInput)]
	complete := true
	var before repeat
	if n := w.plain(head, &before); n < len(head) {
		head = head[:n+cut(head[n:], min(MaxParsed, affordable(head[n:])))]
		complete = w.parse(head, n, len(head) == len(text), &before)
	}
	if len(head) < len(text) {
		w.limit("The command is too long, so %d of its bytes were not read.", len(text)-len(head))
		if complete {
			w.end(text)
		}
	}
}

// asBash is a text in which the parser finds what bash finds: a dollar that a
// line end cuts off from its quote still belongs to it, and a carriage return
// inside a line is a character like others.
func asBash(text string) string {
	text = strings.ReplaceAll(text, "$\\\n", "$")
	if strings.Count(text, "\r") == strings.Count(text, "\r\n") {
		return text
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\u240d").Replace(text)
}

// whole is the span of a text that is not read as it is written.
func (w *walker) whole(text string) *assent.Span {
	if w.at != nil {
		return w.at
	}
	return &assent.Span{To: len(text)}
}

// cut is how much of text to read so that it is at most so many bytes and no
// statement is cut in two.
func cut(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	return 1 + strings.LastIndexAny(text[:most], ";\n")
}

// affordable is how much of text the parser reads in the time there is: the cost
// is in what separates words and opens expansions, and neither in quotes nor in
// documents. It need not be exact: it only says where reading stops.
func affordable(text string) int {
	marks := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c > '>' && c != '`' && c != '{' && c != '|' && c != '}', c >= '*' && c <= ':':
			continue
		case c == '\'':
			i += max(0, strings.IndexByte(text[i+1:], '\''))
		case c == '"':
			if end := strings.IndexAny(text[i+1:], "\"$`"); end >= 0 && text[i+1+end] == '"' {
				i += end
			}
		case c == '<' && strings.HasPrefix(text[i:], "<<"):
			marks += (len(text) - i) >> 10 // looking for its end takes time as well
			i += document(text[i+2:])
		}
		if marks++; marks > MaxMarks {
			return i
		}
	}
	return len(text)
}

// document is how far it is to the end of the document that a delimiter at the
// start of text opens.
func document(text string) int {
	text = strings.TrimLeft(text, "- ")
	delimiter := strings.Trim(text[:max(0, strings.IndexAny(text, "\n;&|<> )"))], `-'"\`)
	if end := strings.Index(text, "\n"+delimiter+"\n"); delimiter != "" && end >= 0 {
		return end
	}
	return 0
}

// plain walks the plain statements at the start of text and returns where they
// end.
func (w *walker) plain(text string, before *repeat) int {
	p := plainText{text: text}
	for s := p.statement(); s != nil; s = p.statement() {
		if w.unless(before, s); w.full {
			break
		}
		p.repeated(before.text)
	}
	var last [maxLast]int // where the last begin of those that a limit keeps from being walked
	n := 0
	for p.skips = w.full; p.skips && p.statement() != nil; n++ {
		last[n%maxLast] = p.from
	}
	end := p.pos
	if end == len(text) && n > 0 {
		list := make([]*syntax.Stmt, 0, maxLast)
		p.skips = false
		for i := max(0, n-maxLast); i < n; i++ {
			p.pos = last[i%maxLast]
			list = append(list, p.statement())
		}
		w.last(list)
	}
	return end
}

// parse walks what the parser makes of text from a place on. It reports whether
// text is complete; whole says that it should be, before is the last of the plain
// statements.
func (w *walker) parse(text string, from int, whole bool, before *repeat) bool {
	in := &reader{text: text, from: from}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(in, "")
	if end, ok := unclosed(text, err); ok && whole {
		in = &reader{text: text + "\n" + end, from: from}
		file, err = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(in, "")
	}
	if file != nil {
		w.sequence(file.Stmts, before)
	}
	switch {
	case in.deep:
		w.limit("The command is nested too deeply and was not read to its end.")
	case err != nil && whole:
		w.find(Unknown, "The command is not complete shell syntax, so a shell may read it differently.")
	}
	return err == nil
}

// unclosed returns the delimiter of a heredoc that the text does not close:
// shells read it up to the end of the text.
func unclosed(text string, err error) (string, bool) {
	var at syntax.ParseError
	if !errors.As(err, &at) || at.Pos.Offset() >= uint(len(text)) || strings.HasSuffix(text, "\\") {
		return "", false
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(text[at.Pos.Offset():], "0123456789"), "<<")
	if !ok || strings.HasPrefix(rest, "<") {
		return "", false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \t")
	p := plainText{text: rest}
	if _, ok := p.word(); !ok || p.pos == 0 {
		return "", false
	}
	return unescape(unquote(rest[:p.pos]), false), true
}

// end walks the last statements of a text that is too long, if it ends with
// statements.
func (w *walker) end(text string) {
	from := len(text) - tail
	i := strings.IndexAny(text[from:], ";\n")
	if i < 0 {
		return
	}
	from += i + 1
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(&reader{text: text[from:]}, "")
	if err != nil {
		return // perhaps the end of a document, and no statements
	}
	at := w.at
	if at == nil {
		w.at = &assent.Span{From: from, To: len(text)}
	}
	w.src = text[from:]
	w.last(file.Stmts)
	w.src, w.at = text, at
}

var errDeep = errors.New("nested too deeply")

// reader feeds text to the parser bit by bit, and refuses to go on once the
// parser has called itself too often. Counting brackets beforehand would be the
// shorter way and wrong: what is a bracket depends on the quotes around it, and
// only the parser knows those.
//
// What lies before from is blank to the parser, so that its positions are those
// of the text.
type reader struct {
	text      string
	from, pos int
	deep      bool
}

func (r *reader) Read(b []byte) (int, error) {
	if r.pos == len(r.text) {
		return 0, io.EOF
	}
	var pc [1]uintptr
	if r.pos >= r.from && runtime.Callers(MaxFrames, pc[:]) > 0 {
		r.deep = true
		return 0, errDeep
	}
	n := copy(b[:min(len(b), bite)], r.text[r.pos:])
	for i := 0; i < n && r.pos+i < r.from; i++ {
		b[i] = ' '
	}
	r.pos += n
	return n, nil
}
