package storetest

// Promises about handles.

import (
	"time"

	"assent"
)

func (k *kit) handle(grant string) assent.Held {
	by := broker
	return assent.Held{
		Nonce: []byte("nonce"), Hash: "abc", Grant: grant, Holder: assent.Holder{Session: "s1", Process: &by},
		By: assent.Identity{Surface: "test", ID: "ann"}, At: k.now,
	}
}

func (k *kit) hold(h assent.Held) (assent.Held, error) {
	return k.Hold(k.Context(), h, k.draft(assent.KindHandle))
}

func holds(k *kit) {
	g := k.grant(class("/w", 9))
	h := k.handle(g.ID)
	h.ID, h.Record = "hd_7", 77
	before := k.head()
	d := k.draft(assent.KindHandle)
	d.Record.Grant, d.Record.Seal = "gr_7", "forged"
	got, err := k.Hold(k.Context(), h, d)
	k.must(err)
	want := k.handle(g.ID)
	want.ID, want.Record = "hd_1", before+1
	k.same("returned", want, got)
	equal(k, "vouched", got.VouchedBy(k.wrote(before, 1)), true)
	other := k.handle(g.ID)
	other.Hash, other.Holder = "def", assent.Holder{Session: "s2"}
	second, err := k.hold(other)
	k.must(err)
	equal(k, "the next", second.ID, "hd_2")
	got.Nonce[0], got.Holder.Process.PID = 0, 1 // the caller's own
	h.Nonce[0], h.Holder.Process.PID = 0, 1
	for _, name := range []string{"abc", "hd_1"} {
		got, err := k.Held(k.Context(), name)
		k.must(err)
		k.same("kept", want, got)
	}
	for _, name := range []string{"", "hd_3", "hd_0", "hd_x", "gr_1", "ABC", "nonce"} {
		got, err := k.Held(k.Context(), name)
		k.is(err, assent.ErrNoSuchGrant)
		equal(k, "returned", got.ID, "")
	}
	k.revoke(g.ID)
	_, err = k.Held(k.Context(), "hd_1")
	k.must(err) // that its grant is dead, Spend says
}

func holdsOnly(k *kit) {
	g := k.grant(class("/w", 9))
	before := k.head()
	for want, change := range map[error]func(*assent.Held, *assent.Draft){
		assent.ErrNoSuchGrant: func(h *assent.Held, _ *assent.Draft) { h.Grant = "gr_9" },
		assent.ErrInvalid:     func(h *assent.Held, _ *assent.Draft) { h.Hash = "" },
	} {
		h, d := k.handle(g.ID), k.draft(assent.KindHandle)
		change(&h, &d)
		_, err := k.Hold(k.Context(), h, d)
		k.is(err, want)
	}
	for _, change := range []func(*assent.Held, *assent.Draft){
		func(h *assent.Held, _ *assent.Draft) { h.Nonce = nil },
		func(h *assent.Held, _ *assent.Draft) { h.Holder = assent.Holder{} },
		func(_ *assent.Held, d *assent.Draft) { d.Record.Kind = assent.KindEvent },
		func(_ *assent.Held, d *assent.Draft) { d.Record.At = time.Time{} },
	} {
		h, d := k.handle(g.ID), k.draft(assent.KindHandle)
		change(&h, &d)
		_, err := k.Hold(k.Context(), h, d)
		k.is(err, assent.ErrInvalid)
	}
	k.wrote(before, 0)
	_, err := k.hold(k.handle(g.ID))
	k.must(err)
	_, err = k.hold(k.handle(g.ID))
	k.is(err, assent.ErrSettled)
	k.wrote(before, 1)
}
