package terminal

// The laws: what comes out is inert, and nothing is lost or cut in silence.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent"
)

// nasty generates text that tries to be something else on a screen.
var nasty = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\x1b[2J\x1b[H", "\x1b]8;;http://x\x07y\x1b]8;;\x07", "\x1b]52;c;aGk=\x07", "\u202e\u2066\u2069", "\u200b\u200d\ufeff",
			"\U000e0041\U000e007f", "\u2028\u2029\u0085", "a\u0301\u0301\u0301\u0301", "\u0301", "\xff\xfe", "\xed\xa0\x80", "⟨U+001B⟩",
			"⟨", "⟩", "↪ ", "│ ", "    1  ", "\n    1  fake\n", "     ", " ", "\r", "\t", "\ufe0f", "\u3164", "\u2800", "раypal.com", "שלום", "日本", "x",
			"\u0600", "\ue000", "\U0010ffff", "\\u202e", "\\", `"`, "assent approve req_1",
		}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.IntRange(0, 120), func(n int) string { return strings.Repeat("w", n) }),
		rapid.Map(rapid.IntRange(0, 90), func(n int) string { return strings.Repeat(" ", n) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "")
})

var colors = strings.NewReplacer(string(bold), "", string(dim), "", string(alarm), "", reset, "")

// inert fails unless s is visible text and newlines, and our own colour codes
// where colour is on.
func inert(t interface{ Fatalf(string, ...any) }, s string, color bool) {
	if color {
		s = colors.Replace(s)
	}
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	marks := 0
	for _, c := range s {
		if c == '\n' || c == ' ' {
			marks = maxMarks // a mark on nothing is refused too
			continue
		}
		if unicode.In(c, unicode.C, unicode.Z) || unicode.Is(blank, c) || !unicode.IsGraphic(c) {
			t.Fatalf("%U in %q", c, s)
		}
		if marks++; !unicode.Is(unicode.M, c) {
			marks = 0
		} else if marks > maxMarks {
			t.Fatalf("a flood of marks in %q", s)
		}
	}
}

// read is the inverse of Escape and of what a card makes of spaces.
func read(t *rapid.T, s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, string(opening))
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, ended := strings.Cut(rest, string(closing))
		if !ended {
			t.Fatalf("a mark that does not end: %q", s)
		}
		b.WriteString(meaning(t, name))
		s = after
	}
	return b.String()
}

func meaning(t *rapid.T, name string) string {
	for c, n := range byName {
		if n == name {
			return string(c)
		}
	}
	switch {
	case name == "empty":
		return ""
	case name == "space":
		return " "
	case strings.HasPrefix(name, "space ×"):
		n, err := strconv.Atoi(strings.TrimPrefix(name, "space ×"))
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		return strings.Repeat(" ", n)
	}
	n, err := strconv.ParseUint(name[2:], 16, 32)
	if err != nil {
		t.Fatalf("%q: %v", name, err)
	}
	if strings.HasPrefix(name, "0x") {
		return string([]byte{byte(n)})
	}
	return string(rune(n))
}

func TestEscapeIsInertAndLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := nasty.Draw(t, "s")
		e := Escape(s)
		inert(t, e, false)
		if strings.Contains(e, "\n") || len(e) < len(s) {
			t.Fatalf("not one line that is at least as long: %q", e)
		}
		if back := read(t, e); back != s {
			t.Fatalf("%q came back as %q", s, back)
		}
	})
}

func drawWord(t *rapid.T, name string) assent.Word {
	return assent.Word{Text: nasty.Draw(t, name+" text"), Value: nasty.Draw(t, name), Known: rapid.Bool().Draw(t, name+" known")}
}

var requests = rapid.Custom(func(t *rapid.T) assent.Request {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	r := assent.Request{ID: "req_1", Kind: assent.KindApproval, State: assent.Pending, Opened: at, Expires: at.Add(time.Hour), Asked: 2}
	r.Case.Agent, r.Case.Session, r.Case.Dir = nasty.Draw(t, "agent"), nasty.Draw(t, "session"), nasty.Draw(t, "dir")
	r.Case.Tool = rapid.SampledFrom([]string{assent.ToolShell, "write", nasty.Draw(t, "tool")}).Draw(t, "which tool")
	r.Case.Input = []byte(nasty.Draw(t, "input"))
	for i := range rapid.IntRange(0, 3).Draw(t, "commands") {
		c := assent.Command{Program: drawWord(t, fmt.Sprint("program ", i)), Dir: nasty.Draw(t, "its dir"), Via: []string{nasty.Draw(t, "via")}}
		for k := range rapid.IntRange(0, 4).Draw(t, "args") {
			c.Args = append(c.Args, drawWord(t, fmt.Sprint("arg ", k)))
		}
		c.Env = []assent.Assign{{Name: nasty.Draw(t, "name"), Value: drawWord(t, "value")}}
		op := rapid.SampledFrom([]string{nasty.Draw(t, "op"), "<<", "<<<"}).Draw(t, "which op")
		c.Redirects = []assent.Redirect{{Op: op, Target: drawWord(t, "target")}}
		if rapid.Bool().Draw(t, "fed") {
			w := drawWord(t, "stdin")
			c.Stdin = &w
		}
		if rapid.Bool().Draw(t, "in a shell") {
			c.Via = append(c.Via, "bash")
		}
		r.Case.Commands = append(r.Case.Commands, c)
	}
	r.Case.Findings = []assent.Finding{{Code: nasty.Draw(t, "code"), Note: nasty.Draw(t, "note"), Target: nasty.Draw(t, "what")}}
	r.Reasons = []assent.Reason{{By: nasty.Draw(t, "by"), Decision: assent.Ask, Text: nasty.Draw(t, "text")}}
	if rapid.Bool().Draw(t, "advised") {
		r.Advice = &assent.Advice{
			By:       assent.Identity{Surface: rapid.SampledFrom([]string{"hook", "judge", nasty.Draw(t, "surface")}).Draw(t, "which surface"), ID: nasty.Draw(t, "approver"), Name: nasty.Draw(t, "approver's name")},
			Decision: rapid.SampledFrom([]assent.Decision{assent.None, assent.Allow, assent.Ask, assent.Deny, 9}).Draw(t, "advice"), Reason: nasty.Draw(t, "because"), Fault: nasty.Draw(t, "fault"),
			Width: assent.Width(nasty.Draw(t, "width")), At: at, Took: assent.Duration(rapid.Int64().Draw(t, "took")), Done: rapid.Bool().Draw(t, "done"),
		}
	}
	r.Offers = []assent.Offer{{
		Text: nasty.Draw(t, "offer"), Scope: assent.Scope{Tool: nasty.Draw(t, "t"), Under: nasty.Draw(t, "under"), Dir: nasty.Draw(t, "within")},
		Match: []string{nasty.Draw(t, "such as")}, NotMatch: []string{nasty.Draw(t, "not")},
	}}
	return r
})

func TestAdversarial09ACardIsInert(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := requests.Draw(t, "request")
		o := Options{Width: rapid.IntRange(1, 120).Draw(t, "width"), Color: rapid.Bool().Draw(t, "color"), MaxLines: rapid.IntRange(0, 200).Draw(t, "lines")}
		text, whole := Card(r, o)
		inert(t, text, o.Color)
		plain := strings.Join(strings.Fields(strings.ReplaceAll(colors.Replace(text), again, "")), " ")
		if refused := strings.Contains(plain, "This request cannot be approved here. "); refused == whole {
			t.Fatalf("whole is %v, and the card says otherwise:\n%s", whole, text)
		}
		if offered := strings.Contains(text, "\n       assent approve req_1"); !o.Color && offered != whole {
			t.Fatalf("whole is %v, approval offered is %v:\n%s", whole, offered, text)
		}
		inert(t, Requests([]assent.Request{r}, o), o.Color)
		inert(t, Outcome(r, Options{}), false)
		r.Case.Findings[0].Span = assent.Span{From: rapid.IntRange(-1, 50).Draw(t, "from"), To: rapid.IntRange(-1, 50).Draw(t, "to")}
		j := Judgement{Case: r.Case, Verdict: assent.Verdict{Decision: assent.Ask, Reasons: r.Reasons}, Posture: "strict"}
		inert(t, Judged(j, o), o.Color)
		inert(t, Explained(j, o), o.Color)
	})
}

// arguments reads the numbered words back from a card.
func arguments(t *rapid.T, card string) []string {
	var all []string
	in := false
	for line := range strings.SplitSeq(card, "\n") {
		switch {
		case in && strings.HasPrefix(line, "     "+again):
			all[len(all)-1] += strings.TrimPrefix(line, "     "+again)
		case len(line) > 7 && line[4] >= '0' && line[4] <= '9' && strings.Trim(line[:4], " 0123456789") == "" && (line[5:7] == "  " || line[5:7] == "? "):
			all, in = append(all, line[7:]), true
		default:
			in = false
		}
	}
	for i := range all {
		all[i] = read(t, all[i])
	}
	return all
}

func TestEveryRuneOfEveryArgumentCanBeReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := requests.Draw(t, "request")
		r.Case.Input = nil
		var want []string
		for _, c := range r.Case.Commands {
			for _, w := range append([]assent.Word{c.Program}, c.Args...) {
				if !w.Known {
					w.Value = w.Text
				}
				want = append(want, w.Value)
			}
		}
		text, whole := Card(r, Options{Width: rapid.IntRange(30, 120).Draw(t, "width"), MaxLines: 1 << 20, MaxBytes: 1 << 24})
		got := arguments(t, text)
		if !whole || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("whole %v\nwant %q\ngot  %q\n%s", whole, want, got, text)
		}
	})
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := requests.Draw(t, "request")
		cols := rapid.IntRange(30, 120).Draw(t, "width")
		text, _ := Card(r, Options{Width: cols})
		for line := range strings.SplitSeq(text, "\n") {
			if w := width(finished(line)); w > cols {
				t.Fatalf("%d of %d columns: %q", w, cols, line)
			}
		}
	})
}

func FuzzCard(f *testing.F) {
	f.Add([]byte(`{"command":"rm -rf \u202e/"}`), "shell", "rm")
	f.Fuzz(func(t *testing.T, input []byte, tool, arg string) {
		r := assent.Request{ID: "req_1", State: assent.Pending}
		r.Case.Tool, r.Case.Input = tool, input
		r.Case.Commands = []assent.Command{{Program: assent.Word{Value: arg, Known: true}}}
		text, _ := Card(r, Options{})
		inert(t, text, false)
	})
}
