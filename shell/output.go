package shell

// What commands print that only repeat or decode what stands in the text.

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// output is what a statement that is fed in gives to the next of a pipe.
func (w *walker) output(s *syntax.Stmt, in input) input {
	if v := w.printedBy(s, in); v.known {
		return input{kind: literal, text: v}
	}
	return input{kind: stream}
}

func (w *walker) outputOf(list []*syntax.Stmt) input {
	if v := w.printed(list); v.known {
		return input{kind: literal, text: v}
	}
	return input{kind: stream}
}

// printed is the output of statements.
func (w *walker) printed(list []*syntax.Stmt) value {
	all := value{known: true}
	for _, s := range list {
		v := w.printedBy(s, input{})
		if !v.known {
			return value{text: all.text + v.text}
		}
		if all.text += v.text; len(all.text) > MaxWord {
			return value{}
		}
	}
	return all
}

func (w *walker) printedBy(s *syntax.Stmt, in input) value {
	if s == nil || s.Background || s.Negated || !w.enter() {
		return value{}
	}
	defer w.leave()
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil || r.Op == syntax.WordHdoc:
			_, in = w.redirect(r)
		case r.N == nil || r.N.Value != "2":
			return value{}
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		return w.printed(c.Stmts)
	case *syntax.Subshell:
		return w.printed(c.Stmts)
	case *syntax.BinaryCmd:
		if c.Op != syntax.Pipe {
			return value{}
		}
		v := value{}
		for _, stage := range stagesOf(c) {
			v = w.printedBy(stage, in)
			if in = (input{kind: literal, text: v}); !v.known {
				return value{}
			}
		}
		return v
	case *syntax.CallExpr:
		if len(c.Args) > 0 && len(c.Assigns) == 0 {
			return w.prints(w.fieldsOf(c.Args), in)
		}
	}
	return value{}
}

// prints is what a command prints, unless the text has given its name another
// meaning.
func (w *walker) prints(words []assent.Word, in input) value {
	if len(words) == 0 || len(w.st.funcs[words[0].Value].bodies) > 0 || w.aliases[words[0].Value] != "" {
		return value{}
	}
	for _, name := range []string{"PATH", "TMPDIR"} {
		if _, set := w.st.vars[name]; set {
			return value{}
		}
	}
	return prints(words, in, w.st.dir)
}

// prints is what a program prints that is fed in.
func prints(words []assent.Word, in input, dir string) value {
	args := make([]string, 0, len(words))
	for _, x := range words {
		if !x.Known || hasGlob(x.Value) && !isQuoted(x.Text) {
			return value{}
		}
		args = append(args, x.Value)
	}
	if len(args) == 0 {
		return value{}
	}
	name, args := strings.TrimPrefix(strings.TrimPrefix(args[0], "/usr"), "/bin/"), args[1:]
	switch name {
	case "echo":
		return echoed(args)
	case "printf":
		return formatted(args)
	case "pwd":
		return value{text: dir + "\n", known: dir != ""}
	case "basename", "dirname", "which", "command", "type":
		return named(name, args)
	case "mktemp":
		return value{text: temporary(args)}
	}
	if in.kind == literal && in.text.known {
		return filtered(name, args, in.text.text)
	}
	return value{}
}

func isQuoted(text string) bool {
	return len(text) > 1 && (text[0] == '\'' || text[0] == '"') && text[len(text)-1] == text[0]
}

// named is what programs print that name a file or a program.
func named(name string, args []string) value {
	if len(args) == 2 && (name == "command" && args[0] == "-v" || name == "type" && (args[0] == "-p" || args[0] == "-P")) {
		return value{text: args[1] + "\n", known: true}
	}
	if len(args) != 1 || strings.HasPrefix(args[0], "-") || args[0] == "" {
		return value{}
	}
	switch name {
	case "which":
		return value{text: args[0] + "\n", known: true}
	case "basename":
		return value{text: path.Base(args[0]) + "\n", known: true}
	case "dirname":
		return value{text: path.Dir(args[0]) + "\n", known: true}
	}
	return value{}
}

// temporary is how the name begins that mktemp makes.
func temporary(args []string) string {
	for _, a := range args {
		if start, _, ok := strings.Cut(a, "XXX"); ok && len(args) <= 2 && !strings.HasPrefix(a, "-") && args[0] != "-t" && args[0] != "-p" {
			return start
		} else if a != "-d" && a != "-q" && a != "-u" {
			return ""
		}
	}
	return "/tmp/"
}

// filtered is what a filter makes of its input.
func filtered(name string, args []string, in string) value {
	switch name {
	case "cat":
		return value{text: in, known: len(args) == 0 || len(args) == 1 && args[0] == "-"}
	case "tee":
		return value{text: in, known: true}
	case "rev":
		return value{text: reversed(in), known: len(args) == 0}
	case "tr":
		return translated(args, in)
	case "base64", "base32", "xxd", "openssl":
		return decoded(name, args, strings.Join(strings.Fields(in), ""))
	}
	return value{}
}

func reversed(in string) string {
	var b strings.Builder
	for line := range strings.Lines(in) {
		text, end := strings.CutSuffix(line, "\n")
		runes := []rune(text)
		slices.Reverse(runes)
		b.WriteString(string(runes))
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// decoded knows the usual ways to have a text decoded.
func decoded(name string, args []string, in string) value {
	var out []byte
	var err error
	given := strings.Join(args, " ")
	switch {
	case name == "xxd" && (given == "-r -p" || given == "-p -r" || given == "-rp" || given == "-ps -r" || given == "-r -ps"):
		out, err = hex.DecodeString(in)
	case name == "base32" && (given == "-d" || given == "--decode"):
		out, err = base32.StdEncoding.DecodeString(in)
	case name == "base64" && has("-d --decode -D -di -id", given),
		name == "openssl" && (given == "base64 -d" || given == "enc -base64 -d" || given == "enc -d -base64" || given == "enc -a -d" || given == "base64 -d -A"):
		out, err = base64.StdEncoding.DecodeString(in)
		if err != nil {
			out, err = base64.RawStdEncoding.DecodeString(in)
		}
	default:
		return value{}
	}
	return value{text: string(out), known: err == nil}
}

// translated knows sets of characters and ranges.
func translated(args []string, in string) value {
	if len(args) == 2 && args[0] == "-d" {
		set, ok := characters(args[1])
		return value{text: strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, in), known: ok}
	}
	if len(args) != 2 || strings.HasPrefix(args[0], "-") {
		return value{}
	}
	from, ok1 := characters(args[0])
	to, ok2 := characters(args[1])
	if !ok1 || !ok2 || to == "" {
		return value{}
	}
	out := []byte(in)
	for i, c := range out {
		if n := strings.LastIndexByte(from, c); n >= 0 {
			out[i] = to[min(n, len(to)-1)]
		}
	}
	return value{text: string(out), known: true}
}

// characters are those that a set of tr names.
func characters(set string) (string, bool) {
	set = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9").Replace(set)
	if strings.ContainsAny(set, "[]") {
		return "", false
	}
	set = escapes(set, false)
	var b []byte
	for i := 0; i < len(set); i++ {
		if set[i] >= 0x80 {
			return "", false
		}
		if i+2 < len(set) && set[i+1] == '-' {
			for c := int(set[i]); c <= int(set[i+2]); c++ {
				b = append(b, byte(c))
			}
			i += 2
			continue
		}
		b = append(b, set[i])
	}
	return string(b), true
}
