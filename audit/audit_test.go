package audit_test

// The walk finds every change, and names the record it is in.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/audit"

	"pgregory.net/rapid"
)

// tape is a log in memory that anybody can write to.
type tape []assent.Line

func (s tape) Lines(_ context.Context, after uint64, limit int) ([]assent.Line, error) {
	i, _ := slices.BinarySearchFunc(s, after+1, func(l assent.Line, n uint64) int { return int(l.N) - int(n) })
	return s[i:min(i+limit, len(s))], nil
}

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// record writes n records, every third with a payload.
func record(t require, n int) tape {
	var out tape
	head := assent.Head{}
	for i := range n {
		r := assent.Record{At: t0.Add(time.Duration(i) * time.Second), Kind: assent.KindEvent, Note: fmt.Sprint("note ", i)}
		l := assent.Line{}
		if i%3 == 0 {
			l.Salt, l.Payload = []byte("salt"), fmt.Append(nil, "payload ", i)
			r.Payload = assent.PayloadHash(l.Salt, l.Payload)
		}
		out = append(out, add(t, &head, r, l))
	}
	return out
}

type require interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func add(t require, head *assent.Head, r assent.Record, l assent.Line) assent.Line {
	t.Helper()
	r, leaf, next, err := head.Next(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	*head = next
	l.N, l.Leaf, l.Hash = r.N, leaf, next.Hash
	return l
}

func TestAWholeLogIsReported(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 7, 1200} {
		log := record(t, n)
		deleted := 0
		for i := range log {
			if i%6 == 0 {
				log[i].Salt, log[i].Payload = nil, nil
				deleted++
			}
		}
		got, err := audit.Verify(t.Context(), log, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := audit.Report{Records: uint64(n), PayloadsMissing: deleted}
		if n > 0 {
			want.Head = assent.Head{N: uint64(n), Hash: log[n-1].Hash}
			want.From, want.To = t0, t0.Add(time.Duration(n-1)*time.Second)
		}
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

// names fails unless the log is found broken at record n, with these words.
func names(t require, log tape, n int, words string) {
	t.Helper()
	r, err := audit.Verify(context.Background(), log, nil)
	if !errors.Is(err, assent.ErrChain) {
		t.Fatalf("got %v, want ErrChain", err)
	}
	if !strings.HasPrefix(err.Error(), fmt.Sprintf("record %d: %s", n, words)) {
		t.Fatalf("got %q, want record %d: %s", err, n, words)
	}
	if r.Records != uint64(n-1) {
		t.Fatalf("%d records are whole, want %d", r.Records, n-1)
	}
}

func TestAFlippedBitIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		log := record(r, rapid.IntRange(1, 20).Draw(r, "records"))
		i := rapid.IntRange(0, len(log)-1).Draw(r, "record")
		at := rapid.IntRange(0, len(log[i].Leaf)-1).Draw(r, "byte")
		log[i].Leaf[at] ^= 1 << rapid.IntRange(0, 7).Draw(r, "bit")
		names(r, log, i+1, "its hash is not the hash of its bytes")
	})
}

// forge changes a record and makes it look right by itself.
func forge(t require, l assent.Line, old, new string) assent.Line {
	t.Helper()
	leaf := bytes.Replace(l.Leaf, []byte(old), []byte(new), 1)
	if bytes.Equal(leaf, l.Leaf) {
		t.Fatalf("%s is not in %s", old, l.Leaf)
	}
	l.Leaf, l.Hash = leaf, assent.LeafHash(leaf)
	return l
}

func TestEveryChangeIsNamed(t *testing.T) {
	t.Parallel()
	for words, c := range map[string]struct {
		at     int
		change func(log tape) tape
	}{
		"it does not follow record 4": {5, func(log tape) tape {
			log[3] = forge(t, log[3], "note 3", "nothing")
			return log
		}},
		"it does not follow record 0": {1, func(log tape) tape {
			log[0] = forge(t, log[0], assent.NoPrev[:9], "123456789")
			return log
		}},
		"it is missing, record 5 follows": {4, func(log tape) tape { return slices.Delete(log, 3, 4) }},
		"it is missing, record 2 follows": {1, func(log tape) tape { return log[1:] }},
		"it calls itself record 99": {4, func(log tape) tape {
			log[3] = forge(t, log[3], `"n":4`, `"n":99`)
			return log
		}},
		"its hash is not the hash of its bytes": {6, func(log tape) tape {
			log[5].Hash = log[4].Hash
			return log
		}},
		"its bytes are not canonical JSON": {6, func(log tape) tape {
			log[5] = forge(t, log[5], `,"kind"`, `, "kind"`)
			return log
		}},
		"its bytes are not a record (": {6, func(log tape) tape {
			log[5] = forge(t, log[5], `"n":6`, `"n":"6"`)
			return log
		}},
		"its payload is not the one that was recorded": {4, func(log tape) tape {
			log[3].Payload = []byte("another")
			return log
		}},
		"it has a payload that it does not know of": {3, func(log tape) tape {
			log[2].Payload = []byte("another")
			return log
		}},
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			names(t, c.change(record(t, 9)), c.at, words)
		})
	}
}

func TestTheFirstBrokenPlaceIsNamed(t *testing.T) {
	t.Parallel()
	log := record(t, 9)
	log[7].Leaf[3] ^= 1
	log[2].Leaf[3] ^= 1
	names(t, log, 3, "its hash")
}

type failing struct{ error }

func (f failing) Lines(context.Context, uint64, int) ([]assent.Line, error) { return nil, f.error }

func TestAFailingStoreIsNoBrokenChain(t *testing.T) {
	t.Parallel()
	_, err := audit.Verify(t.Context(), failing{assent.ErrDamaged}, nil)
	if !errors.Is(err, assent.ErrDamaged) || errors.Is(err, assent.ErrChain) {
		t.Fatal(err)
	}
}
