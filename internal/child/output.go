package child

// Output: what a child writes, kept up to a bound, or passed on line by line.

import (
	"bytes"
	"cmp"
	"io"
)

// maxLine is how long a line of standard error may grow before it is passed on
// unfinished.
const maxLine = 64 << 10

func orDefault(bound int) int { return cmp.Or(bound, DefaultMax) }

// bounded keeps what is written up to max bytes, and takes the rest too: a child
// that says too much is not to hang.
type bounded struct {
	kept []byte
	max  int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.max-len(b.kept))
	b.kept = append(b.kept, p[:n]...)
	b.over = b.over || n < len(p)
	return len(p), nil
}

// ReadFrom spares most children the buffer that io.Copy would make for them.
func (b *bounded) ReadFrom(r io.Reader) (total int64, err error) {
	buf := make([]byte, 2<<10)
	for {
		n, err := r.Read(buf)
		total += int64(n)
		_, _ = b.Write(buf[:n])
		switch {
		case err == io.EOF:
			return total, nil
		case err != nil:
			return total, err
		case n == len(buf) && n < 64<<10:
			buf = make([]byte, 4*n)
		}
	}
}

// lines passes on what is written, line by line.
type lines struct {
	take func(string)
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte{'\n'})
		switch {
		case ok:
			l.pass(line)
			l.rest = rest
		case len(line) > maxLine:
			l.pass(line)
			l.rest = nil
			return len(p), nil
		default:
			return len(p), nil
		}
	}
}

func (l *lines) pass(line []byte) {
	if l.take != nil {
		l.take(string(bytes.TrimSuffix(line, []byte{'\r'})))
	}
}

// flush passes on a last line that no newline ended.
func (l *lines) flush() {
	if len(l.rest) > 0 {
		l.pass(l.rest)
		l.rest = nil
	}
}
