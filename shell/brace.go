package shell

// Brace expansion, bounded: {a,b} and {1..9}.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces calls yield with the parts of each word that parts stand for, until it
// returns false.
func (w *walker) braces(parts, left []syntax.WordPart, yield func([]syntax.WordPart) bool) bool {
	for i, p := range parts {
		br, ok := p.(*syntax.BraceExp)
		if !ok {
			left = append(left[:len(left):len(left)], p)
			continue
		}
		if !w.enter() {
			return false
		}
		defer w.leave()
		rest := parts[i+1:]
		if br.Sequence {
			return w.numbers(br, rest, left, yield)
		}
		for _, e := range br.Elems {
			if !w.braces(slices.Concat(e.Parts, rest), left, yield) {
				return false
			}
		}
		return true
	}
	w.steps += len(left) + 1
	return yield(left)
}

func (w *walker) numbers(br *syntax.BraceExp, rest, left []syntax.WordPart, yield func([]syntax.WordPart) bool) bool {
	lo, hi := br.Elems[0].Lit(), br.Elems[1].Lit()
	from, err1 := strconv.ParseInt(lo, 10, 32)
	to, err2 := strconv.ParseInt(hi, 10, 32)
	letters := len(lo) == 1 && len(hi) == 1 && err1 != nil && err2 != nil
	if letters {
		from, to = int64(lo[0]), int64(hi[0])
	} else if err1 != nil || err2 != nil {
		return false
	}
	step := int64(1)
	if len(br.Elems) > 2 {
		if n, err := strconv.ParseInt(br.Elems[2].Lit(), 10, 32); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	if from > to {
		step = -step
	}
	width := 0
	if padded(lo) || padded(hi) {
		width = max(len(lo), len(hi))
	}
	for n := from; step > 0 && n <= to || step < 0 && n >= to; n += step {
		item := fmt.Sprintf("%0*d", width, n)
		if letters {
			item = string(rune(n))
		}
		next := append([]syntax.WordPart{&syntax.Lit{Value: item}}, rest...)
		if !w.braces(next, left, yield) {
			return false
		}
	}
	return true
}

// padded reports whether a bound has zeros in front, which all items then have.
func padded(bound string) bool {
	digits := strings.TrimLeft(bound, "+-")
	return len(digits) > 1 && digits[0] == '0'
}
