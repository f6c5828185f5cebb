package storetest

// Promises about the record chain.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"assent"
)

func empty(k *kit) {
	h, err := k.Head(k.Context())
	k.must(err)
	equal(k, "head", h, assent.Head{})
	lines, err := k.Lines(k.Context(), 0, 10)
	k.must(err)
	equal(k, "lines", len(lines), 0)
}

func appends(k *kit) {
	d := k.draft(assent.KindEvent)
	d.Record.Note = "a <note> & more\u2028"
	d.Record.Data = json.RawMessage(`{"b":1, "a":[2.50]}`)
	d.Record.N, d.Record.Prev, d.Record.Payload = 99, "forged", "forged"
	rec, err := k.Append(k.Context(), d)
	k.must(err)
	equal(k, "number", rec.N, 1)
	equal(k, "prev", rec.Prev, assent.NoPrev)
	equal(k, "payload", rec.Payload, "")
	lines, err := k.Lines(k.Context(), 0, 10)
	k.must(err)
	leaf, err := rec.Leaf()
	k.must(err)
	if !bytes.Equal(leaf, lines[0].Leaf) {
		k.Fatalf("kept %s, returned %s", lines[0].Leaf, leaf)
	}
	d.Record.Data = json.RawMessage(`{"a":1,"a":2}`)
	if _, err := k.Append(k.Context(), d); err == nil {
		k.Fatal("kept a record with duplicate keys")
	}
	equal(k, "records", k.head(), 1)
}

func concurrentAppends(k *kit) {
	var failed atomic.Int64
	k.together(64, func(i int) {
		d := k.draft(assent.KindEvent)
		d.Record.Note = fmt.Sprint(i)
		if _, err := k.Append(context.WithoutCancel(k.Context()), d); err != nil {
			failed.Add(1)
		}
	})
	equal(k, "failed", failed.Load(), 0)
	equal(k, "records", k.head(), 64)
	seen := map[string]bool{}
	for _, r := range k.since(0) {
		seen[r.Note] = true
	}
	equal(k, "different records", len(seen), 64)
}

func payloads(k *kit) {
	d := k.draft(assent.KindEvent)
	d.Payload = []byte("secret\x00\xff")
	first, err := k.Append(k.Context(), d)
	k.must(err)
	second, err := k.Append(k.Context(), d)
	k.must(err)
	if first.Payload == "" || first.Payload == second.Payload {
		k.Fatalf("the same payload gave the hashes %q and %q", first.Payload, second.Payload)
	}
	d.Payload[0] = 'X'
	lines, err := k.Lines(k.Context(), 0, 10)
	k.must(err)
	for i, r := range []assent.Record{first, second} {
		equal(k, "payload", string(lines[i].Payload), "secret\x00\xff")
		equal(k, "hash", assent.PayloadHash(lines[i].Salt, lines[i].Payload), r.Payload)
		if bytes.Contains(lines[i].Leaf, []byte("secret")) {
			k.Fatal("the payload stands in the record")
		}
	}
}

func timeless(k *kit) {
	_, err := k.Append(k.Context(), assent.Draft{Record: assent.Record{Kind: assent.KindEvent}})
	k.is(err, assent.ErrInvalid)
	equal(k, "records", k.head(), 0)
}

func pages(k *kit) {
	for range 10 {
		_, err := k.Append(k.Context(), k.draft(assent.KindEvent))
		k.must(err)
	}
	for _, c := range []struct {
		after uint64
		limit int
		want  int
	}{{0, 4, 4}, {4, 100, 6}, {9, 100, 1}, {10, 100, 0}, {1 << 63, 100, 0}, {0, 0, 0}, {0, -1, 0}} {
		lines, err := k.Lines(k.Context(), c.after, c.limit)
		k.must(err)
		equal(k, fmt.Sprintf("lines after %d, at most %d", c.after, c.limit), len(lines), c.want)
		for i, l := range lines {
			equal(k, "number", l.N, c.after+uint64(i)+1)
		}
	}
}

func canceled(k *kit) {
	g := k.grant(exact(shell("x"), 2))
	before := k.head()
	ctx, cancel := context.WithCancel(k.Context())
	cancel()
	_, err := k.Append(ctx, k.draft(assent.KindEvent))
	k.is(err, context.Canceled)
	_, err = k.Spend(ctx, shell("x"), k.call(shell("x")), k.now, "", k.draft(assent.KindEvent))
	k.is(err, context.Canceled)
	_, err = k.Revoke(ctx, assent.Selection{ID: g.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.is(err, context.Canceled)
	_, err = k.Head(ctx)
	k.is(err, context.Canceled)
	k.wrote(before, 0)
	g, err = k.spend(shell("x"))
	k.must(err)
	equal(k, "used", g.Used, 1)
}
