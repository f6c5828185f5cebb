package assent_test

// The laws of design section 4 that Fold answers for.

import (
	"errors"
	"slices"
	"testing"

	"assent"

	"pgregory.net/rapid"
)

func anyDecision() *rapid.Generator[assent.Decision] {
	return rapid.SampledFrom([]assent.Decision{assent.None, assent.Allow, assent.Ask, assent.Deny})
}

func replies(most ...assent.Decision) *rapid.Generator[[]assent.Reply] {
	return rapid.SliceOfN(rapid.Custom(func(r *rapid.T) assent.Reply {
		d := anyDecision().Draw(r, "decision")
		if len(most) > 0 {
			d = min(d, most[0])
		}
		return assent.Reply{By: rapid.StringN(1, 3, -1).Draw(r, "by"), Decision: d, Reason: rapid.StringN(0, 3, -1).Draw(r, "reason")}
	}), 0, 5)
}

func tiers(r *rapid.T) assent.Tiers {
	return assent.Tiers{
		Floor: replies().Draw(r, "floor"), Said: replies().Draw(r, "said"),
		BuiltIn: replies().Draw(r, "built in"), Default: posture(r),
	}
}

func posture(r *rapid.T) assent.Reply {
	return assent.Reply{By: "default", Decision: anyDecision().Draw(r, "default"), Reason: rapid.StringN(0, 3, -1).Draw(r, "why")}
}

// insert puts one voice anywhere among others.
func insert(r *rapid.T, voices []assent.Reply, d assent.Decision) []assent.Reply {
	return slices.Insert(slices.Clone(voices), rapid.IntRange(0, len(voices)).Draw(r, "place"), assent.Reply{By: "x", Decision: d, Reason: "why"})
}

func TestLaw1DenyIsFinal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		in := tiers(r)
		if rapid.Bool().Draw(r, "on the floor") {
			in.Floor = insert(r, in.Floor, assent.Deny)
		} else {
			in.Said = insert(r, in.Said, assent.Deny)
		}
		if v := assent.Fold(in); v.Decision != assent.Deny {
			r.Fatalf("got %v", v.Decision)
		}
	})
}

func TestLaw2AskBeatsAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		in := tiers(r)
		in.Said = insert(r, in.Said, assent.Ask)
		if v := assent.Fold(in); v.Decision < assent.Ask {
			r.Fatalf("got %v", v.Decision)
		}
	})
}

func TestLaw2SilenceIsTheDefault(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		silent := replies(assent.None)
		in := assent.Tiers{Floor: silent.Draw(r, "f"), Said: silent.Draw(r, "s"), BuiltIn: silent.Draw(r, "b"), Default: posture(r)}
		if v := assent.Fold(in); v.Decision != in.Default.Decision || (v.Reasons != nil) != (in.Default.Reason != "") {
			r.Fatalf("got %+v", v)
		}
	})
}

// What failed is an Ask among what was said: no Allow of any tier, and no
// default, makes an Allow of it.
func TestLaw3FailureIsNeverAnAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		in := assent.Tiers{
			Floor: replies(assent.None).Draw(r, "floor"), Said: insert(r, replies(assent.Allow).Draw(r, "said"), assent.Ask),
			BuiltIn: replies().Draw(r, "built in"), Default: posture(r),
		}
		if v := assent.Fold(in); v.Decision != assent.Ask {
			r.Fatalf("got %v", v.Decision)
		}
	})
}

func TestFoldIsTheFirstTierThatSpeaks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		in := tiers(r)
		strictest := func(voices ...assent.Reply) (d assent.Decision) {
			for _, v := range voices {
				d = max(d, v.Decision)
			}
			return d
		}
		want := in.Default.Decision
		if d := strictest(append(in.Floor, in.Said...)...); d != assent.None {
			want = d
		} else if d := strictest(in.BuiltIn...); d != assent.None {
			want = d
		}
		if v := assent.Fold(in); v.Decision != want {
			r.Fatalf("got %v, want %v", v.Decision, want)
		}
	})
}

func TestFoldKeepsEveryReason(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		in := tiers(r)
		var want []assent.Reason
		for _, v := range slices.Concat(in.Floor, in.Said, in.BuiltIn) {
			if v.Decision != assent.None {
				want = append(want, assent.Reason{By: v.By, Decision: v.Decision, Text: v.Reason})
			}
		}
		if d := in.Default; len(want) == 0 && d.Reason != "" {
			want = append(want, assent.Reason{By: d.By, Decision: d.Decision, Text: d.Reason})
		}
		if v := assent.Fold(in); !slices.Equal(v.Reasons, want) {
			r.Fatalf("got %v, want %v", v.Reasons, want)
		}
	})
}

func TestFoldTellsWhatCarriedTheVerdict(t *testing.T) {
	t.Parallel()
	v := assent.Fold(assent.Tiers{Said: []assent.Reply{
		{By: "a", Decision: assent.Ask, Reason: "it deletes"}, {By: "b", Decision: assent.Allow, Reason: "it is fine"},
		{By: "c", Decision: assent.Ask}, {By: "d", Decision: assent.Ask, Reason: "it is far"},
	}})
	if v.Tell != "it deletes; it is far" {
		t.Fatalf("%q", v.Tell)
	}
}

func TestDecisionsTravelAsWords(t *testing.T) {
	t.Parallel()
	for _, d := range []assent.Decision{assent.None, assent.Allow, assent.Ask, assent.Deny} {
		text, err := d.MarshalText()
		var back assent.Decision
		if err = errors.Join(err, back.UnmarshalText(text)); err != nil || back != d || string(text) != d.String() {
			t.Errorf("%v became %s became %v, %v", d, text, back, err)
		}
	}
	for _, bad := range []string{"", "ALLOW", "allow ", "yes", "decision(7)"} {
		d := assent.Deny
		if err := d.UnmarshalText([]byte(bad)); !errors.Is(err, assent.ErrInvalid) || d != assent.Deny {
			t.Errorf("%q became %v, %v", bad, d, err)
		}
	}
}
