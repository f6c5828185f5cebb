package assent_test

// Canonical JSON, held against RFC 8785's own examples and encoding/json.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"assent"

	"pgregory.net/rapid"
)

func TestCanonicalAgreesWithRFC8785(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		// section 3.2.2: literals, numbers, strings
		`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
		  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
		  "literals": [null, true, false]}`: `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		// section 3.2.3: keys sort by UTF-16 code units, not by code points
		`{"\u20ac": "Euro", "\r": "CR", "\ufb33": "Dalet", "1": "One", "\ud83d\ude00": "Face", "\u0080": "Control", "\u00f6": "O"}`: "{\"\\r\":\"CR\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"O\",\"€\":\"Euro\",\"😀\":\"Face\",\"\ufb33\":\"Dalet\"}",

		` [ ] `: `[]`, `{ }`: `{}`, "\t\"\"\n": `""`, `{"a":{"c":1,"b":[{}]}}`: `{"a":{"b":[{}],"c":1}}`,
		`"\b\t\n\f\r\u0001\u001f\u007f"`: `"\b\t\n\f\r\u0001\u001f` + "\x7f" + `"`,
		`"<>&\u003c\u2028"`:              "\"<>&<\u2028\"",
		`{"ab":1,"a":2,"":3}`:            `{"":3,"a":2,"ab":1}`,
		`-0`:                             `0`, `1.0`: `1`, `10e-1`: `1`, `-1E+2`: `-100`,
	} {
		if got, err := assent.Canonical([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", in, got, err, want)
		}
	}
}

// The numbers of RFC 8785 appendix B, as the bits of a double and as text.
func TestCanonicalNumbersAgreeWithRFC8785(t *testing.T) {
	t.Parallel()
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0", 0x8000000000000000: "0",
		0x0000000000000001: "5e-324", 0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308", 0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992", 0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22", 0x44b52d02c7e14af6: "1e+23", 0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000", 0x444b1ae4d6e2ef4f: "999999999999999900000", 0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7", 0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332", 0x41b3de4355555554: "333333333.33333325", 0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334", 0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333", 0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		in := strconv.FormatFloat(math.Float64frombits(bits), 'e', -1, 64)
		if got, err := assent.Canonical([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%016x: got %s, %v, want %s", bits, got, err, want)
		}
	}
}

func TestCanonicalRefusesWhatTwoReadersCouldTakeForTwoThings(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, in := range []string{
		"", " ", "{", "[1", `"a`, `{"a"}`, `{"a":}`, `{a:1}`, `[1,]`, `{"a":1,}`, `[,1]`, "nul", "True", "nulll", "1 2", `{} {}`, "[] x",
		`{"a":1,"a":1}`, `{"a":1,"b":{"c":1,"\u0063":2}}`, // duplicate keys, one of them escaped
		"\"\xff\"", "\"\xed\xa0\x80\"", "\"\\n\xff\"", "{\"\xff\":1}", // invalid UTF-8
		`"\ud800"`, `"\ud800x"`, `"\udc00"`, `"\ud800\ud800"`, `"\ud800\u0041"`, // lone surrogates
		`"\x"`, `"\u12"`, `"\u12g4"`, `"\`, `"\u`, "\"\t\"", "\"\\n\n\"", "\"\x00\"",
		"01", "01.5", "-00.5", "01e1", "-", "+1", ".5", "1.", "1e", "1e+", "-01", "0x1", "1_0", "NaN", "Infinity", "1e400", "-1e400", "--1",
		"9007199254740993", "-9007199254740993", "12345678901234567890", // no double holds these
		deep(assent.MaxDepth + 2), "\ufeff1", "1\u00a0", "/**/1",
	} {
		if got, err := assent.Canonical([]byte(in)); !errors.Is(err, assent.ErrInvalid) || got != nil {
			t.Errorf("%q: got %s, %v", in, got, err)
		}
	}
	if _, err := assent.Canonical([]byte(deep(assent.MaxDepth + 1))); err != nil {
		t.Error(err)
	}
}

// value draws any JSON value that a double and UTF-8 can hold.
func value(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(),
		rapid.Float64Range(-1e300, 1e300).AsAny(), rapid.Map(rapid.IntRange(-1<<53, 1<<53), func(i int) float64 { return float64(i) }).AsAny(),
	}
	if depth > 0 {
		inner := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
		leaf = append(leaf, rapid.SliceOfN(inner, 0, 4).AsAny(), rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny())
	}
	return rapid.OneOf(leaf...)
}

func TestCanonicalIsOneSpellingForOneValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		v := value(3).Draw(r, "value")
		plain, err := json.Marshal(v)
		if err != nil {
			r.Fatal(err)
		}
		spaced, err := json.MarshalIndent(v, " ", "\t")
		if err != nil {
			r.Fatal(err)
		}
		a, errA := assent.Canonical(plain)
		b, errB := assent.Canonical(spaced)
		if errA != nil || errB != nil || string(a) != string(b) {
			r.Fatalf("%s (%v) and %s (%v)", a, errA, b, errB)
		}
		agree(r, plain, a)
	})
}

type tester interface {
	Fatalf(string, ...any)
}

// agree fails unless encoding/json reads the same value from both.
func agree(t tester, in, canon []byte) {
	var a, b any
	if err := errors.Join(json.Unmarshal(in, &a), json.Unmarshal(canon, &b)); err != nil || !reflect.DeepEqual(a, b) {
		t.Fatalf("%s became %s: %v", in, canon, err)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,2.50,-0,1e30],"a":"\u20ac\ud83d\ude00\n"}`, `{"a":1,"a":2}`, "[[[]]]", `"\ud800"`, "1e-7", "9007199254740993", "\"\xff\"", `{"\u0061":0,"b":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		canon, err := assent.Canonical(in)
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) || canon != nil {
				t.Fatalf("%q: %v with %q", in, err, canon)
			}
			return
		}
		agree(t, in, canon)
		if again, err := assent.Canonical(canon); err != nil || string(again) != string(canon) {
			t.Fatalf("%q became %q, and that %q, %v", in, canon, again, err)
		}
		twice := fmt.Appendf(nil, `{"k":%s,"\u006b":%s}`, in, in)
		if _, err := assent.Canonical(twice); !errors.Is(err, assent.ErrInvalid) {
			t.Fatalf("%q: a key that stands twice was taken", twice)
		}
	})
}
