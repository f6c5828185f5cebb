package serve

// Errors survive the wire: what errors.Is says of the engine's error, it says of
// the client's.

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http/httptest"
	"strconv"
	"testing"

	"assent"
)

// vocabulary reads the sentinels' texts from the root package's source, so that
// a new one without a row is noticed.
func vocabulary(t *testing.T) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "../errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if lit, ok := c.Args[0].(*ast.BasicLit); ok {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, text)
			}
		}
		return true
	})
	if len(texts) < 10 {
		t.Fatalf("%q", texts)
	}
	return texts
}

func TestEverySentinelHasOneRow(t *testing.T) {
	t.Parallel()
	rows, codes := map[string]int{}, map[string]int{}
	for _, r := range table {
		rows[r.err.Error()]++
		codes[r.code]++
		if codes[r.code] > 1 {
			t.Errorf("the code %q stands twice", r.code)
		}
	}
	for _, text := range vocabulary(t) {
		if rows[text] != 1 {
			t.Errorf("%q has %d rows", text, rows[text])
		}
	}
}

func TestErrorsSurviveTheWire(t *testing.T) {
	t.Parallel()
	for _, row := range table {
		sent := fmt.Errorf("settle req_81: %w", row.err)
		rec := httptest.NewRecorder()
		writeProblem(rec, sent)
		got := readProblem(rec.Code, rec.Body)
		if rec.Code != row.status || got.Error() != sent.Error() || rec.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %q", row.code, rec.Code, got)
		}
		for _, other := range table {
			if errors.Is(sent, other.err) != errors.Is(got, other.err) {
				t.Errorf("%s: errors.Is differs for %q", row.code, other.err)
			}
		}
	}
}

func TestOtherErrorsAreInternal(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	writeProblem(rec, errors.New("disk on fire"))
	got := readProblem(rec.Code, rec.Body)
	for _, row := range table {
		if errors.Is(got, row.err) {
			t.Errorf("it is taken for %q", row.err)
		}
	}
	if rec.Code != 500 || got.Error() != "disk on fire" {
		t.Errorf("%d %q", rec.Code, got)
	}
}

func TestASettledRequestTravelsWithItsError(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	writeProblem(rec, &settledError{assent.ErrSettled, assent.Request{ID: "req_1", State: assent.Denied}})
	var p *Problem
	if err := readProblem(rec.Code, rec.Body); !errors.As(err, &p) || !errors.Is(err, assent.ErrSettled) || p.Request.State != assent.Denied {
		t.Fatalf("%+v", p)
	}
}
