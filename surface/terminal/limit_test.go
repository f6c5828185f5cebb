package terminal

// The limits: what cannot be shown whole is refused, quickly, whatever it is.

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assent"
)

func TestAdversarial09TooLongToShowCannotBeApproved(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100<<10)
	word := func(s string) assent.Word { return assent.Word{Text: s, Value: s, Known: true} }
	content, _ := json.Marshal(map[string]string{"content": strings.Repeat("a line\n", 10<<10)})
	cases := map[string]func(r *assent.Request){
		"an argument": func(r *assent.Request) {
			r.Case.Commands = []assent.Command{{Program: word("rm"), Args: []assent.Word{word(long)}}}
		},
		"many commands": func(r *assent.Request) {
			r.Case.Commands = make([]assent.Command, 1000)
		},
		"as written":  func(r *assent.Request) { r.Case.Input = []byte(`{"command":"` + long + `"}`) },
		"an input":    func(r *assent.Request) { r.Case.Tool, r.Case.Input = "write", content },
		"no JSON":     func(r *assent.Request) { r.Case.Input = bytes.Repeat([]byte{'{'}, 10<<20) },
		"a directory": func(r *assent.Request) { r.Case.Dir = long },
		"a note":      func(r *assent.Request) { r.Case.Findings = []assent.Finding{{Note: long}} },
		"an offer":    func(r *assent.Request) { r.Offers = []assent.Offer{{Text: long}} },
		"an agent":    func(r *assent.Request) { r.Case.Agent = long },
		"a question":  func(r *assent.Request) { r.Kind = assent.KindQuestion },
		"an ID":       func(r *assent.Request) { r.ID = "req_1; rm -rf /" },
		"no ID":       func(r *assent.Request) { r.ID = "" },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assent.Request{ID: "req_1", Kind: assent.KindApproval, State: assent.Pending}
			r.Case.Tool, r.Case.Input = assent.ToolShell, []byte(`{"command":"x"}`)
			if text, whole := Card(r, Options{}); !whole {
				t.Fatalf("the request is refused before anything is wrong with it:\n%s", text)
			}
			change(&r)
			text, whole := Card(r, Options{})
			if whole || strings.Contains(text, "assent approve") || !strings.Contains(text, "cannot be approved here") {
				t.Errorf("whole %v:\n%.2000s", whole, text)
			}
			if len(text) > 4<<10 {
				t.Errorf("the refusal itself is %d bytes long", len(text))
			}
		})
	}
}

func TestALooseEndIsNeverTypeable(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"req_7": true, "R-2": true, "": false, "-m": false, "a b": false, "a;b": false, "a\n": false, "ü": false} {
		if typeable(id) != want {
			t.Errorf("typeable(%q) is %v", id, !want)
		}
	}
}
