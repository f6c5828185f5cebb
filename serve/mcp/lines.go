package mcp

// Lines: one message to a line, none longer than the bound.

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// line is one line without its end. Of one that is too long, nothing is kept.
type line struct {
	text    []byte
	toolong bool
}

// read takes messages until the input or ctx ends. What stands after the last end of
// a line was cut off, and is no message.
func (c *conn) read(ctx context.Context, in io.Reader) error {
	lines, ended := make(chan line), make(chan error, 1)
	go func() {
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			l, err := next(r)
			if err != nil {
				ended <- err
				return
			}
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-ended:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case l := <-lines:
			c.take(ctx, l)
		}
	}
}

// next reads a line. An error is that of the reader: what came before it is dropped.
func next(r *bufio.Reader) (l line, err error) {
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return line{}, err
		case l.toolong || len(l.text)+len(part) > MaxMessage:
			l = line{toolong: true}
		default:
			l.text = append(l.text, part...)
		}
		if err == nil {
			return l, nil
		}
	}
}
