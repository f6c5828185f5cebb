package main

// assent check --jsonl: many judgements in one run. Lines come in and go out in
// the same order, each answered as soon as the input pauses.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// The bounds of what is held in memory at a time.
const (
	maxLine  = maxInput // bytes of one line, as of one event of an agent
	maxBatch = 1 << 20  // bytes of lines that are judged together, beyond the first
	readSize = 64 << 10
)

// line is one line of the input.
type line struct {
	n    int // from 1
	text []byte
	long bool // longer than maxLine, and left out
}

// batch is what has been read at once; err is why there will be no more.
type batch struct {
	lines []line
	err   error
}

// lines answers every line of in with one line, in the same order. It returns
// nil when all have been answered, whatever the answers are.
func (k *checker) lines(ctx context.Context, in io.Reader, out io.Writer) error {
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan batch)
	// A read that waits cannot be called off, so the reader is not waited for: it
	// ends at the next line, or with the process.
	go (&lineReader{r: bufio.NewReaderSize(in, readSize)}).run(ctx, batches)
	answered := 0
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("interrupted: %d lines have been answered", answered)
		case b := <-batches:
			if len(b.lines) > 0 {
				if _, err := out.Write(bytes.Join(k.answers(ctx, b.lines), nil)); err != nil {
					return fmt.Errorf("cannot write the answers: %w", err)
				}
			}
			answered += len(b.lines)
			switch {
			case errors.Is(b.err, io.EOF):
				return nil
			case b.err != nil:
				return fmt.Errorf("cannot read line %d: %w", answered+1, b.err)
			}
		}
	}
}

// answers judges lines on all cores, and keeps their order.
func (k *checker) answers(ctx context.Context, lines []line) [][]byte {
	out := make([][]byte, len(lines))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(lines)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(lines); i = int(next.Add(1)) - 1 {
				out[i] = k.answer(ctx, lines[i])
			}
		})
	}
	workers.Wait()
	return out
}

// lineReader reads lines, counts them and puts those together that are there.
type lineReader struct {
	r *bufio.Reader
	n int
}

// run reads until the input or ctx ends.
func (l *lineReader) run(ctx context.Context, batches chan<- batch) {
	for {
		b := l.batch()
		select {
		case batches <- b:
		case <-ctx.Done():
			return
		}
		if b.err != nil {
			return
		}
	}
}

// batch waits for one line, and takes those along that have come with it.
func (l *lineReader) batch() (b batch) {
	for size := 0; size < maxBatch; {
		var one line
		one, b.err = l.next()
		if b.err == nil || len(one.text) > 0 || one.long {
			b.lines = append(b.lines, one)
			size += len(one.text)
		}
		if b.err != nil || !l.ready() {
			break
		}
	}
	return b
}

// ready reports whether a whole line can be had without waiting.
func (l *lineReader) ready() bool {
	have, _ := l.r.Peek(l.r.Buffered())
	return bytes.IndexByte(have, '\n') >= 0
}

// next reads one line, without its end. Along with an error it returns what came
// before it.
func (l *lineReader) next() (line, error) {
	l.n++
	one := line{n: l.n}
	for {
		part, err := l.r.ReadSlice('\n')
		if one.long = one.long || len(one.text)+len(part) > maxLine; one.long {
			one.text = nil
		} else {
			one.text = append(one.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			one.text = bytes.TrimRight(one.text, "\r\n")
			return one, err
		}
	}
}
