package shell

// Plain statements: words and quotes with nothing to expand, between separators.
// They are read here at the speed of memory, into the tree that the parser would
// make of them. From the first statement that is not plain the parser reads on.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainText reads the plain statements at the start of a text.
type plainText struct {
	text  string
	pos   int
	from  int  // where the last statement began
	end   int  // where it ended, without what ends it
	skips bool // statements are only read over
}

// skipped stands for what is only read over.
var skipped = new(syntax.Stmt)

// reserved are words that begin something else than a simple command.
var reserved = []string{
	"!", "[[", "]]", "case", "coproc", "declare", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function",
	"if", "in", "let", "local", "nameref", "readonly", "select", "then", "time", "typeset", "until", "while",
}

// statement is the next statement, nil when it is not plain or the text ends.
// Then pos is where it would begin.
func (p *plainText) statement() *syntax.Stmt {
	p.skip(" \t\n")
	p.from = p.pos
	if p.pos == len(p.text) {
		return nil
	}
	s := p.list()
	if s == nil || !p.ended(s) {
		p.pos = p.from
		return nil
	}
	return s
}

// repeated goes over statements that are the same text once more.
func (p *plainText) repeated(text string) {
	for text != "" {
		before := p.pos
		p.skip(" \t\n")
		if !strings.HasPrefix(p.text[p.pos:], text) {
			p.pos = before
			return
		}
		p.skips = true
		same := p.statement() != nil && p.text[p.from:p.end] == text
		p.skips = false
		if !same {
			p.pos = before
			return
		}
	}
}

func (p *plainText) skip(blanks string) {
	for p.pos < len(p.text) && strings.IndexByte(blanks, p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// peek is the byte n after pos, 0 behind the end.
func (p *plainText) peek(n int) byte {
	if p.pos+n < len(p.text) {
		return p.text[p.pos+n]
	}
	return 0
}

func (p *plainText) at(pos int) syntax.Pos { return syntax.NewPos(uint(pos), 1, uint(pos+1)) }

// ended reads what ends a statement.
func (p *plainText) ended(s *syntax.Stmt) bool {
	c, next := p.peek(0), p.peek(1)
	switch {
	case p.pos == len(p.text) || c == '\n':
		return true
	case c == ';' && next != ';' && next != '&' && next != '|', c == '&' && next != '&' && next != '>' && next != '|' && next != '!':
		p.end = p.pos
		if !p.skips {
			s.Semicolon, s.Background = p.at(p.pos), c == '&'
		}
		p.pos++
		return true
	}
	return false
}

// list reads a && b || c.
func (p *plainText) list() *syntax.Stmt {
	s := p.pipe()
	for s != nil && (p.peek(0) == '&' && p.peek(1) == '&' || p.peek(0) == '|' && p.peek(1) == '|') {
		op := syntax.AndStmt
		if p.peek(0) == '|' {
			op = syntax.OrStmt
		}
		s = p.binary(s, op, 2, p.pipe)
	}
	return s
}

// pipe reads a | b | c.
func (p *plainText) pipe() *syntax.Stmt {
	s := p.simple()
	for s != nil && p.peek(0) == '|' && p.peek(1) != '|' && p.peek(1) != '&' {
		s = p.binary(s, syntax.Pipe, 1, p.simple)
	}
	return s
}

func (p *plainText) binary(x *syntax.Stmt, op syntax.BinCmdOperator, length int, right func() *syntax.Stmt) *syntax.Stmt {
	pos := p.at(p.pos)
	p.pos += length
	y := right()
	if y == nil || p.skips {
		return y
	}
	b := &binaryStmt{cmd: syntax.BinaryCmd{OpPos: pos, Op: op, X: x, Y: y}}
	b.stmt.Position, b.stmt.Cmd = x.Position, &b.cmd
	return &b.stmt
}

// binaryStmt is two statements with an operator between them.
type binaryStmt struct {
	stmt syntax.Stmt
	cmd  syntax.BinaryCmd
}

// simpleCall is a simple command with room for what most of them have.
type simpleCall struct {
	stmt  syntax.Stmt
	call  syntax.CallExpr
	args  [2]*syntax.Word
	first literalWord
}

// simple reads one simple command.
func (p *plainText) simple() *syntax.Stmt {
	p.skip(" \t")
	from, n := p.pos, 0
	var c *simpleCall
	if !p.skips {
		c = new(simpleCall)
		c.call.Args = c.args[:0]
	}
	for ; p.pos < len(p.text) && !endsPlain(p.text[p.pos]); n++ {
		begin := p.pos
		quotes, ok := p.word()
		if !ok || n == 0 && !startsPlain(p.text[from:p.pos]) {
			return nil
		}
		if c != nil && n <= MaxArgs {
			c.call.Args = append(c.call.Args, p.made(c, begin, quotes))
		}
		p.end = p.pos
		p.skip(" \t")
	}
	switch {
	case n == 0:
		return nil
	case c == nil:
		return skipped
	}
	c.stmt.Position, c.stmt.Cmd = p.at(from), &c.call
	return &c.stmt
}

// endsPlain reports whether a byte ends a simple command.
func endsPlain(c byte) bool { return c == '\n' || c == ';' || c == '&' || c == '|' }

// startsPlain reports whether a word as the first is the name of a program.
func startsPlain(word string) bool {
	if strings.ContainsAny(word, "={}") || word != "[" && strings.IndexByte(word, '[') >= 0 && word != "[[" {
		return false
	}
	return !slices.Contains(reserved, word)
}
