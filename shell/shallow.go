package shell

// A reader that stops the parser before its recursion becomes deep.

import (
	"errors"
	"io"
	"runtime"
)

var errDeep = errors.New("nested too deeply")

// shallow feeds text to the parser bit by bit, and refuses to go on once the
// parser has called itself too often. Counting brackets beforehand would be the
// shorter way and wrong: what is a bracket depends on the quotes around it, and
// only the parser knows those.
type shallow struct {
	text string
	pos  int
	deep bool
}

const bite = 1 << 10 // bytes between two looks at the stack

func (r *shallow) Read(b []byte) (int, error) {
	if r.pos == len(r.text) {
		return 0, io.EOF
	}
	var pc [1]uintptr
	if runtime.Callers(MaxFrames, pc[:]) > 0 {
		r.deep = true
		return 0, errDeep
	}
	n := copy(b[:min(len(b), bite)], r.text[r.pos:])
	r.pos += n
	return n, nil
}
